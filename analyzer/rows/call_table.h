/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that are callers, a centre and callees, with attributed metrics: what the views
 * callers-callees and csingle show.
 */
#ifndef CALL_TABLE_H
#define CALL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/callers.h"
#include "tables/metric_spec.h"
#include "session/session.h"
#include "tables/table.h"

/* A table in the making.  Rows are numbered, so that a caller or callee names its centre.
 */
struct call_table {
	struct session *session;
	struct callers callers; /* the caller's to build, between init and add */
	struct metric_list items;
	struct sort_key sort;
	struct table table;
	uint64_t rows;
	VEC(struct value) whole, own; /* of the centre that is being added, by metric */
};

void call_table_init(struct call_table *t, struct session *s);
void call_table_release(struct call_table *t);

/*
 * FUNCTIONS: the centre, which is the last of them, and those that lead to it in a
 * fragment of a stack.  Callers above, callees below, as one reads a stack; PARTS: under
 * headings.
 */
void call_table_add(struct call_table *t, const uint32_t *functions, size_t len,
		    bool parts);

#endif
