/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that are callers, a centre and callees, with attributed metrics: for the views
 * callers-callees and csingle.
 */
#ifndef CALL_TABLE_H
#define CALL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/callers.h"
#include "tables/metric_spec.h"
#include "session/session.h"
#include "tables/table.h"

enum call_relation { CALL_CALLER, CALL_FRAGMENT, CALL_SELF, CALL_CALLEE };

/* A row to make. */
struct call_line {
	enum call_relation relation;
	uint32_t item;   /* of a caller or callee: its edge; else the function */
	uint32_t center; /* in centers */
};

struct call_center {
	uint32_t function;
	uint64_t row;
};

/*
 * A table under construction.  Rows have numbers, by which callers and callees refer to
 * their centre.
 */
struct call_table {
	struct session *session;
	struct callers callers; /* built by the caller, between init and add */
	struct metric_list items;
	struct sort_key sort;
	struct table table;
	VEC(struct call_line) lines;
	VEC(struct call_center) centers;
	uint32_t summed;              /* the centre of the sums below, from 1; 0: none */
	VEC(struct value) whole, own; /* by metric */
};

void call_table_init(struct call_table *t, struct session *s);
void call_table_release(struct call_table *t);

/*
 * FUNCTIONS: the centre, which is the last, and those that lead to it in a fragment of a
 * stack.  Callers above, callees below, as in a stack; PARTS: under headings.
 */
void call_table_add(struct call_table *t, const uint32_t *functions, size_t len,
		    bool parts);

#endif
