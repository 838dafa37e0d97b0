/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files: where they are now, and their lines.
 *
 * Files in a recording's archive are as recorded, and come first.  Otherwise a file is
 * looked for at the debug information's path, changed by pathmap; then below each
 * directory of the search path, by as much of its path as matches: DIR/src/a/b.c,
 * DIR/a/b.c, DIR/b.c for "/src/a/b.c".
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include <stdbool.h>

#include "experiment/log.h"
#include "elf/object_file.h"
#include "base/folder.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* An all-zero one is empty. */
struct source_paths {
	VEC(char *) dirs;
	VEC(struct path_change) changes;
	bool trusted; /* whether to show files that recordings name, see source_check */
};

/* LIST: directories with colons between them, which replace or follow the others. */
void source_paths_set(struct source_paths *paths, const char *list);
void source_paths_add(struct source_paths *paths, const char *list);

/* Paths that begin with the directory FROM begin with TO instead. */
void source_paths_change(struct source_paths *paths, const char *from, const char *to);
void source_paths_release(struct source_paths *paths);

/*
 * Opens it in ARCHIVE, if there is one.  A descriptor or a negative errno; FOUND, its
 * path, is overwritten.
 */
int source_open_archived(const struct folder *archive, const char *recorded,
			 struct strbuf *found) __attribute__((warn_unused_result));

/*
 * Whether the file FD, which a recording names, may be shown.  0; -EILSEQ: it is not
 * text; -EPERM: we are root, and others may not read it: a recording from elsewhere must
 * not make root show a secret.  TRUSTED lifts the latter.  Leaves FD open.
 */
int source_check(int fd, bool trusted) __attribute__((warn_unused_result));

/* False if there is none; FOUND is overwritten. */
bool source_find(const struct source_paths *paths, const char *recorded,
		 struct strbuf *found);

struct source_text {
	struct strbuf bytes;
	VEC(size_t) lines; /* the offset of each in bytes */
};

/*
 * Leaves FD open.  0 or a negative errno; the caller releases OUT, all-zero before,
 * either way.
 */
int source_text_read(struct source_text *out, int fd) __attribute__((warn_unused_result));
void source_text_release(struct source_text *text);

/* Line N, from 1 and at most lines.len, with its tabs as blanks; OUT is overwritten. */
void source_text_line(const struct source_text *text, size_t n, struct strbuf *out);

/* Whether a file was changed after the recording began. */
bool source_is_newer(const char *path, const struct exp_log *log);

#endif
