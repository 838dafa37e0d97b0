/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table whose cells have become text, with the widths that they need: what is common to
 * all ways of lining them up.
 */
#ifndef SHEET_H
#define SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

#define SHEET_LEVELS_MAX 40

struct sheet;

/*
 * A column of a table is one part on paper, or as many as there are parts of an estimate
 * to be seen.  What a part is: the columns it is of, what stands above it, how a cell of
 * it is written.
 */
struct part_kind {
	enum column_type column;
	unsigned show;    /* of an estimate: the SHOW_… it is for */
	const char *unit; /* "sec.", "count", "%", or ""; NULL: the column's */
	bool is_text;     /* begins at the left; numbers end at the right */
	void (*put)(struct sheet *sheet, const struct column *column,
		    const struct cell *cell);
};

struct part {
	const struct part_kind *kind;
	size_t column;
	bool first; /* of its column */
	size_t width;
};

/* Where the branches of a tree go on: by depth, whether a later sibling comes. */
struct branches {
	bool open[SHEET_LEVELS_MAX + 1];
};

struct sheet {
	const struct table *table; /* borrowed */
	VEC(struct part) parts;
	struct strbuf text; /* of all cells, NUL-terminated */
	VEC(size_t) at;     /* row by row, part by part: where in text */
	struct branches branches;
	unsigned levels; /* that a tree is set in by */
};

/*
 * LEVELS: how deep a tree is set in, at most SHEET_LEVELS_MAX; what is deeper carries its
 * depth.  Overwrites OUT, which is the caller's to release.
 */
void sheet_fill(struct sheet *out, const struct table *table, unsigned levels);
void sheet_release(struct sheet *sheet);

/* The column that a part is of. */
static inline const struct column *sheet_column(const struct sheet *sheet, size_t part)
{
	return &sheet->table->columns.data[sheet->parts.data[part].column];
}

/* What stands above the numbers of a part. */
static inline const char *sheet_unit(const struct sheet *sheet, size_t part)
{
	const char *unit = sheet->parts.data[part].kind->unit;

	return unit ? unit : sheet_column(sheet, part)->unit;
}

static inline const char *sheet_text(const struct sheet *sheet, size_t row, size_t part)
{
	return sheet->text.data + sheet->at.data[row * sheet->parts.len + part];
}

#endif
