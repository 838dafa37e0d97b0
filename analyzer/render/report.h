/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON document that er_print -json writes; its schema is installed as
 * ringprof-report-1.schema.json.
 */
#ifndef REPORT_H
#define REPORT_H

#include "model/model.h"
#include "render/mistakes.h"
#include "render/spool.h"
#include "render/stream.h"
#include "base/strbuf.h"
#include "tables/table.h"
#include "base/vec.h"

#define REPORT_SCHEMA "ringprof-report/1"

/* A view: its rows as JSON text, each on a line of its own. */
struct report_view {
	char *key;
	struct spool rows;
};

/* A view's note of omissions. */
struct report_note {
	char *view, *text;
};

struct report {
	struct strbuf head; /* everything before the notes */
	VEC(struct report_note) notes;
	VEC(struct report_view) views;
	int error; /* of a view that could not be stored: there will be no document */
};

/* Starts a document with the experiments and the metrics; the caller owns it. */
struct report *report_new(const struct model *model);
void report_free(struct report *report); /* NULL is nothing */

/*
 * Adds a view under the table's key, and its note to the document's.  A second table of
 * the same key becomes KEY_2, and so on, unless it joins the first.  0 or a negative
 * errno of the file where long views wait: see spool.h.
 */
int report_add(struct report *report, struct table *table)
	__attribute__((warn_unused_result));

/*
 * Passes the whole document, which has no error, to WRITE, piece by piece, until that
 * fails.  0 or that error.
 */
int report_write(const struct report *report, const struct mistakes *mistakes,
		 stream_write_fn *write, void *ctx) __attribute__((warn_unused_result));

#endif
