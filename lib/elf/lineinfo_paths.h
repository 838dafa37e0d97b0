/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths of source files, as one file has one: absolute where the unit tells the directory
 * it was compiled in, without "//", "/./" and "/../".
 */
#ifndef LINEINFO_PATHS_H
#define LINEINFO_PATHS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "base/strtab.h"

struct line_paths {
	struct strtab *texts; /* borrowed */
	struct idmap dirs;    /* a directory, by where it lies → its number */
	struct idmap known;   /* text, by where it lies, and directory → in texts */
	struct strbuf work;
};

/* Takes out what names no directory of its own, and ".." with the one before it. */
void line_path_clean(const char *path, struct strbuf *out);

/*
 * The id in texts of RAW in DIR, which may be NULL.  Both are libdw's own texts: the same
 * pointer always means the same text.
 */
uint32_t line_paths_intern(struct line_paths *paths, const char *dir, const char *raw);

void line_paths_release(struct line_paths *paths);

#endif
