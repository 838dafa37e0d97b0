/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views of places: threads, processes, CPUs or seconds, with exclusive metrics.  A
 * source's sums are by thread, CPU or second; ROW is one of these, and belongs to a
 * place, which has a line in the table.
 */
#ifndef VIEWS_PLACE_H
#define VIEWS_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "rows/compare_table.h"
#include "rows/view.h"

struct place {
	uint32_t source, row;
};

struct place_kind {
	const char *key, *title;
	void *ctx;     /* the view's own; borrowed */
	bool in_order; /* sorted by number, whatever sorts other tables */
	const struct value *(*sums)(const struct totals *totals, size_t *rows);
	/* the place of ROW, as the row that represents it; row MODEL_NONE: not shown */
	struct place (*place_of)(const struct place_kind *kind, const struct model *model,
				 struct place row);
	void (*add_columns)(struct table *table);
	void (*add_cells)(const struct place_kind *kind, const struct model *model,
			  struct place place, struct table *table);
	/*
	 * equal for places that correspond on two sides; NULL: a place matches only
	 * itself
	 */
	void (*put_identity)(const struct model *model, struct place place,
			     struct strbuf *out);
	const struct compare_view *compared;
};

/* The number of places of a row on each side, in all runs. */
struct place_count {
	size_t of[SIDES];
};

/* Rows of a comparison. */
struct place_rows {
	const struct session *session;
	const struct place_kind *kind;
	VEC(struct place) first;        /* by row: the first of its places */
	VEC(struct place_count) counts; /* by row */
	struct place_count all, runs;
};

/* The command: a table of them, or of both sides if runs are compared. */
int place_view_run(struct session *s, const struct place_kind *kind, struct strbuf *err)
	__attribute__((warn_unused_result));

/* ---- for several kinds ---- */

/* The sums of threads, which make up processes. */
const struct value *place_thread_sums(const struct totals *totals, size_t *rows);

/* A place of all experiments. */
struct place place_of_all(const struct place_kind *kind, const struct model *model,
			  struct place row);

/* NAME, or a common name for all targets of runs, whatever their names. */
void place_put_task(const struct model *model, const char *name, struct strbuf *out);

/* The experiment of a compared row's first place. */
const struct experiment *place_experiment(const struct place_rows *rows, uint32_t row);

/*
 * The average number of places of a row per run on each side: more of a name may be the
 * whole change.
 */
void place_count_columns(struct table *table);
void place_add_counts(const struct place_rows *rows, uint32_t row, struct table *table);

/* The cells of a compared row whose place is a number, and those of <Total>. */
void place_add_number(struct table *table, uint32_t row, const char *unknown,
		      uint64_t number);

#endif
