/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps places in an ELF object to source lines and inlined functions, by its debug
 * information (DWARF 4 and 5).
 *
 * Debug information comes from the file that ran, or else from its debug file
 * (debugfile.h), and only if the build-id is the recorded one.  Split units are read from
 * their .dwo files or a package (.dwp), and data that dwz moved from its alternate file.
 *
 * Places are looked up in batches, because parsing a compilation unit is expensive: only
 * units that contain one of the places are parsed, each once per batch.
 *
 * Files and their contents are hostile: a damaged one gives fewer answers, or wrong ones,
 * in bounded time.  Unlike elf_image's, debug information is mapped, since only a small
 * part of gigabytes is read: truncating the file meanwhile ends the process.
 *
 * libdw and libelf are not made for hostile files, so programs let a confined process
 * parse them: lineinfo_apart.h.
 */
#ifndef LINEINFO_H
#define LINEINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/object_file.h"
#include "base/strtab.h"
#include "base/vec.h"

/* A function at a place.  Texts are ids in the answers; 0: unknown. */
struct line_frame {
	uint32_t function; /* linkage name, or if it has none CLASS::NAME or NAME */
	uint32_t file;     /* absolute if the compiler's directory is known */
	uint32_t line;     /* from 1; 0: unknown */
	uint32_t decl_file, decl_line; /* of its declaration */
};

/*
 * The frames of one place: COUNT from frames[first] on, innermost first: the function
 * whose source the code comes from, at its line; then the one that it was inlined into,
 * at the line of the call; and so on to the function that contains the code.  COUNT 0:
 * the debug information does not cover the place.
 */
struct line_answer {
	uint32_t first, count;
};

/* It owns its texts, so it may outlive the lineinfo.  All-zero is empty. */
struct line_answers {
	VEC(struct line_answer) places; /* in the order of the questions */
	VEC(struct line_frame) frames;
	struct strtab texts;
};

void line_answers_release(struct line_answers *answers);

struct lineinfo;

/*
 * Finds the files.  0 and *OUT, for lineinfo_free, or a negative errno: those of
 * object_file_open; -ENODATA if neither it nor its debug file has debug information.
 * PLACE's search, archive and BY must outlive *OUT.
 */
int lineinfo_open(const struct object_place *place, struct lineinfo **out)
	__attribute__((warn_unused_result));

/* The same for FD, PLACE's file, without a search.  Takes FD. */
int lineinfo_open_fd(const struct object_place *place, int fd, struct lineinfo **out)
	__attribute__((warn_unused_result));
void lineinfo_free(struct lineinfo *info);

/*
 * This thread takes the rights of whoever named the files, for good: it opens split units
 * with them.  0 or a negative errno.
 */
int lineinfo_take_rights(struct lineinfo *info) __attribute__((warn_unused_result));

/*
 * If this is root and no target named the files: the user who did, judged by the files
 * (elf/file_party.h), and giving up for good all rights that this user lacks.  False:
 * that is not possible here.
 */
uint64_t lineinfo_party(const struct lineinfo *info);
bool lineinfo_join_party(const struct lineinfo *info) __attribute__((warn_unused_result));

/*
 * The needs of parsing: the descriptors for a child to keep, some perhaps -1, and the
 * approximate number of bytes to read.
 */
enum { LINEINFO_FILES_MAX = 5 };
uint64_t lineinfo_needs(const struct lineinfo *info, int files[LINEINFO_FILES_MAX]);

/* Parses the data that lineinfo_find needs.  0, or -ENOEXEC if it is damaged. */
int lineinfo_parse(struct lineinfo *info) __attribute__((warn_unused_result));

/*
 * Looks up COUNT file offsets, in any order; those of return addresses less one.  Call
 * after lineinfo_parse.  Overwrites OUT, which the caller releases.
 */
void lineinfo_find(struct lineinfo *info, const uint64_t *offsets, size_t count,
		   struct line_answers *out);

/*
 * Passes to FN the files that lineinfo_find has read so far besides the object and its
 * debug file (split units, dwz's file).
 */
void lineinfo_parts(const struct lineinfo *info, object_part_fn *fn, void *ctx);

/* Whether the file was accepted on the user's word. */
bool lineinfo_is_stated(const struct lineinfo *info);

/* Whether one of its files changed since it was opened: answers may be of both. */
bool lineinfo_is_changed(const struct lineinfo *info);

/* Whether it was read from a debug file, not from the file that ran. */
bool lineinfo_has_debug_file(const struct lineinfo *info);

/*
 * A file whose debug information was needed but could not be read: a .dwo that is no
 * longer in its place.  NULL: none.  Valid until lineinfo_free.
 */
const char *lineinfo_missing(const struct lineinfo *info);

#endif
