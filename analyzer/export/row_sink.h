/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of tables (share/sql/SCHEMA.md) on their way out.  One walk through an experiment
 * makes them (rows.h), and a sink takes them: a database, or files of text.
 *
 * The first error sticks: a sink takes nothing after it.
 */
#ifndef ROW_SINK_H
#define ROW_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Text is NUL-terminated, of any bytes. */
struct row_cell {
	enum { CELL_NULL, CELL_NUMBER, CELL_REAL, CELL_TEXT } type;
	int64_t number;
	double real;
	const char *text; /* borrowed */
};

/* Numbers of a crafted recording may exceed 63 bits: these become the largest one. */
static inline struct row_cell row_number(uint64_t number)
{
	return (struct row_cell){
		.type = CELL_NUMBER,
		.number = number > INT64_MAX ? INT64_MAX : (int64_t)number,
	};
}

static inline struct row_cell row_signed(int64_t number)
{
	return (struct row_cell){ .type = CELL_NUMBER, .number = number };
}

static inline struct row_cell row_real(double real)
{
	return (struct row_cell){ .type = CELL_REAL, .real = real };
}

static inline struct row_cell row_text(const char *text)
{
	return (struct row_cell){ .type = CELL_TEXT, .text = text };
}

static inline struct row_cell row_null(void)
{
	return (struct row_cell){ .type = CELL_NULL };
}

static inline struct row_cell row_number_if(bool known, uint64_t number)
{
	return known ? row_number(number) : row_null();
}

static inline struct row_cell row_text_if(const char *text)
{
	return *text ? row_text(text) : row_null();
}

#define ROW_CELLS(...)                                                                   \
	(const struct row_cell[]){ __VA_ARGS__ },                                        \
		(int)(sizeof((const struct row_cell[]){ __VA_ARGS__ }) /                 \
		      sizeof(struct row_cell))

/* The tables, in schema.sql's order, whose columns the cells of a row follow. */
enum row_table {
	ROWS_EXPERIMENTS,
	ROWS_LABELS,
	ROWS_METRICS,
	ROWS_EVENTS,
	ROWS_PROCESSES,
	ROWS_THREADS,
	ROWS_BRANCHES,
	ROWS_REGIONS,
	ROWS_MARKS,
	ROWS_OBJECTS,
	ROWS_FUNCTIONS,
	ROWS_FILES,
	ROWS_LINES,
	ROWS_MODULES,
	ROWS_FRAMES,
	ROWS_FRAME_LINES,
	ROWS_NODES,
	ROWS_CONTEXTS,
	ROWS_SAMPLES,
	ROWS_SAMPLE_DATA,
	ROWS_LOSSES,
	ROWS_FUNCTION_TOTALS,
	ROWS_OBJECT_TOTALS,
	ROWS_LINE_TOTALS,
	ROWS_CALL_TOTALS,
	ROWS_NODE_TOTALS,
	ROWS_THREAD_TOTALS,
	ROWS_SECOND_TOTALS,
	ROWS_BRANCH_TOTALS,
	ROW_TABLES
};

/* An experiment, before its rows. */
struct row_run {
	const char *identity;
	int64_t started_s; /* since 1970; 0: unknown */
};

/* Rows of a call of row_put_rows that cost least. */
enum { ROWS_AT_ONCE = 32 };

struct row_sink {
	const struct row_sink_ops *ops;
	/*
	 * Ids are hashes (base/fnv.h), where there is one, and the other ids of each
	 * experiment begin with 1.  Else SINK counts on, in each table.
	 */
	bool hashed;
	size_t left_out; /* experiments that were still being recorded */
};

struct row_sink_ops {
	/* Begins an experiment.  False: SINK has it already, or failed. */
	bool (*begin)(struct row_sink *sink, const struct row_run *run);
	/* Ends it: keeps all of it or, after an error, nothing. */
	void (*end)(struct row_sink *sink);
	bool (*failed)(const struct row_sink *sink);
	/* Adds why: "out.db: is locked by another program; try again". */
	void (*explain)(const struct row_sink *sink, struct strbuf *out);
	/* The id that the next row of TABLE gets. */
	int64_t (*next)(struct row_sink *sink, enum row_table table);
	/*
	 * Adds ROWS rows, one after another in CELLS; a first cell that is NULL stands for
	 * an id.  The id of the last, or 0 after an error.
	 */
	int64_t (*put)(struct row_sink *sink, enum row_table table,
		       const struct row_cell *cells, int columns, int rows);
	/*
	 * The id of a row of a table that experiments share, which is added if it is not
	 * there.  HASH is that of the row.
	 */
	int64_t (*share)(struct row_sink *sink, enum row_table table, uint64_t hash,
			 const struct row_cell *cells, int columns);
};

static inline bool row_failed(const struct row_sink *sink)
{
	return sink->ops->failed(sink);
}

static inline int64_t row_next(struct row_sink *sink, enum row_table table)
{
	return sink->ops->next(sink, table);
}

static inline int64_t row_put(struct row_sink *sink, enum row_table table,
			      const struct row_cell *cells, int columns)
{
	return sink->ops->put(sink, table, cells, columns, 1);
}

static inline void row_put_rows(struct row_sink *sink, enum row_table table,
				const struct row_cell *cells, int columns, int rows)
{
	sink->ops->put(sink, table, cells, columns, rows);
}

static inline int64_t row_share(struct row_sink *sink, enum row_table table,
				uint64_t hash, const struct row_cell *cells, int columns)
{
	return sink->ops->share(sink, table, hash, cells, columns);
}

/* The id of a row: its HASH, or its number, which SINK counted. */
static inline int64_t row_id(const struct row_sink *sink, int64_t number, uint64_t hash)
{
	return sink->hashed ? (int64_t)hash : number;
}

#define row_add(sink, table, ...) row_put(sink, table, ROW_CELLS(__VA_ARGS__))

#endif
