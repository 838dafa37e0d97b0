/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths of source files, one for each file: absolute if the unit names its compilation
 * directory, without "//", "/./" and "/../".
 */
#ifndef LINEINFO_PATHS_H
#define LINEINFO_PATHS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "base/strtab.h"

struct line_paths {
	struct strtab *texts; /* borrowed */
	struct idmap dirs;    /* a directory, by its address → its number */
	struct idmap known;   /* text, by its address, and directory → in texts */
	struct strbuf work;
};

/* Removes empty parts and ".", and ".." with the directory before it. */
void line_path_clean(const char *path, struct strbuf *out);

/*
 * The id in texts of RAW in DIR, which may be NULL.  Both are libdw's own texts: the same
 * pointer always means the same text.
 */
uint32_t line_paths_intern(struct line_paths *paths, const char *dir, const char *raw);

void line_paths_release(struct line_paths *paths);

#endif
