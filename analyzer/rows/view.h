/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the views: columns of metrics and ratios, and the order of rows. */
#ifndef VIEW_H
#define VIEW_H

#include "tables/metric_spec.h"
#include "session/session.h"
#include "tables/table.h"

/*
 * The columns of a table whose rows have FLAVORS (a bit each): those that the user set,
 * in their order, then the rest hidden, so machines always see all.  If nothing is
 * displayed in the flavors of the table (with attributed metrics: in that one), each
 * metric that is displayed in another appears in these instead.  OUT is overwritten, and
 * the caller releases it.
 */
void view_items(const struct session *s, unsigned flavors, struct metric_list *out);

#define VIEW_FLAVOR(flavor) (1U << (flavor))

/*
 * The session's order, adapted to a table with ITEMS: in a flavor that it has, and by one
 * of FIELDS (a bit each) if not by a value; else by the first displayed item, as at the
 * start.
 */
struct sort_key view_order(const struct session *s, const struct metric_list *items,
			   unsigned fields);

#define VIEW_FIELD(field) (1U << (field))

/* "WHAT sorted by metric: Inclusive CPU Cycles".  The caller frees it. */
char *view_title(const struct session *s, const char *what, const struct sort_key *sort);

/* Adds the column of an item that is a value; none for others. */
void view_column(const struct session *s, const struct metric_item *item,
		 struct table *table);

/* column.counted of an item on one SIDE of a comparison. */
double view_side_counted(const struct session *s, const struct metric_item *item,
			 uint32_t side);

/* A cell of COLUMN_TEXT: function_id; empty for <Total>, MODEL_NONE. */
void view_function_id(const struct session *s, uint32_t function, struct table *table);

/* The columns of all items. */
void view_columns(const struct session *s, const struct metric_list *items,
		  struct table *table);

/*
 * The values of a row: how a view finds the sums of ROW.  WHOLE is 100 % of shares; NULL:
 * the metric's total.
 */
struct view_row {
	struct value (*value)(const void *row, enum flavor flavor, uint32_t metric);
	struct value (*whole)(const void *row, uint32_t metric);
	const void *row;
	bool total; /* the row of <Total> */
	bool none;  /* nothing is measured in this row */
};

/* Adds the cell of an item that is a value; none for others. */
void view_cell(const struct session *s, const struct metric_item *item,
	       const struct view_row *row, struct table *table);

/* The cells of all items. */
void view_cells(const struct session *s, const struct metric_list *items,
		const struct view_row *row, struct table *table);

/*
 * A row's sort key: weight, then samples (both from high to low), then name and id (both
 * from low to high), so no two rows are equal.  NAME is borrowed.  Rows without a value
 * are last, whatever the direction.
 */
struct rank {
	uint64_t weight, samples;
	const char *name;
	uint32_t id;
	bool absent;
};

/* Sets RANK's weight, samples and absence by ROW's value of ITEM, if that is a value. */
void view_rank(const struct session *s, const struct metric_item *item,
	       const struct view_row *row, struct rank *rank);

struct ranks {
	struct rank *data;
	size_t len, cap;
};

/* REVERSE: from low to high instead. */
void ranks_sort(struct ranks *ranks, bool reverse);

#endif
