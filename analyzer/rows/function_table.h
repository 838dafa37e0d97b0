/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that are functions, for the views functions, fsingle and overview. */
#ifndef FUNCTION_TABLE_H
#define FUNCTION_TABLE_H

#include "model/region_functions.h"
#include "tables/metric_spec.h"
#include "session/session.h"
#include "tables/table.h"
#include "rows/view.h"

/* Instead of a function: the row of <Total>. */
#define FUNCTION_TOTAL MODEL_NONE

/* The columns of the user's metrics, and how to fill them. */
struct function_table {
	struct session *session;
	const struct sums *sums;
	const struct region_functions *regions; /* what their groups are; or NULL */
	struct metric_list items;
	struct sort_key sort; /* of functions_ranked */
	struct table table;
	const struct ranks *order; /* of function_table_order */
	bool total;
};

/*
 * SUMS are by function, or by row of REGIONS, unless that is NULL; both are borrowed.
 * WHOLE: also display all other fields.
 */
void function_table_init(struct function_table *t, struct session *s,
			 const struct sums *sums, const struct region_functions *regions,
			 bool whole);
void function_table_release(struct function_table *t);

/* GROUP is one of the sums', or FUNCTION_TOTAL. */
void function_table_add(struct function_table *t, uint32_t group);

/*
 * The rows of the first LIMIT functions of ORDER, which is borrowed; 0: all.  TOTAL:
 * below that of <Total>.
 */
void function_table_order(struct function_table *t, const struct ranks *order,
			  size_t limit, bool total);

/* Every group with samples in SUMS, in the session's order.  The caller owns OUT. */
void functions_ranked(struct session *s, const struct sums *sums,
		      const struct region_functions *regions, struct ranks *out);

#endif
