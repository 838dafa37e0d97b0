/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/evlist_unit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "sample/refusal.h"
#include "sample/sample_attr.h"

size_t evlist_slots(const struct evlist *c)
{
	return c->trackers + c->events;
}

int *evlist_event_fd(const struct evlist *c, size_t unit, size_t e)
{
	return &c->fds.data[unit * evlist_slots(c) + c->trackers + e];
}

/* The upper half of the config identifies the core's PMU. */
bool evlist_of_one_core(const struct event *event)
{
	return (event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE) &&
	       event->config >> 32;
}

static int open_attr(const struct evlist *c, const struct evlist_setup *setup, pid_t task,
		     int cpu, int leader, struct perf_event_attr *attr)
{
	int fd;

	if (setup->scope == SCOPE_CGROUP)
		fd = c->sys->perf_event_open(attr, setup->cgroup, cpu, leader,
					     PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);
	else
		fd = c->sys->perf_event_open(attr, task, cpu, leader,
					     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The leader of event E's group in the unit that is being opened; -1: it has no group. */
static int leader_of(const struct evlist *c, const struct ladder *ladder, size_t e)
{
	size_t leader = e;

	while (leader && ladder->rungs.data[leader].event.member)
		leader--;
	return leader == e ? -1 : c->fds.data[c->fds.len - (e - leader)];
}

int evlist_open_event(const struct evlist *c, const struct evlist_setup *setup,
		      pid_t task, int cpu, size_t e)
{
	const struct event *event = &setup->ladder->rungs.data[e].event;
	int leader = leader_of(c, setup->ladder, e);
	struct perf_event_attr attr;

	if (event->member && leader == EVLIST_NOT_HERE)
		return -ENOENT;
	sample_attr(setup, event, &c->format, c->ring_size,
		    setup->ladder->rungs.data[e].waits ? evlist_switch_copy_bytes(c)
						       : c->stack_bytes,
		    &attr);
	if (e == 0 && !c->trackers)
		sample_attr_tells_tasks(setup, &attr);
	return open_attr(c, setup, task, cpu, leader, &attr);
}

int evlist_open_tracker(const struct evlist *c, const struct evlist_setup *setup,
			pid_t task, int cpu, size_t ring_size)
{
	struct perf_event_attr attr;

	sample_attr_tracker(setup, &c->format, ring_size, &attr);
	return open_attr(c, setup, task, cpu, -1, &attr);
}

/* Each event takes a descriptor for each task and CPU; some serve other purposes. */
int evlist_files_refused(const struct evlist *c, const struct evlist_setup *setup,
			 struct strbuf *err)
{
	enum { OTHERS = 64 };
	long cpus = setup->sys->sysconf(_SC_NPROCESSORS_CONF);
	size_t tasks = setup->scope == SCOPE_TASK ? setup->ntasks : 1;
	size_t wakings = setup->waking ? WAKING_KINDS : 0;
	size_t events = evlist_slots(c) + wakings;
	size_t wanted = (tasks * evlist_slots(c) + wakings) *
				(size_t)(cpus > 0 ? cpus : 1) +
			OTHERS;

	strbuf_addf(err,
		    "the limit on open files is too low: %zu event%s on %ld CPUs for %zu "
		    "thread%s take %zu; raise it with: ulimit -n %zu",
		    events, events == 1 ? "" : "s", cpus, tasks, tasks == 1 ? "" : "s",
		    wanted, wanted);
	return -EMFILE;
}

/* A level of 1, at which the same event opens for a task, does not help here. */
static int scope_refused(const struct evlist_setup *setup, const struct event *event,
			 int error, struct strbuf *err)
{
	strbuf_addf(err,
		    "%s cannot be counted with --scope %s: that requires root, "
		    "CAP_PERFMON, or: sudo sysctl kernel.perf_event_paranoid=0",
		    ladder_name(event), evlist_scope_names[setup->scope]);
	return error;
}

int evlist_refused(const struct evlist *c, const struct evlist_setup *setup, int cpu,
		   size_t e, int error, struct strbuf *err)
{
	const struct event *event = &setup->ladder->rungs.data[e].event;

	if (error == -EMFILE)
		return evlist_files_refused(c, setup, err);
	if (setup->scope != SCOPE_TASK && (error == -EACCES || error == -EPERM))
		return scope_refused(setup, event, error, err);
	strbuf_addf(err, "%s cannot be counted on CPU %d: ", ladder_name(event), cpu);
	refusal_explain(c->sys, event, error, err);
	return error;
}

/*
 * All events of TASK, or of no task (-1), on one CPU, except the parts of counters that
 * its kind of core lacks.  -ENODEV: it is offline.
 */
int evlist_open_unit(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		     int cpu, struct strbuf *err)
{
	for (size_t i = 0; i < evlist_slots(c); i++) {
		size_t e = i < c->trackers ? 0 : i - c->trackers;
		const struct event *event = &setup->ladder->rungs.data[e].event;
		int fd = i < c->trackers
				 ? evlist_open_tracker(c, setup, task, cpu, c->first_size)
				 : evlist_open_event(c, setup, task, cpu, e);

		if (fd == -ENOENT && i >= c->trackers &&
		    (evlist_of_one_core(event) || event->member))
			fd = EVLIST_NOT_HERE;
		else if (i == 0 && (fd == -ENODEV || fd == -ESRCH))
			return fd;
		else if (fd < 0)
			return evlist_refused(c, setup, cpu, e, fd, err);
		*vec_push(&c->fds) = fd;
	}
	*vec_push(&c->owners) = task;
	return 0;
}

bool evlist_share_ring(const struct evlist *c, int fd, size_t unit)
{
	int leader = evlist_ring_fd(c, unit % c->cpus);

	return fd == leader || c->sys->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT,
					     (void *)(intptr_t)leader) >= 0;
}

/* The events of one unit write to the ring of its CPU. */
int evlist_redirect(struct evlist *c, size_t unit, struct strbuf *err)
{
	for (size_t i = unit * evlist_slots(c); i < (unit + 1) * evlist_slots(c); i++) {
		int error;

		if (c->fds.data[i] == EVLIST_NOT_HERE ||
		    evlist_share_ring(c, c->fds.data[i], unit))
			continue;
		error = -errno;
		strbuf_addf(err, "two events cannot share a ring: %s", strerror(-error));
		return error;
	}
	return 0;
}

void evlist_close(const struct evlist *c, int fd)
{
	if (fd != EVLIST_NOT_HERE)
		c->sys->close(fd);
}

void evlist_register_id(struct evlist *c, int fd, uint64_t id, size_t unit, size_t e,
			struct sources *sources)
{
	evlist_vary_first(c, fd, unit, e, sources,
			  sources_add(sources, id, (uint32_t)e, c->owners.data[unit]));
}

int evlist_register_event(struct evlist *c, int fd, size_t unit, size_t e,
			  struct sources *sources)
{
	uint64_t id;

	if (fd == EVLIST_NOT_HERE)
		return 0;
	if (c->sys->ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0)
		return -errno;
	evlist_register_id(c, fd, id, unit, e, sources);
	return 0;
}
