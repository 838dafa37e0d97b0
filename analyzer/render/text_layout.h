/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table whose cells have become text, one at a time, and the widths that all of
 * them need: what is common to all ways of lining them up.
 *
 * Who lines cells up goes through the rows twice: text_layout_measure finds the widths,
 * then text_layout_read gives row by row.  The text of the first rows is kept meanwhile,
 * which is all of a short table.
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

/* A cell as text. */
struct text_cell {
	size_t at; /* in the layout's text, NUL-terminated */
	bool marked;
};

struct text_layout {
	struct table *table; /* borrowed */
	VEC(struct part) parts;
	struct strbuf text;          /* of the rows that are kept, then of the one read */
	VEC(struct text_cell) cells; /* of the same rows, part by part */
	VEC(enum tone) tones;        /* of the same rows */
	size_t kept;                 /* rows from the first on */
	size_t kept_text;            /* bytes of theirs */
	size_t read;                 /* where in cells the row that was read begins */
	enum tone tone;              /* of that row */
	struct branches branches;    /* below the row before */
	unsigned levels;             /* that a tree is set in by */
};

/*
 * LEVELS: how deep a tree is set in, at most TEXT_LEVELS_MAX; what is deeper carries its
 * depth.  Overwrites OUT, which is the caller's to release.
 */
void text_layout_init(struct text_layout *out, struct table *table, unsigned levels);
void text_layout_release(struct text_layout *layout);

/* Makes each part as wide as its widest cell. */
void text_layout_measure(struct text_layout *layout);

/* Makes ROW the one that the calls below are about: rows are read in their order. */
void text_layout_read(struct text_layout *layout, size_t row);

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

static inline const char *text_layout_text(const struct text_layout *layout, size_t part)
{
	return layout->text.data + layout->cells.data[layout->read + part].at;
}

/* Whether the cell is of the row that the table is about. */
static inline bool text_layout_marked(const struct text_layout *layout, size_t part)
{
	return layout->cells.data[layout->read + part].marked;
}

#endif
