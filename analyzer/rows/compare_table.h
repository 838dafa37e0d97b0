/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of two groups of runs side by side: what views show unless compare is off.
 *
 * A view provides the rows, as sums with separate sources whose groups match on both
 * sides (counterparts.h), and the cells that describe a row.  This module provides the
 * metric to compare in, the columns of both sides, and whether a row changed
 * (comparison.h).
 */
#ifndef COMPARE_TABLE_H
#define COMPARE_TABLE_H

#include "compare/comparison.h"
#include "session/session.h"
#include "tables/table.h"

struct compare_table {
	struct session *session; /* borrowed */
	struct metric_item item; /* to compare in, and how to show it */
	struct comparison comparison;
	VEC(uint32_t) place; /* by row: its index in comparison.rows; MODEL_NONE: none */
	struct table table;
};

/* The mode called WORD; false: there is none. */
bool compare_mode_find(const char *word, enum compare_mode *out);

/*
 * FLAVORS: the VIEW_FLAVOR bits of the rows.  0, or CMD_FAILED with a sentence in ERR and
 * nothing to release if the experiments are not two groups or one lacks the metric.
 */
int compare_table_init(struct compare_table *t, struct session *s, const char *key,
		       unsigned flavors, struct strbuf *err)
	__attribute__((warn_unused_result));

/* "WHAT compared by metric: Exclusive CPU Cycles".  The caller frees it. */
char *compare_table_title(const struct compare_table *t, const char *what);

/* Compares the groups of SUMS. */
void compare_table_compare(struct compare_table *t, const struct sums *sums);

/* NULL: neither side has any. */
const struct compared *compare_table_find(const struct compare_table *t, size_t row);

/* Adds the columns of both sides; the view adds its own, then calls the second. */
void compare_table_columns(struct compare_table *t);
void compare_table_end_columns(struct compare_table *t);

/* Adds a row's cells in the same way; C NULL: empty ones. */
void compare_table_begin(struct compare_table *t, const struct compared *c);
void compare_table_end(struct compare_table *t, const struct compared *c);

/* Shows and releases the table.  0 or a CMD_… code. */
int compare_table_show(struct compare_table *t, struct strbuf *err)
	__attribute__((warn_unused_result));

/* ---- tables of rows without an order of their own ---- */

struct compare_view {
	const char *key;   /* JSON's name of the table */
	const char *title; /* "Lines" */
	unsigned flavors;
	void (*columns)(struct table *table);
	/* CTX is that of compare_rows_show; ROW may be COMPARED_TOTAL */
	void (*cells)(void *ctx, uint32_t row, struct table *table);
	bool by_line; /* rows are lines, whose numbers may differ in another build */
};

/* <Total> and the rows, the largest change first.  0 or a CMD_… code. */
int compare_rows_show(struct session *s, const struct compare_view *view,
		      const struct sums *sums, void *ctx, struct strbuf *err)
	__attribute__((warn_unused_result));

#endif
