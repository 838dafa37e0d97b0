/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/waking.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "sample/refusal.h"

#define WAKING "sched:sched_waking"

/* PROC_PID_INIT_INO of the kernel's proc_ns.h: the inode of the first PID namespace. */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCu

/*
 * TRACE_FLAG_HARDIRQ, _SOFTIRQ and _NMI of the kernel's trace_events.h, in common_flags, which
 * every tracepoint's data begin with.
 */
enum { FLAG_HARDIRQ = 0x08, FLAG_SOFTIRQ = 0x10, FLAG_NMI = 0x40 };

/* Tracepoints number threads as the machine does. */
static bool numbers_are_ours(const struct sys *sys)
{
	char *path = xasprintf("%s/proc/self/ns/pid", sys->root);
	struct stat st;
	bool ours = !stat(path, &st) && st.st_ino == FIRST_PID_NAMESPACE;

	free(path);
	return ours;
}

bool waking_format(struct waking *w, const char *format)
{
	return trace_format_field(format, "pid", &w->pid) &&
	       trace_format_field(format, "common_flags", &w->flags);
}

static bool read_format(struct waking *w, const struct events *events, struct strbuf *why)
{
	struct strbuf format = { 0 };
	bool known = false;

	if (!tracepoint_format(events, WAKING, &format, why)) {
		known = waking_format(w, strbuf_str(&format));
		if (!known)
			strbuf_addf(why, "the format of " WAKING " is not understood");
	}
	strbuf_release(&format);
	return known;
}

static bool find_event(struct waking *w, const struct sys *sys, struct strbuf *why)
{
	struct events *events = events_open(sys->root, why);
	struct event_list list = { 0 };
	bool found = events && !event_list_parse(events, WAKING, &list, why) &&
		     list.len == 1 && read_format(w, events, why);

	if (found) {
		w->event = list.data[0];
		list.len = 0;
	}
	event_list_release(&list);
	if (events)
		events_close(events);
	return found;
}

static void fill_attr(const struct event *event, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){ .disabled = 1 };
	event_attr(event, attr);
	attr->sample_type = PERF_SAMPLE_RAW;
}

/* Events of CPUs with the data of a tracepoint need more than those without. */
static void explain(const struct waking *w, const struct sys *sys, int error,
		    struct strbuf *why)
{
	long paranoid = sys_read_number(sys, "/proc/sys/kernel/perf_event_paranoid", -1);
	bool filtered = sys_status_number(sys, "Seccomp", 10, 0) != 0;

	if (paranoid > -1 && (error == -EACCES || (error == -EPERM && !filtered)))
		strbuf_addf(why,
			    "kernel.perf_event_paranoid is %ld, which lets only root, or "
			    "CAP_PERFMON, see that; allow it with: sudo sysctl "
			    "kernel.perf_event_paranoid=-1",
			    paranoid);
	else
		refusal_explain(sys, &w->event, error, why);
}

static bool try(const struct waking *w, const struct sys *sys, struct strbuf *why)
{
	struct perf_event_attr attr;
	int fd;

	fill_attr(&w->event, &attr);
	fd = sys->perf_event_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		explain(w, sys, -errno, why);
		return false;
	}
	sys->close(fd);
	return true;
}

bool waking_find(struct waking *w, const struct sys *sys, struct strbuf *why)
{
	*w = (struct waking){ 0 };
	if (!numbers_are_ours(sys)) {
		strbuf_addstr(why,
			      "this is a container with thread numbers of its own, and "
			      "the kernel's tracepoints have the machine's; run "
			      "collect outside");
		return false;
	}
	if (!find_event(w, sys, why))
		return false;
	w->event.with_data = true;
	return try(w, sys, why);
}

void waking_release(struct waking *w)
{
	event_release(&w->event);
}

bool waking_read(const struct waking *w, const struct record_sample *sample,
		 struct waking_said *out)
{
	int64_t pid, flags;

	if (!trace_field_read(&w->pid, sample->raw, sample->raw_len, w->swapped, &pid) ||
	    !trace_field_read(&w->flags, sample->raw, sample->raw_len, w->swapped,
			      &flags) ||
	    pid <= 0 || pid > INT32_MAX)
		return false;
	*out = (struct waking_said){
		.tid = (uint32_t)pid,
		.interrupt = flags & (FLAG_HARDIRQ | FLAG_NMI),
		.softirq = flags & FLAG_SOFTIRQ,
	};
	return true;
}
