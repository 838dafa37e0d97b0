/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table whose cells have become text, with the widths that they need: what is common to
 * all ways of lining them up.
 */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

#define TEXT_LEVELS_MAX 40

struct text_layout;

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
	void (*put)(struct text_layout *layout, const struct column *column,
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
	bool open[TEXT_LEVELS_MAX + 1];
};

struct text_layout {
	const struct table *table; /* borrowed */
	VEC(struct part) parts;
	struct strbuf text; /* of all cells, NUL-terminated */
	VEC(size_t) at;     /* row by row, part by part: where in text */
	struct branches branches;
	unsigned levels; /* that a tree is set in by */
};

/*
 * LEVELS: how deep a tree is set in, at most TEXT_LEVELS_MAX; what is deeper carries its
 * depth.  Overwrites OUT, which is the caller's to release.
 */
void text_layout_fill(struct text_layout *out, const struct table *table,
		      unsigned levels);
void text_layout_release(struct text_layout *layout);

/* The column that a part is of. */
static inline const struct column *text_layout_column(const struct text_layout *layout,
						      size_t part)
{
	return &layout->table->columns.data[layout->parts.data[part].column];
}

/* What stands above the numbers of a part. */
static inline const char *text_layout_unit(const struct text_layout *layout, size_t part)
{
	const char *unit = layout->parts.data[part].kind->unit;

	return unit ? unit : text_layout_column(layout, part)->unit;
}

static inline const char *text_layout_text(const struct text_layout *layout, size_t row,
					   size_t part)
{
	return layout->text.data + layout->at.data[row * layout->parts.len + part];
}

#endif
