/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A view's answer: typed columns and rows, independent of their look.  Views fill tables;
 * renderers (render.h) turn them into text, CSV or JSON.
 *
 * A short table has all of its rows.  One that may be long has a source instead, which
 * makes each row when it is read: so memory does not grow with the answer.
 *
 * The table owns the texts of cells: the calls that add them copy.  Keys and titles are
 * borrowed, and must live until the table was rendered.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/foreign.h"
#include "model/metric.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum column_type {
	COLUMN_TEXT,
	COLUMN_TREE, /* text, indented by the cell's depth */
	COLUMN_NUMBER,
	COLUMN_HEX,
	COLUMN_REAL,
	COLUMN_ESTIMATE,
	COLUMN_RATIO, /* an estimate without a share; undefined: nothing to divide by */
};

/* The displayed parts of an estimate; JSON has all. */
enum { SHOW_TIME = 1, SHOW_COUNT = 2, SHOW_PERCENT = 4, SHOW_INTERVAL = 8 };

struct column {
	struct foreign key;   /* for machines: "name"; of an estimate its metric's id */
	struct foreign title; /* for people: "Name"; of an estimate its metric's label */
	enum column_type type;
	bool machine_only; /* not in text: ids */
	bool code;         /* read from the left: shortened at its end */
	/* stays whole with the number behind it, if texts are shortened; NULL: nothing */
	const char *kept;
	bool names; /* of functions, which have parts (name_fit.h) */
	/* of an estimate or a real */
	double seconds; /* of an amount of 1; 0: no time */
	/* of an estimate or a ratio */
	enum flavor flavor;
	unsigned show; /* SHOW_…; 0: only for machines */
	/* left out in text where names lack room: 1 first, then 2; 0: never */
	unsigned spare;
	const char *group; /* its side: "base"; NULL: there is only one */
	/* share of the time, if numbers are scaled to all; else 0; a real may be made of such */
	double counted;
	/* of a ratio */
	const char *unit; /* "GHz", "%" or "" */
	/* of a ratio or a real */
	int digits;
	/* of a real */
	bool sign; /* also shown above 0 */
};

/* Whether it is a metric or a ratio, in a flavor. */
static inline bool column_is_measured(const struct column *column)
{
	return column->type == COLUMN_ESTIMATE || column->type == COLUMN_RATIO;
}

static inline bool column_shows_time(const struct column *column)
{
	return column->seconds > 0 && column->show & SHOW_TIME;
}

/* The factor from E's bounds to COLUMN's first value: time, a count, else percent. */
static inline double column_bound_unit(const struct column *column,
				       const struct estimate *e)
{
	if (column_shows_time(column))
		return column->seconds;
	if (column->type == COLUMN_RATIO || column->show & SHOW_COUNT)
		return 1;
	return e->whole > 0 ? 100 / e->whole : 0;
}

/* The tone of a row, displayed as a colour. */
enum tone { TONE_PLAIN, TONE_WORSE, TONE_BETTER, TONE_HOT, TONES };

/* Where a row of a tree is, and what it stands for. */
struct tree_place {
	uint32_t depth;
	bool last;       /* of its siblings */
	uint32_t frames; /* calls that are one row; more than 1: displayed */
	uint32_t cycle;  /* rows, this one the last, that form a cycle; or 0 */
};

struct cell {
	bool absent;    /* JSON's null, empty elsewhere */
	bool undefined; /* absent, displayed as a dash */
	union {
		struct {
			size_t at;      /* in the table's text */
			bool marked;    /* the row that the table is about */
			enum tone tone; /* of the row */
		} text;
		struct {
			size_t at;
			struct tree_place place;
		} tree;
		uint64_t number;
		double real;
		struct estimate estimate;
	};
};

enum table_layout {
	LAYOUT_COLUMNS, /* headings, rows below */
	LAYOUT_RECORDS, /* a row is a paragraph, "Title: cell" */
	LAYOUT_FIELDS,  /* two columns, "Label: text" */
};

/* Between rows: displayed as a blank line, and a heading if there is one. */
struct table_break {
	size_t row;
	struct foreign heading; /* borrowed; may be none */
	struct foreign detail;  /* an indented line below it; may be none */
};

struct table;

/* Makes rows.  Any row may be requested, and some twice. */
struct table_source {
	/* adds the cells of ROW to TABLE; NULL: there is no source */
	void (*add)(void *ctx, size_t row, struct table *table);
	void *ctx; /* borrowed; valid until the table was rendered */
	size_t rows;
};

struct table {
	const char *key; /* JSON's name of the array; NULL: not in JSON */
	bool joins;      /* JSON: adds to the existing rows of the key */
	enum table_layout layout;
	char *own_title; /* a line above; NULL: none; see table_title */
	VEC(struct column) columns;
	struct table_source source;
	VEC(struct cell) cells; /* row by row; with a source: of the row read last */
	size_t read;            /* its number, from 1; 0: none */
	VEC(struct table_break) breaks;
	struct strbuf text; /* NUL-terminated, one after another */
	struct strbuf note; /* of omissions: a line below; empty: none */
};

void table_release(struct table *table);

/* Removes its rows; the columns stay. */
void table_clear(struct table *table);

static inline size_t table_rows(const struct table *table)
{
	if (table->source.add)
		return table->source.rows;
	return table->columns.len ? table->cells.len / table->columns.len : 0;
}

/* " ×50, cycle of 2" behind the text of a row that stands for several calls. */
void tree_place_put_repeat(const struct tree_place *place, const char *times,
			   struct strbuf *out);

/* Reads a row; its cells and their texts are valid until the next one is read. */
const struct cell *table_row(struct table *table, size_t row);

static inline struct foreign table_string(const struct table *table, size_t at)
{
	return foreign(table->text.data + at);
}

/* No note if it is empty. */
static inline struct foreign table_note(const struct table *table)
{
	return foreign(table->note.len ? table->note.data : NULL);
}

static inline struct foreign table_title(const struct table *table)
{
	return foreign(table->own_title);
}

/* The table takes TITLE. */
void table_set_title(struct table *table, char *title);

void table_column(struct table *table, const char *key, const char *title,
		  enum column_type type);

/* A column that text does not show. */
void table_machine_column(struct table *table, const char *key, enum column_type type);

/* The column of functions' names: COLUMN_TEXT or COLUMN_TREE. */
void table_name_column(struct table *table, enum column_type type);

/* A column of texts that are lines of a program. */
void table_code_column(struct table *table, const char *key, const char *title);

/* A column of estimates or ratios; KEY and TITLE are the metric's id and label. */
void table_estimate_column(struct table *table, const struct column *column);

/* The cells of a row are added from left to right. */
void table_add_text(struct table *table, const char *text);
void table_add_marked(struct table *table, const char *text);
void table_add_toned(struct table *table, const char *text, enum tone tone);
void table_add_tree(struct table *table, const char *text, struct tree_place place);
void table_add_number(struct table *table, uint64_t number);
void table_add_real(struct table *table, double real);
void table_add_estimate(struct table *table, struct estimate estimate);
void table_add_absent(struct table *table);
void table_add_undefined(struct table *table);

/* Adds a break before the next row (with a source: after its rows so far), with HEADING unless it is NULL. */
void table_break(struct table *table, const char *heading);

/* The same, with a line below the heading. */
void table_break_detail(struct table *table, const char *heading, const char *detail);

#endif
