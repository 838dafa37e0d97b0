/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of `export tables`: what becomes of the cells of a row, in the order of
 * schema.sql.  share/sql/TABLES.md describes the columns.
 */
#ifndef ROW_LAYOUT_H
#define ROW_LAYOUT_H

#include <stdbool.h>

#include "export/row_sink.h"

enum row_type {
	TYPE_SKIP, /* not in these tables */
	TYPE_INTEGER,
	TYPE_REAL,
	TYPE_FLAG,
	TYPE_TEXT,
	TYPE_KIND,     /* of objects, by name */
	TYPE_RELATION, /* of calls, by name */
	/* nanoseconds since 1970; the cell has those since the start of the recording, … */
	TYPE_UTC,
	TYPE_UTC_OR_0, /* … or 0: unknown */
	TYPE_SECONDS,  /* the cell has seconds since 1970 */
	ROW_TYPES
};

struct row_column {
	const char *name;
	enum row_type type;
	bool null; /* may be NULL */
};

enum { ROW_COLUMNS = 26 }; /* at most */

struct row_layout {
	const char *name;
	bool shared; /* by experiments; else the first column is experiment_id */
	const char *key;
	int keys; /* cells of a shared one that identify a row, from the first on */
	struct row_column columns[ROW_COLUMNS + 1]; /* until one without a name */
};

extern const struct row_layout row_layouts[ROW_TABLES];

#endif
