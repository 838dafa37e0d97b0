/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON document that er_print -json writes; its schema is installed as
 * ringprof-report-1.schema.json.
 */
#ifndef REPORT_H
#define REPORT_H

#include <json-c/json.h>

#include "model.h"
#include "table.h"

#define REPORT_SCHEMA "ringprof-report/1"

/* A document with the experiments and the metrics; the caller owns it. */
json_object *report_start(const struct model *model);

/*
 * Adds a view under the table's key, and what it left out to the document's notes.  A
 * second table of the same key becomes KEY_2, and so on, unless it joins the first.
 */
void report_add(json_object *document, const struct table *table);

#endif
