/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formats the cells of a table's rows as text, one row at a time, and finds the widths
 * that all need: the common part of all aligned layouts.
 *
 * An aligned layout reads the rows twice: text_layout_measure finds the widths, then
 * text_layout_read reads row by row.  The text of the first rows is kept meanwhile, all
 * of a short table.
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
 * A column of a table is displayed as one part, or as several for the shown parts of an
 * estimate.  A kind of part: its columns, its heading, and how to write its cells.
 */
struct part_kind {
	enum column_type column;
	unsigned show;    /* of an estimate: its SHOW_… */
	const char *unit; /* "sec.", "count", "%", or ""; NULL: the column's */
	bool is_text;     /* left-aligned; numbers are right-aligned */
	void (*put)(struct text_layout *layout, const struct column *column,
		    const struct cell *cell);
};

struct part {
	const struct part_kind *kind;
	size_t column;
	bool first; /* of its column */
	size_t width;
};

/* Where the branches of a tree continue: by depth, whether a sibling follows. */
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
	size_t read;                 /* the start in cells of the row that was read */
	enum tone tone;              /* of that row */
	struct branches branches;    /* below the row before */
	bool ascii;                  /* the terminal has no more */
	unsigned levels;             /* of a tree's indentation */
};

/*
 * LEVELS: the levels of a tree's indentation, at most TEXT_LEVELS_MAX; deeper rows show
 * their depth.  SPARED: columns that are spare up to this number are left out.  Overwrites
 * OUT, which the caller releases.
 */
void text_layout_init(struct text_layout *out, struct table *table, unsigned levels,
		      unsigned spared);
void text_layout_release(struct text_layout *layout);

/* Makes each part as wide as its widest cell. */
void text_layout_measure(struct text_layout *layout);

/* Makes ROW the current one for the calls below: rows are read in order. */
void text_layout_read(struct text_layout *layout, size_t row);

/* The column of a part. */
static inline const struct column *text_layout_column(const struct text_layout *layout,
						      size_t part)
{
	return &layout->table->columns.data[layout->parts.data[part].column];
}

/* The text above the numbers of a part. */
static inline const char *text_layout_unit(const struct text_layout *layout, size_t part)
{
	const char *unit = layout->parts.data[part].kind->unit;

	return unit ? unit : text_layout_column(layout, part)->unit;
}

static inline const char *text_layout_text(const struct text_layout *layout, size_t part)
{
	return layout->text.data + layout->cells.data[layout->read + part].at;
}

/* Whether the cell belongs to the row that the table is about. */
static inline bool text_layout_marked(const struct text_layout *layout, size_t part)
{
	return layout->cells.data[layout->read + part].marked;
}

#endif
