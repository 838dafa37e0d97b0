/* SPDX-License-Identifier: Apache-2.0 */
#include "events/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

#define DEVICES "/sys/bus/event_source/devices"

/* The kernel returns at most a page. */
#define ATTRIBUTE_MAX 4096

#define TRACEPOINT_MAX (64 << 10)

const char *const sysfs_tracing_dirs[SYSFS_TRACING_DIRS] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing"
};

/* The file's first line, malloc'ed; a negative errno otherwise. */
static int attribute_read(const char *path, char **text)
{
	struct strbuf content = { 0 };
	int error = file_read(path, ATTRIBUTE_MAX, &content);

	if (!error)
		*text = xstrndup(strbuf_str(&content),
				 strcspn(strbuf_str(&content), "\n"));
	strbuf_release(&content);
	return error;
}

static int device_read(const struct events *events, const char *device, const char *file,
		       char **text)
{
	char *path = xasprintf("%s" DEVICES "/%s/%s", events->root, device, file);
	int error = attribute_read(path, text);

	free(path);
	return error;
}

static int number_read(const char *text, uint64_t *value)
{
	char *end = NULL;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return *end || errno ? -EINVAL : 0;
}

static int device_type(const struct events *events, const char *device, uint32_t *type)
{
	char *text = NULL;
	uint64_t value = 0;
	int error = device_read(events, device, "type", &text);

	if (!error && (number_read(text, &value) || value > UINT32_MAX))
		error = -EINVAL;
	free(text);
	*type = (uint32_t)value;
	return error;
}

static bool device_has(const struct events *events, const char *device, const char *file)
{
	char *text = NULL;
	int error = device_read(events, device, file, &text);

	free(text);
	return !error;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void sysfs_find_cores(struct events *events)
{
	char *path = xasprintf("%s" DEVICES, events->root);
	struct dirent **found = NULL;
	int count = scandir(path, &found, not_hidden, alphasort);

	free(path);
	for (int i = 0; i < count; i++) {
		struct core_pmu core = { .name = found[i]->d_name };

		/* a core PMU lists its cpus; a socket's has a cpumask */
		if (device_has(events, core.name, "cpus") &&
		    !device_type(events, core.name, &core.type)) {
			core.name = xstrdup(core.name);
			*vec_push(&events->cores) = core;
		}
		free(found[i]);
	}
	free(found);
	events->core_type = PERF_TYPE_RAW;
	if (events->cores.len == 1) { /* all alike: nothing to distinguish */
		events->core_type = events->cores.data[0].type;
		free(events->cores.data[0].name);
		vec_clear(&events->cores);
	}
}

/* Puts a term in its place: "config1:0-7,32-35" is word 1, those bits, low bits first. */
static int format_apply(const char *format, uint64_t value, struct event *event)
{
	uint64_t *const words[] = { &event->config, &event->config1, &event->config2 };
	size_t word = 0;
	const char *at = format;

	if (strncmp(at, "config", 6) != 0)
		return -EINVAL;
	at += 6;
	if (*at == '1' || *at == '2')
		word = (size_t)(*at++ - '0');
	if (*at != ':')
		return -EINVAL;
	while (*at) {
		char *end = NULL;
		unsigned long low = strtoul(at + 1, &end, 10), high = low;

		if (*end == '-')
			high = strtoul(end + 1, &end, 10);
		if (low > high || high > 63 || (*end && *end != ','))
			return -EINVAL;
		for (; low <= high; low++, value >>= 1) {
			*words[word] &= ~(UINT64_C(1) << low);
			*words[word] |= (value & 1) << low;
		}
		at = end;
	}
	return value ? -ERANGE : 0;
}

struct pmu_parse {
	const struct events *events;
	const char *device;
	struct event *event;
	struct strbuf *err;
};

static int terms_apply(const struct pmu_parse *p, char *terms, bool may_name_event);

/* The terms that every PMU has.  -ENOENT: not one of them. */
static int common_term(const char *key, uint64_t value, struct event *event)
{
	if (!strcmp(key, "config"))
		event->config = value;
	else if (!strcmp(key, "config1"))
		event->config1 = value;
	else if (!strcmp(key, "config2"))
		event->config2 = value;
	else if (!strcmp(key, "period") && value) {
		event->period = value;
		event->freq = false;
	} else if (!strcmp(key, "freq") && value) {
		event->period = value;
		event->freq = true;
	} else
		return -ENOENT;
	return 0;
}

/* "events/NAME" holds the terms of an event with a name. */
static int named_event(const struct pmu_parse *p, const char *name)
{
	char *file = xasprintf("events/%s", name), *terms = NULL;
	int error = device_read(p->events, p->device, file, &terms);

	if (!error)
		error = terms_apply(p, terms, false);
	free(terms);
	free(file);
	return error;
}

static int term_fail(const struct pmu_parse *p, const char *term, const char *what)
{
	strbuf_addf(p->err, "the PMU %s %s `%s'; see %s" DEVICES "/%s/format", p->device,
		    what, term, p->events->root, p->device);
	return -EINVAL;
}

static int term_apply(const struct pmu_parse *p, char *term, bool may_name_event)
{
	char *eq = strchr(term, '='), *file, *format = NULL;
	uint64_t value = 1;
	int error;

	if (!*term || strchr(term, '/') || *term == '.')
		return term_fail(p, term, "has no term");
	if (!eq && may_name_event && !named_event(p, term))
		return 0;
	if (eq) {
		*eq = '\0';
		if (number_read(eq + 1, &value))
			return term_fail(p, eq + 1, "takes numbers, not");
	}
	if (!common_term(term, value, p->event))
		return 0;
	file = xasprintf("format/%s", term);
	error = device_read(p->events, p->device, file, &format);
	free(file);
	if (error)
		return term_fail(p, term, "has no term");
	error = format_apply(format, value, p->event);
	free(format);
	if (error == -ERANGE)
		return term_fail(p, term, "has too few bits for the value of");
	return error ? term_fail(p, term, "has an invalid description of the term") : 0;
}

static int terms_apply(const struct pmu_parse *p, char *terms, bool may_name_event)
{
	char *term;
	int error = 0;

	while (!error && (term = strsep(&terms, ",")))
		error = term_apply(p, term, may_name_event);
	return error;
}

int sysfs_encode_pmu(const struct events *events, const char *name, struct event *event,
		     struct strbuf *err)
{
	const char *slash = strchr(name, '/');
	char *device = xstrndup(name, (size_t)(slash - name));
	char *terms = xstrdup(slash + 1);
	struct pmu_parse p = { events, device, event, err };
	size_t len = strlen(terms);
	int error;

	if (!*device || *device == '.' || !len || terms[len - 1] != '/') {
		strbuf_addf(
			err,
			"`%s' is invalid; write an event of a PMU as PMU/TERM=VALUE,…/",
			name);
		error = -EINVAL;
		goto out;
	}
	terms[len - 1] = '\0';
	if (device_type(events, device, &event->type)) {
		strbuf_addf(err, "this machine has no PMU `%s'; those it has are in %s%s",
			    device, events->root, DEVICES);
		error = -ENOENT;
		goto out;
	}
	event->name = xstrdup(name);
	event->raw = xstrdup(name);
	event->not_program = device_has(events, device, "cpumask");
	error = *terms ? terms_apply(&p, terms, true) : 0;
out:
	free(device);
	free(terms);
	return error;
}

bool sysfs_hides_tracepoints(const struct events *events, const char *name)
{
	size_t sys = strcspn(name, ":");
	bool there = false;

	/* counters of libpfm4 have capitals, or no such names */
	if (!name[sys] || name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ./*=")])
		return false;
	for (size_t i = 0; i < SYSFS_TRACING_DIRS && !there; i++) {
		char *path = xasprintf("%s%s/events", events->root,
				       sysfs_tracing_dirs[i]);

		there = !access(path, F_OK) || errno == EACCES;
		free(path);
	}
	return !there;
}

/*
 * A FILE of the tracepoint NAME, of which PATH is the last place tried.  -ENOENT: there is no
 * such tracepoint.
 */
static int tracepoint_read(const struct events *events, const char *name,
			   const char *file, struct strbuf *content, char **path)
{
	size_t sys = strcspn(name, ":");
	int error = -ENOENT;

	if (!name[sys] || strpbrk(name + sys + 1, ":.=") || strpbrk(name, "/.=") || !sys)
		return -ENOENT;
	for (size_t i = 0; i < SYSFS_TRACING_DIRS && error == -ENOENT; i++) {
		free(*path);
		*path = xasprintf("%s%s/events/%.*s/%s/%s", events->root,
				  sysfs_tracing_dirs[i], (int)sys, name, name + sys + 1,
				  file);
		error = file_read(*path, TRACEPOINT_MAX, content);
	}
	return error;
}

int sysfs_encode_tracepoint(const struct events *events, const char *name,
			    struct event *event, struct strbuf *err)
{
	struct strbuf text = { 0 };
	char *path = NULL;
	uint64_t id = 0;
	int error = tracepoint_read(events, name, "id", &text, &path);

	if (!error && text.len && text.data[text.len - 1] == '\n')
		strbuf_truncate(&text, text.len - 1);
	if (!error && number_read(strbuf_str(&text), &id))
		error = -EINVAL;
	if (!error) {
		event->name = xstrdup(name);
		event->raw = xstrdup(name);
		event->period = 1;
		event->type = PERF_TYPE_TRACEPOINT;
		event->config = id;
	} else if (error != -ENOENT) {
		strbuf_addf(err,
			    "`%s' is not a counter of this CPU, and tracepoints cannot "
			    "be read: %s: %s; try as root",
			    name, path, strerror(-error));
	}
	strbuf_release(&text);
	free(path);
	return error;
}

int tracepoint_format(const struct events *events, const char *name,
		      struct strbuf *format, struct strbuf *err)
{
	char *path = NULL;
	int error = tracepoint_read(events, name, "format", format, &path);

	if (error)
		strbuf_addf(err, "the tracepoint %s cannot be read: %s: %s", name,
			    path ? path : name, strerror(-error));
	free(path);
	return error;
}
