/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/sockets.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sample/refusal.h"
#include "base/xalloc.h"

#define DEVICES "/sys/bus/event_source/devices"
#define ONLINE  "/sys/devices/system/cpu/online"

enum { CPUS_MAX = 8192, LIST_MAX = 4096, GAP_NS = 50000000 };

typedef VEC(int) cpu_vec;

static void count_attr(const struct event *event, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){ 0 };
	event_attr(event, attr);
	attr->freq = 0;
	attr->sample_period = 0;
	attr->disabled = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static int open_on(const struct sys *sys, struct perf_event_attr *attr, pid_t task,
		   int cpu)
{
	int fd = sys->perf_event_open(attr, task, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* A PMU with a number of its own that refuses to sample, but not to count. */
bool sockets_wants(const struct sys *sys, const struct event *event)
{
	struct perf_event_attr attr;
	int fd;

	if (event->not_program || event->type < PERF_TYPE_MAX)
		return event->not_program;
	count_attr(event, &attr);
	attr.sample_period = event->period;
	fd = open_on(sys, &attr, 0, -1);
	if (fd >= 0)
		sys->close(fd);
	if (fd != -EINVAL && fd != -EOPNOTSUPP)
		return false;
	attr.sample_period = 0;
	fd = open_on(sys, &attr, 0, -1);
	if (fd < 0)
		return false;
	sys->close(fd);
	return true;
}

/* ---- the CPUs ---- */

/* "0,18" or "0-3,8".  Anything but a number ends it. */
static void parse_cpus(const char *text, cpu_vec *cpus)
{
	while (*text >= '0' && *text <= '9') {
		char *end;
		unsigned long from = strtoul(text, &end, 10), to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (; from <= to && from < CPUS_MAX && cpus->len < CPUS_MAX; from++)
			*vec_push(cpus) = (int)from;
		text = *end == ',' ? end + 1 : "";
	}
}

static int read_cpus(const char *path, cpu_vec *cpus)
{
	struct strbuf text = { 0 };
	int error = file_read(path, LIST_MAX, &text);

	if (!error)
		parse_cpus(strbuf_str(&text), cpus);
	strbuf_release(&text);
	return error || !cpus->len ? -ENOENT : 0;
}

/* The directory of the PMU whose number is TYPE; NULL: none. */
static char *device_of(const struct sys *sys, uint32_t type)
{
	char *path = xasprintf("%s" DEVICES, sys->root), *found = NULL;
	DIR *dir = opendir(path);
	struct dirent *entry;

	free(path);
	while (dir && !found && (entry = readdir(dir))) {
		char *file = xasprintf(DEVICES "/%s/type", entry->d_name);

		if (*entry->d_name != '.' && sys_read_number(sys, file, -1) == (long)type)
			found = xstrdup(entry->d_name);
		free(file);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void find_cpus(const struct sys *sys, uint32_t type, cpu_vec *cpus)
{
	char *device = device_of(sys, type);
	char *mask = xasprintf("%s" DEVICES "/%s/cpumask", sys->root,
			       device ? device : "none");
	char *online = xasprintf("%s" ONLINE, sys->root);

	if (read_cpus(mask, cpus) && read_cpus(online, cpus))
		*vec_push(cpus) = 0;
	free(online);
	free(mask);
	free(device);
}

/* ---- opening ---- */

static void explain(const struct sys *sys, const struct event *event, int error,
		    struct strbuf *err)
{
	strbuf_addf(err, "%s cannot be counted: ", event->asked);
	if (error == -EACCES || error == -EPERM)
		strbuf_addstr(
			err, "it counts for the whole machine, which requires root, "
			     "CAP_PERFMON, or: sudo sysctl kernel.perf_event_paranoid=0");
	else
		refusal_explain(sys, event, error, err);
}

static int open_event(struct sockets *s, struct socket_event *e, struct strbuf *err)
{
	struct perf_event_attr attr;
	cpu_vec cpus = { 0 };
	int error = 0;

	count_attr(e->event, &attr);
	find_cpus(s->sys, e->event->type, &cpus);
	for (size_t i = 0; i < cpus.len && !error; i++) {
		int fd = open_on(s->sys, &attr, -1, cpus.data[i]);

		if (fd >= 0)
			*vec_push(&e->fds) = fd;
		else if (fd != -ENODEV || i + 1 == cpus.len) /* that CPU is offline */
			error = fd;
	}
	if (error == -ENODEV && e->fds.len)
		error = 0;
	if (error)
		explain(s->sys, e->event, error, err);
	vec_release(&cpus);
	return error;
}

int sockets_open(struct sockets *s, const struct sys *sys,
		 const struct event_list *events, uint32_t first, struct strbuf *err)
{
	int error = 0;

	*s = (struct sockets){ .sys = sys, .first = first };
	for (size_t i = 0; i < events->len && !error; i++) {
		struct socket_event *e = vec_push(&s->events);

		*e = (struct socket_event){ .event = &events->data[i], .scale = 1 };
		error = open_event(s, e, err);
	}
	return error;
}

static void count_or_not(struct sockets *s, bool counting)
{
	if (s->counting == counting)
		return;
	s->counting = counting;
	vec_for_each(struct socket_event, e, &s->events)
		vec_for_each(const int, fd, &e->fds)
			s->sys->ioctl(*fd,
				      counting ? PERF_EVENT_IOC_ENABLE
					       : PERF_EVENT_IOC_DISABLE,
				      NULL);
}

void sockets_start(struct sockets *s)
{
	count_or_not(s, true);
}

void sockets_pause(struct sockets *s)
{
	count_or_not(s, false);
}

void sockets_release(struct sockets *s)
{
	vec_for_each(struct socket_event, e, &s->events) {
		vec_for_each(const int, fd, &e->fds)
			s->sys->close(*fd);
		vec_release(&e->fds);
	}
	vec_release(&s->events);
	*s = (struct sockets){ 0 };
}

/* ---- reading ---- */

/* The unscaled sum over all CPUs; the scale is that of the sum. */
static uint64_t read_event(const struct sys *sys, struct socket_event *e)
{
	uint64_t sum = 0, enabled = 0, running = 0;

	vec_for_each(const int, fd, &e->fds) {
		uint64_t value[3]; /* count, enabled, running */

		if (sys->read(*fd, value, sizeof(value)) != (ssize_t)sizeof(value))
			continue;
		sum += value[0];
		enabled += value[1];
		running += value[2];
	}
	if (running && enabled > running)
		e->scale = (double)enabled / (double)running;
	return sum;
}

void sockets_take(struct sockets *s, struct recording *rec, uint32_t pid, uint64_t now,
		  uint64_t written_ns, bool last)
{
	if (!last && now - s->taken_ns < GAP_NS)
		return;
	s->taken_ns = now;
	if (s->row_ns < written_ns)
		s->row_ns = written_ns;
	for (uint32_t i = 0; i < s->events.len; i++) {
		struct socket_event *e = &s->events.data[i];
		uint64_t value = read_event(s->sys, e);

		if (value > e->counted)
			recording_add_count(rec, s->first + i, pid, s->row_ns,
					    value - e->counted);
		e->counted = value;
	}
}

/* ---- the log ---- */

void sockets_describe(const struct sockets *s, struct exp_log *log)
{
	vec_for_each(const struct socket_event, e, &s->events)
		*vec_push(&log->events) = (struct exp_event){
			.asked = xstrdup(e->event->asked),
			.got = xstrdup(e->event->raw),
			.reason = xstrdup(""),
			.metric = xstrdup(e->event->name),
			.label = xstrdup(e->event->label),
			.unit = xstrdup(event_unit_name(e->event->unit)),
			.skid = xstrdup("read from time to time, for the whole machine"),
			.scale = 1,
		};
}

void sockets_close(const struct sockets *s, const struct recording *rec,
		   struct exp_log *log)
{
	for (uint32_t i = 0; i < s->events.len; i++) {
		struct exp_event *e = &log->events.data[s->first + i];
		const struct recording_event *seen = &rec->events.data[s->first + i];

		e->scale = s->events.data[i].scale;
		e->samples = seen->samples;
		e->count = (uint64_t)((double)seen->weight * e->scale);
	}
}
