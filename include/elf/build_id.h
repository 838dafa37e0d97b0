/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build-id, which shows whether a file on disk is the one that ran.
 *
 * It is an ELF note (GNU, type 3) that the linker wrote, kept here as lower-case hex, as
 * in experiments and in the names of debug directories.
 */
#ifndef BUILD_ID_H
#define BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#define BUILD_ID_BYTES_MAX 32 /* SHA-1 takes 20; the linker lets the user choose */

struct build_id {
	char hex[2 * BUILD_ID_BYTES_MAX + 1]; /* "" for none */
};

/*
 * From the notes in BYTES, whose entries lie ALIGN (4 or 8) bytes aligned; SWAP: of the
 * other byte order.  False, and OUT "", if there is none.
 */
bool build_id_from_notes(const void *bytes, size_t len, size_t align, bool swap,
			 struct build_id *out);

/*
 * Whether two build-ids in hex are the same.  Linkers write 8 bytes (lld) or 16 (MD5) on
 * request; old perf and simpleperf pad these to 20 with zeros.
 */
bool build_id_same(const char *a, const char *b);

/* The unpadded id of BYTES (8, 16) that HEX may stand for; false: there is none. */
bool build_id_unpadded(const char *hex, size_t bytes, struct build_id *out);

/* From its LEN bytes, at most BUILD_ID_BYTES_MAX. */
void build_id_from_bytes(const void *bytes, size_t len, struct build_id *out);

/*
 * Of the running kernel: PATH is /sys/kernel/notes, or
 * /sys/module/NAME/notes/.note.gnu.build-id for a module.  0, or a negative errno;
 * -ENODATA if there is none.
 */
int build_id_read_notes(const char *path, struct build_id *out)
	__attribute__((warn_unused_result));

#endif
