/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp_log_read: a file with any content, as the struct.  A field that is missing, or has
 * another type, is 0 or "".
 */
#include "experiment/log.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/log_fields.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/xalloc.h"

enum { LOG_SIZE_MAX = 64 << 20 };

/* Rates and factors are neither NaN nor infinity, which JSON text may hold. */
static double rate_of(json_object *value)
{
	double rate = json_object_get_double(value);

	return isfinite(rate) && rate > 0 ? rate : 0;
}

static void take_value(const struct exp_log_field *f, void *base, json_object *value)
{
	void *at = (char *)base + f->offset;

	switch (f->type) {
	case TEXT:
		free(*(char **)at);
		*(char **)at = xstrdup(json_object_is_type(value, json_type_string)
					       ? json_object_get_string(value)
					       : "");
		break;
	case INT:
		*(int *)at = json_object_get_int(value);
		break;
	case UINT:
		*(unsigned *)at = (unsigned)json_object_get_int64(value);
		break;
	case U64:
		*(uint64_t *)at = json_object_get_uint64(value);
		break;
	case I64:
		*(int64_t *)at = json_object_get_int64(value);
		break;
	case REAL:
		*(double *)at = rate_of(value);
		break;
	}
}

/* Sets each field of BASE: to DOC's value, or to 0 or "". */
static void take_fields(json_object *doc, const struct exp_log_fields *fields, void *base)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct exp_log_field *f = &fields->rows[i];
		json_object *group = doc, *value = NULL;

		if (f->group && !json_object_object_get_ex(doc, f->group, &group))
			group = NULL;
		if (group)
			json_object_object_get_ex(group, f->key, &value);
		take_value(f, base, value);
	}
}

/* The array of that name in DOC; its length is 0 if there is none. */
static json_object *array_of(json_object *doc, const char *key, size_t *len)
{
	json_object *array = NULL;

	*len = 0;
	if (doc && json_object_object_get_ex(doc, key, &array) &&
	    json_object_is_type(array, json_type_array))
		*len = json_object_array_length(array);
	return array;
}

static void take_arrays(struct exp_log *log, json_object *doc)
{
	json_object *array, *target = NULL;
	size_t len;

	json_object_object_get_ex(doc, "target", &target);
	array = array_of(target, "command", &len);
	for (size_t i = 0; i < len; i++) {
		const char *arg = json_object_get_string(
			json_object_array_get_idx(array, i));

		*vec_push(&log->command) = xstrdup(arg ? arg : "");
	}
	array = array_of(doc, "events", &len);
	for (size_t i = 0; i < len; i++) {
		struct exp_event *e = vec_push(&log->events);

		*e = (struct exp_event){ 0 };
		take_fields(json_object_array_get_idx(array, i), &exp_event_fields, e);
		if (!(e->scale >= 1))
			e->scale = 1;
	}
	array = array_of(doc, "notes", &len);
	for (size_t i = 0; i < len; i++) {
		struct exp_note *n = vec_push(&log->notes);

		*n = (struct exp_note){ 0 };
		take_fields(json_object_array_get_idx(array, i), &exp_note_fields, n);
	}
}

/* Those that collect would not have written are left out. */
static void take_labels(struct exp_log *log, json_object *doc)
{
	json_object *labels;

	if (!json_object_object_get_ex(doc, "labels", &labels) ||
	    !json_object_is_type(labels, json_type_object))
		return;
	json_object_object_foreach(labels, key, value)
	{
		struct strbuf text = { 0 };
		const char *label;

		if (strchr(key, '=') || !json_object_is_type(value, json_type_string))
			continue;
		strbuf_addstr(&text, key);
		strbuf_addch(&text, '=');
		strbuf_addstr(&text, json_object_get_string(value));
		label = strbuf_str(&text);
		exp_log_set_labels(log, &label, 1);
		strbuf_release(&text);
	}
}

static void take_stack_ends(struct exp_log *log, json_object *doc)
{
	json_object *ends, *value;

	if (!json_object_object_get_ex(doc, "stack_ends", &ends))
		return;
	for (unsigned e = 0; e < EXP_ENDS; e++)
		if (json_object_object_get_ex(ends, exp_stack_end_names[e], &value))
			log->stack_ends[e] = json_object_get_uint64(value);
}

/* 0; -EBADMSG if DOC is no log, -EPROTONOSUPPORT if its version is later. */
static int check_schema(json_object *doc)
{
	json_object *schema;
	const char *text;

	if (!json_object_is_type(doc, json_type_object) ||
	    !json_object_object_get_ex(doc, "schema", &schema))
		return -EBADMSG;
	text = json_object_get_string(schema);
	if (text && !strcmp(text, EXP_LOG_SCHEMA))
		return 0;
	return text && !strncmp(text, "ringprof-experiment/", 20) ? -EPROTONOSUPPORT
								  : -EBADMSG;
}

static int take_log(struct exp_log *log, json_object *doc)
{
	json_object *state;
	const char *text;
	int error = check_schema(doc);

	if (error)
		return error;
	json_object_object_get_ex(doc, "state", &state);
	text = json_object_get_string(state);
	log->complete = text && !strcmp(text, "complete");
	take_fields(doc, &exp_log_fields, log);
	if (!log->complete)
		log->exit_status = -1;
	take_arrays(log, doc);
	take_labels(log, doc);
	take_stack_ends(log, doc);
	return 0;
}

int exp_log_read_at(struct exp_log *log, int dir, const char *path, struct strbuf *err)
{
	struct strbuf text = { 0 };
	json_object *doc = NULL;
	int fd = folder_open_file(dir, EXP_LOG_FILE);
	int error = fd < 0 ? fd : file_read_fd(fd, LOG_SIZE_MAX, &text);

	if (fd >= 0)
		close(fd);
	*log = (struct exp_log){ 0 };
	if (error) {
		strbuf_addf(err, "%s/" EXP_LOG_FILE ": %s", path, folder_error(error));
		goto out;
	}
	doc = json_tokener_parse(strbuf_str(&text));
	error = take_log(log, doc);
	if (error == -EPROTONOSUPPORT)
		strbuf_addf(err,
			    "%s was written by a later version of collect; "
			    "read it with that version's er_print",
			    path);
	else if (error)
		strbuf_addf(err, "%s/" EXP_LOG_FILE " is not the log of an experiment",
			    path);
out:
	json_object_put(doc);
	strbuf_release(&text);
	return error;
}

int exp_log_read(struct exp_log *log, const char *dir, struct strbuf *err)
{
	int fd = folder_open(dir), error;

	*log = (struct exp_log){ 0 };
	if (fd < 0) {
		strbuf_addf(err, "%s: %s", dir, strerror(-fd));
		return fd;
	}
	error = exp_log_read_at(log, fd, dir, err);
	close(fd);
	return error;
}
