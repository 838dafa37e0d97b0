/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are functions, as the views functions, fsingle and overview show them. */
#ifndef FUNCTION_TABLE_H
#define FUNCTION_TABLE_H

#include "tables/metric_spec.h"
#include "session/session.h"
#include "tables/table.h"
#include "rows/view.h"

/* In the place of a function: the row of <Total>. */
#define FUNCTION_TOTAL MODEL_NONE

/* The columns that the user's metrics ask for, and how they are filled. */
struct function_table {
	struct session *session;
	const struct sums *sums;
	struct metric_list items;
	struct sort_key sort; /* of functions_ranked */
	struct table table;
	const struct ranks *order; /* of function_table_order */
	bool total;
};

/* SUMS are the analysis's, and borrowed.  WHOLE: all fields besides, for people too. */
void function_table_init(struct function_table *t, struct session *s,
			 const struct sums *sums, bool whole);
void function_table_release(struct function_table *t);

void function_table_add(struct function_table *t, uint32_t function);

/*
 * The rows of the first functions of ORDER, which is borrowed, as many as LIMIT says; 0:
 * all.  TOTAL: below that of <Total>.
 */
void function_table_order(struct function_table *t, const struct ranks *order,
			  size_t limit, bool total);

/* Every function that has samples in SUMS, in the session's order.  OUT is the caller's. */
void functions_ranked(struct session *s, const struct sums *sums, struct ranks *out);

#endif
