/* SPDX-License-Identifier: Apache-2.0 */
#include <json-c/json.h>

#include "events/counters.h"
#include "base/vec.h"

static void text_add(struct json_object *row, const char *key, const char *text)
{
	json_object_object_add(row, key, text ? json_object_new_string(text) : NULL);
}

static void flag_add(struct json_object *row, const char *key, bool flag)
{
	json_object_object_add(row, key, json_object_new_boolean(flag));
}

static struct json_object *row_make(const struct counter *counter)
{
	struct json_object *row = json_object_new_object();

	text_add(row, "name", counter->name);
	text_add(row, "label", counter->label);
	text_add(row, "alias_for", counter->raw);
	text_add(row, "description", counter->desc);
	text_add(row, "pmu", counter->pmu);
	text_add(row, "unit", event_unit_name(counter->unit));
	json_object_object_add(row, "registers",
			       json_object_new_int64(counter->registers));
	json_object_object_add(row, "overflow",
			       json_object_new_int64((int64_t)counter->overflow));
	flag_add(row, "precise", counter->precise);
	flag_add(row, "load", counter->load);
	flag_add(row, "store", counter->store);
	flag_add(row, "program_related", !counter->not_program);
	return row;
}

void counter_list_json(const struct counter_list *list, const struct counter_probe *probe,
		       struct strbuf *out)
{
	struct json_object *root = json_object_new_object();
	struct json_object *rows = json_object_new_array();

	text_add(root, "schema", "ringprof-counters/1");
	flag_add(root, "usable", !probe->reason);
	text_add(root, "reason", probe->reason);
	text_add(root, "instead", probe->instead);
	vec_for_each(const struct counter, counter, list)
		json_object_array_add(rows, row_make(counter));
	json_object_object_add(root, "counters", rows);
	strbuf_addf(
		out, "%s\n",
		json_object_to_json_string_ext(
			root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}
