/* SPDX-License-Identifier: Apache-2.0 */
/* exp_log_write_at: writes the struct as JSON to a file. */
#include "experiment/log.h"

#include <json-c/json.h>
#include <unistd.h>

#include "experiment/log_fields.h"
#include "base/folder.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* Arguments and names of machines may be any bytes; JSON is UTF-8. */
static json_object *text_of(const char *text)
{
	struct strbuf clean = { 0 };
	json_object *value;

	utf8_clean(&clean, text ? text : "");
	value = json_object_new_string(strbuf_str(&clean));
	strbuf_release(&clean);
	return value;
}

static json_object *value_of(const struct exp_log_field *f, const void *base)
{
	const void *at = (const char *)base + f->offset;

	switch (f->type) {
	case TEXT:
		return text_of(*(char *const *)at);
	case INT:
		return json_object_new_int(*(const int *)at);
	case UINT:
		return json_object_new_uint64(*(const unsigned *)at);
	case U64:
		return json_object_new_uint64(*(const uint64_t *)at);
	case I64:
		return json_object_new_int64(*(const int64_t *)at);
	case REAL:
		return json_object_new_double(*(const double *)at);
	}
	return NULL;
}

/* The object of a group within DOC, created if it is missing. */
static json_object *group_of(json_object *doc, const char *group)
{
	json_object *sub;

	if (!group)
		return doc;
	if (!json_object_object_get_ex(doc, group, &sub)) {
		sub = json_object_new_object();
		json_object_object_add(doc, group, sub);
	}
	return sub;
}

static void put_fields(json_object *doc, const struct exp_log_fields *fields,
		       const void *base, bool complete)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct exp_log_field *f = &fields->rows[i];

		if (complete || !f->at_end)
			json_object_object_add(group_of(doc, f->group), f->key,
					       value_of(f, base));
	}
}

static json_object *put_events(const struct exp_log *log)
{
	json_object *array = json_object_new_array();

	vec_for_each(const struct exp_event, e, &log->events) {
		json_object *o = json_object_new_object();

		put_fields(o, &exp_event_fields, e, log->complete);
		json_object_array_add(array, o);
	}
	return array;
}

static json_object *put_notes(const struct exp_log *log)
{
	json_object *array = json_object_new_array();

	vec_for_each(const struct exp_note, n, &log->notes) {
		json_object *o = json_object_new_object();

		put_fields(o, &exp_note_fields, n, true);
		json_object_array_add(array, o);
	}
	return array;
}

static json_object *put_command(const struct exp_log *log)
{
	json_object *array = json_object_new_array();

	vec_for_each(char *const, arg, &log->command)
		json_object_array_add(array, text_of(*arg));
	return array;
}

static json_object *put_labels(const struct exp_log *log)
{
	json_object *o = json_object_new_object();

	vec_for_each(const struct exp_label, label, &log->labels)
		json_object_object_add(o, label->key, text_of(label->value));
	return o;
}

static json_object *put_stack_ends(const struct exp_log *log)
{
	json_object *o = json_object_new_object();

	for (unsigned e = 0; e < EXP_ENDS; e++)
		json_object_object_add(o, exp_stack_end_names[e],
				       json_object_new_uint64(log->stack_ends[e]));
	return o;
}

static json_object *to_json(const struct exp_log *log)
{
	json_object *doc = json_object_new_object();

	json_object_object_add(doc, "schema", json_object_new_string(EXP_LOG_SCHEMA));
	json_object_object_add(
		doc, "state",
		json_object_new_string(log->complete ? "complete" : "running"));
	put_fields(doc, &exp_log_fields, log, log->complete);
	json_object_object_add(group_of(doc, "target"), "command", put_command(log));
	json_object_object_add(doc, "labels", put_labels(log));
	json_object_object_add(doc, "events", put_events(log));
	if (log->complete)
		json_object_object_add(doc, "stack_ends", put_stack_ends(log));
	json_object_object_add(doc, "notes", put_notes(log));
	return doc;
}

void exp_log_text(const struct exp_log *log, struct strbuf *out)
{
	const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			  JSON_C_TO_STRING_NOSLASHESCAPE;
	json_object *doc = to_json(log);

	strbuf_addstr(out, json_object_to_json_string_ext(doc, flags));
	strbuf_addch(out, '\n');
	json_object_put(doc);
}

int exp_log_write_at(const struct exp_log *log, int dir)
{
	struct strbuf text = { 0 };
	int error;

	exp_log_text(log, &text);
	error = folder_replace_file(dir, EXP_LOG_FILE, text.data, text.len);
	strbuf_release(&text);
	return error;
}

int exp_log_write(const struct exp_log *log, const char *dir)
{
	int fd = folder_open(dir), error;

	if (fd < 0)
		return fd;
	error = exp_log_write_at(log, fd);
	close(fd);
	return error;
}
