/* SPDX-License-Identifier: Apache-2.0 */
#include "exp_log.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "xalloc.h"

enum { LOG_SIZE_MAX = 64 << 20 };

/*
 * The scalar fields, as rows: where they stand in the JSON and where in the struct.
 * Writer and reader walk the same tables, so that they cannot disagree.
 */
enum field_type { TEXT, INT, UINT, U64, I64, REAL };

struct field {
	const char *group; /* the object that holds it; NULL: the document itself */
	const char *key;
	enum field_type type;
	size_t offset;
	bool at_end; /* only known when the recording ended */
};

#define LOG(member) offsetof(struct exp_log, member)

static const struct field log_fields[] = {
	{ NULL, "started", TEXT, LOG(started) },
	{ NULL, "started_ns", U64, LOG(started_ns) },
	{ NULL, "duration_ns", U64, LOG(duration_ns), true },
	{ NULL, "comment", TEXT, LOG(comment) },
	{ NULL, "stack", TEXT, LOG(stack) },
	{ NULL, "scope", TEXT, LOG(scope) },
	{ "collector", "version", TEXT, LOG(version) },
	{ "collector", "cpu_ns", U64, LOG(collector_cpu_ns), true },
	{ "collector", "max_rss_kb", U64, LOG(collector_max_rss_kb), true },
	{ "target", "cwd", TEXT, LOG(cwd) },
	{ "target", "pid", I64, LOG(pid) },
	{ "target", "exit_status", INT, LOG(exit_status), true },
	{ "target", "signal", INT, LOG(signal), true },
	{ "target", "rusage_user_ns", U64, LOG(rusage_user_ns), true },
	{ "target", "rusage_system_ns", U64, LOG(rusage_system_ns), true },
	{ "machine", "hostname", TEXT, LOG(hostname) },
	{ "machine", "kernel", TEXT, LOG(kernel) },
	{ "machine", "arch", TEXT, LOG(arch) },
	{ "machine", "cpu", TEXT, LOG(cpu) },
	{ "machine", "cpus", UINT, LOG(cpus) },
	{ "machine", "page_size", UINT, LOG(page_size) },
	{ "machine", "hz", REAL, LOG(hz) },
	{ "totals", "samples", U64, LOG(samples), true },
	{ "totals", "lost", U64, LOG(lost), true },
	{ "totals", "throttled", U64, LOG(throttled), true },
	{ "totals", "unthrottled", U64, LOG(unthrottled), true },
	{ "totals", "processes", U64, LOG(processes), true },
	{ "totals", "threads", U64, LOG(threads), true },
};

#define EVENT(member) offsetof(struct exp_event, member)

static const struct field event_fields[] = {
	{ NULL, "asked", TEXT, EVENT(asked) },
	{ NULL, "got", TEXT, EVENT(got) },
	{ NULL, "reason", TEXT, EVENT(reason) },
	{ NULL, "metric", TEXT, EVENT(metric) },
	{ NULL, "label", TEXT, EVENT(label) },
	{ NULL, "unit", TEXT, EVENT(unit) },
	{ NULL, "leader", TEXT, EVENT(leader) },
	{ NULL, "skid", TEXT, EVENT(skid) },
	{ NULL, "precise", UINT, EVENT(precise) },
	{ NULL, "precise_asked", UINT, EVENT(precise_asked) },
	{ NULL, "period", U64, EVENT(period) },
	{ NULL, "hz", REAL, EVENT(hz), true },
	{ NULL, "scale", REAL, EVENT(scale), true },
	{ NULL, "samples", U64, EVENT(samples), true },
	{ NULL, "count", U64, EVENT(count), true },
	{ NULL, "unsampled", U64, EVENT(unsampled), true },
	{ NULL, "addressed", U64, EVENT(addressed), true },
};

#define NOTE(member) offsetof(struct exp_note, member)

static const struct field note_fields[] = {
	{ NULL, "severity", TEXT, NOTE(severity) },
	{ NULL, "text", TEXT, NOTE(text) },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- to JSON ---- */

static json_object *value_of(const struct field *f, const void *base)
{
	const void *at = (const char *)base + f->offset;

	switch (f->type) {
	case TEXT: {
		const char *text = *(char *const *)at;

		return json_object_new_string(text ? text : "");
	}
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

/* The object of a group within DOC, made where it is not there. */
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

static void put_fields(json_object *doc, const struct field *fields, size_t count,
		       const void *base, bool complete)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];

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

		put_fields(o, event_fields, COUNT(event_fields), e, log->complete);
		json_object_array_add(array, o);
	}
	return array;
}

static json_object *put_notes(const struct exp_log *log)
{
	json_object *array = json_object_new_array();

	vec_for_each(const struct exp_note, n, &log->notes) {
		json_object *o = json_object_new_object();

		put_fields(o, note_fields, COUNT(note_fields), n, true);
		json_object_array_add(array, o);
	}
	return array;
}

static json_object *put_command(const struct exp_log *log)
{
	json_object *array = json_object_new_array();

	vec_for_each(char *const, arg, &log->command)
		json_object_array_add(array, json_object_new_string(*arg));
	return array;
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
	put_fields(doc, log_fields, COUNT(log_fields), log, log->complete);
	json_object_object_add(group_of(doc, "target"), "command", put_command(log));
	json_object_object_add(doc, "events", put_events(log));
	if (log->complete)
		json_object_object_add(doc, "stack_ends", put_stack_ends(log));
	json_object_object_add(doc, "notes", put_notes(log));
	return doc;
}

static int write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");
	int error = 0;

	if (!f)
		return -errno;
	if (fputs(text, f) == EOF || fputc('\n', f) == EOF)
		error = -errno;
	if (fclose(f) == EOF && !error)
		error = -errno;
	return error;
}

int exp_log_write(const struct exp_log *log, const char *dir)
{
	const int flags = JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			  JSON_C_TO_STRING_NOSLASHESCAPE;
	char *path = xasprintf("%s/%s", dir, EXP_LOG_FILE);
	char *fresh = xasprintf("%s/%s.new", dir, EXP_LOG_FILE);
	json_object *doc = to_json(log);
	int error = write_file(fresh, json_object_to_json_string_ext(doc, flags));

	if (!error && rename(fresh, path) < 0)
		error = -errno;
	if (error)
		unlink(fresh);
	json_object_put(doc);
	free(fresh);
	free(path);
	return error;
}

/* ---- from JSON ---- */

/* Rates and factors: neither NaN nor infinity, which JSON text may hold, is one. */
static double rate_of(json_object *value)
{
	double rate = json_object_get_double(value);

	return isfinite(rate) && rate > 0 ? rate : 0;
}

static void take_value(const struct field *f, void *base, json_object *value)
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

/* Each field of BASE is set: to what DOC says, or to 0 or "". */
static void take_fields(json_object *doc, const struct field *fields, size_t count,
			void *base)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];
		json_object *group = doc, *value = NULL;

		if (f->group && !json_object_object_get_ex(doc, f->group, &group))
			group = NULL;
		if (group)
			json_object_object_get_ex(group, f->key, &value);
		take_value(f, base, value);
	}
}

/* The array of that name in DOC; its length is 0 where there is none. */
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
		take_fields(json_object_array_get_idx(array, i), event_fields,
			    COUNT(event_fields), e);
		if (!(e->scale >= 1))
			e->scale = 1;
	}
	array = array_of(doc, "notes", &len);
	for (size_t i = 0; i < len; i++) {
		struct exp_note *n = vec_push(&log->notes);

		*n = (struct exp_note){ 0 };
		take_fields(json_object_array_get_idx(array, i), note_fields,
			    COUNT(note_fields), n);
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

/* 0, -EBADMSG where DOC is no log, -EPROTONOSUPPORT where it is a later one. */
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
	take_fields(doc, log_fields, COUNT(log_fields), log);
	take_arrays(log, doc);
	take_stack_ends(log, doc);
	return 0;
}

int exp_log_read(struct exp_log *log, const char *dir, struct strbuf *err)
{
	char *path = xasprintf("%s/%s", dir, EXP_LOG_FILE);
	struct strbuf text = { 0 };
	json_object *doc = NULL;
	int error = file_read(path, LOG_SIZE_MAX, &text);

	*log = (struct exp_log){ 0 };
	if (error) {
		strbuf_addf(err, "%s: %s", path, strerror(-error));
		goto out;
	}
	doc = json_tokener_parse(strbuf_str(&text));
	error = take_log(log, doc);
	if (error == -EPROTONOSUPPORT)
		strbuf_addf(err,
			    "%s was written by a later version of collect; "
			    "read it with that version's er_print",
			    dir);
	else if (error)
		strbuf_addf(err, "%s is not the log of an experiment", path);
out:
	json_object_put(doc);
	strbuf_release(&text);
	free(path);
	return error;
}

/* ---- the struct ---- */

static void free_texts(const struct field *fields, size_t count, void *base)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].type == TEXT)
			free(*(char **)((char *)base + fields[i].offset));
}

void exp_log_release(struct exp_log *log)
{
	free_texts(log_fields, COUNT(log_fields), log);
	vec_for_each(char *, arg, &log->command)
		free(*arg);
	vec_for_each(struct exp_event, e, &log->events)
		free_texts(event_fields, COUNT(event_fields), e);
	vec_for_each(struct exp_note, n, &log->notes)
		free_texts(note_fields, COUNT(note_fields), n);
	vec_release(&log->command);
	vec_release(&log->events);
	vec_release(&log->notes);
	*log = (struct exp_log){ 0 };
}

int64_t exp_log_started(const struct exp_log *log)
{
	struct tm tm = { 0 };

	return log->started && strptime(log->started, "%Y-%m-%dT%H:%M:%S", &tm)
		       ? timegm(&tm)
		       : 0;
}

void exp_log_note(struct exp_log *log, const char *severity, const char *text)
{
	*vec_push(&log->notes) = (struct exp_note){
		.severity = xstrdup(severity),
		.text = xstrdup(text),
	};
}
