/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From places in an ELF object to lines of its source, with the functions that were
 * inlined there, as its debug information (DWARF 4 and 5) tells.
 *
 * Debug information is taken from the file that ran, or else from its debug file
 * (debugfile.h), and only where the build-id is that of the recording.  Split units are
 * read from their .dwo files or a package (.dwp), and what dwz moved from its alternate
 * file.
 *
 * Places are looked up in batches, because parsing a compilation unit is what costs: only
 * units that contain one of the places are parsed, each once per batch.
 *
 * Files and their contents are hostile: a damaged one gives fewer answers, or wrong ones,
 * in bounded time.  Unlike elf_image's, debug information is mapped, since one looks at a
 * small part of gigabytes: a file that is cut while it is parsed ends the process.
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

/* Where a function was, at a place.  Texts are ids in the answers; 0: not known. */
struct line_frame {
	uint32_t function; /* linkage name, or where it has none CLASS::NAME or NAME */
	uint32_t file;     /* absolute where the compiler's directory is known */
	uint32_t line;     /* from 1; 0: not known */
	uint32_t decl_file, decl_line; /* where the function is declared, likewise */
};

/*
 * Of one place: frames[first] and COUNT in all, innermost first: the function whose code
 * it is by its source, at the line that it is of, then the one that this was inlined
 * into, at the line of the call, and so on to the function that it lies in.  COUNT 0: the
 * debug information does not cover the place.
 */
struct line_answer {
	uint32_t first, count;
};

/* It holds all that it says, so that it outlives the lineinfo.  All-zero is empty. */
struct line_answers {
	VEC(struct line_answer) places; /* in the order in which they were asked for */
	VEC(struct line_frame) frames;
	struct strtab texts;
};

void line_answers_release(struct line_answers *answers);

struct lineinfo;

/*
 * Finds the files.  0 and *OUT, for lineinfo_free, or a negative errno: those of
 * object_file_open; -ENODATA if neither it nor its debug file has debug information.
 * What PLACE's search, archive and BY refer to must outlive *OUT.
 */
int lineinfo_open(const struct object_place *place, struct lineinfo **out)
	__attribute__((warn_unused_result));

/* The same for FD, PLACE's file, without a search.  Takes FD. */
int lineinfo_open_fd(const struct object_place *place, int fd, struct lineinfo **out)
	__attribute__((warn_unused_result));
void lineinfo_free(struct lineinfo *info);

/*
 * This thread takes the rights of whoever named the files, for good: what split units
 * name is opened with them.  0 or a negative errno.
 */
int lineinfo_take_rights(struct lineinfo *info) __attribute__((warn_unused_result));

/*
 * What parsing them needs: the descriptors for a child to keep, some perhaps -1,
 * and about how many bytes there are to read.
 */
enum { LINEINFO_FILES_MAX = 5 };
uint64_t lineinfo_needs(const struct lineinfo *info, int files[LINEINFO_FILES_MAX]);

/* Parses what lineinfo_find needs.  0, or -ENOEXEC if it is damaged. */
int lineinfo_parse(struct lineinfo *info) __attribute__((warn_unused_result));

/*
 * Answers COUNT file offsets, in any order; those of return addresses less one.  Follows
 * lineinfo_parse.  Overwrites OUT, which is the caller's to release.
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
 * A file whose debug information was needed and could not be read: a .dwo that is not
 * where it was written.  NULL: none.  Good until the free.
 */
const char *lineinfo_missing(const struct lineinfo *info);

#endif
