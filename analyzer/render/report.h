/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON document that er_print -json writes; its schema is installed as
 * ringprof-report-1.schema.json.
 */
#ifndef REPORT_H
#define REPORT_H

#include <json-c/json.h>

#include "model/model.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

#define REPORT_SCHEMA "ringprof-report/1"

/* A view: its rows as JSON text, each on a line of its own. */
struct report_view {
	char *key;
	struct strbuf rows;
};

struct report {
	json_object *head; /* all that is no view */
	VEC(struct report_view) views;
};

/* Starts a document with the experiments and the metrics; the caller owns it. */
struct report *report_new(const struct model *model);
void report_free(struct report *report); /* NULL is nothing */

/*
 * Adds a view under the table's key, and what it left out to the document's notes.  A
 * second table of the same key becomes KEY_2, and so on, unless it joins the first.
 */
void report_add(struct report *report, const struct table *table);

/*
 * Passes the whole document to WRITE, piece by piece, until that gives an error.  0 or
 * that error.
 */
typedef int report_write_fn(void *ctx, const char *text, size_t len);
int report_write(const struct report *report, report_write_fn *write, void *ctx)
	__attribute__((warn_unused_result));

#endif
