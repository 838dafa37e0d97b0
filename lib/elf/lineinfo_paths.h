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
#include "elf/lineinfo_table.h"

struct line_paths {
	struct strtab *texts; /* borrowed */
	uint64_t *budget;     /* borrowed: bytes of paths still to copy; NULL: no limit */
	/* of the unit, borrowed: */
	const struct line_table *table;
	const char *dir;    /* that it was compiled in, or NULL */
	struct idmap known; /* a file's number → in texts */
	struct strbuf raw, clean;
};

/* Removes empty parts and ".", and ".." with the directory before it. */
void line_path_clean(const char *path, struct strbuf *out);

/* The next calls are for a unit that was compiled in DIR, which may be NULL. */
void line_paths_begin(struct line_paths *paths, const struct line_table *table,
		      const char *dir);

/* The id in texts of the file of that number; 0: there is none, or no budget. */
uint32_t line_paths_number(struct line_paths *paths, uint64_t number);

/* That of RAW, a path. */
uint32_t line_paths_text(struct line_paths *paths, const char *raw);

void line_paths_release(struct line_paths *paths);

#endif
