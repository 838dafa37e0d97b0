/* SPDX-License-Identifier: Apache-2.0 */
#include "evlist.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refusal.h"
#include "sample_attr.h"
#include "xalloc.h"

enum {
	RINGS_TOTAL = 64 << 20, /* of all CPUs: the memory that we allow ourselves */
	RING_MAX = 8 << 20,     /* of one CPU: the kernel clears it before we start */
	RING_MIN = 64 << 10,    /* must hold some of the largest records */
};

const char *const evlist_scope_names[SCOPES] = {
	[SCOPE_TASK] = "task",
	[SCOPE_CGROUP] = "cgroup",
	[SCOPE_CPU] = "cpu",
};

/* ---- opening ---- */

/* How many descriptors a unit has. */
static size_t slots(const struct evlist *c)
{
	return c->trackers + c->events;
}

static int *event_fd(const struct evlist *c, size_t unit, size_t e)
{
	return &c->fds.data[unit * slots(c) + c->trackers + e];
}

int evlist_ring_fd(const struct evlist *c, size_t cpu)
{
	return c->fds.data[cpu * slots(c)];
}

/* A part of a counter on a CPU with several kinds of core: the upper half says which. */
static bool of_one_core(const struct event *event)
{
	return (event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE) &&
	       event->config >> 32;
}

/* On some CPU the first event may be missing, and somebody has to tell of tasks. */
static bool wants_trackers(const struct evlist_setup *setup)
{
	vec_for_each(const struct rung, rung, &setup->ladder->rungs)
		if (of_one_core(&rung->event))
			return true;
	return setup->scope != SCOPE_TASK;
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

/* Of the unit that is being opened, the one that leads event E's group; -1: it is alone.
 */
static int leader_of(const struct evlist *c, const struct ladder *ladder, size_t e)
{
	size_t leader = e;

	while (leader && ladder->rungs.data[leader].event.member)
		leader--;
	return leader == e ? -1 : c->fds.data[c->fds.len - (e - leader)];
}

static int open_event(const struct evlist *c, const struct evlist_setup *setup,
		      pid_t task, int cpu, size_t e)
{
	const struct event *event = &setup->ladder->rungs.data[e].event;
	int leader = leader_of(c, setup->ladder, e);
	struct perf_event_attr attr;

	if (event->member && leader == EVLIST_NOT_HERE)
		return -ENOENT;
	sample_attr(setup, event, &c->format, c->ring_size, c->stack_bytes, &attr);
	if (e == 0 && !c->trackers)
		sample_attr_tells_tasks(setup, &attr);
	return open_attr(c, setup, task, cpu, leader, &attr);
}

static int open_tracker(const struct evlist *c, const struct evlist_setup *setup,
			pid_t task, int cpu)
{
	struct perf_event_attr attr;

	sample_attr_tracker(setup, &c->format, c->ring_size, &attr);
	return open_attr(c, setup, task, cpu, -1, &attr);
}

/* Each event takes a descriptor for each task and CPU; some are for other things. */
static int files_refused(const struct evlist *c, const struct evlist_setup *setup,
			 struct strbuf *err)
{
	enum { OTHERS = 64 };
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t tasks = setup->scope == SCOPE_TASK ? setup->ntasks : 1;
	size_t wanted = tasks * slots(c) * (size_t)(cpus > 0 ? cpus : 1) + OTHERS;

	strbuf_addf(err,
		    "too few files may be open: %zu event%s on %ld CPUs for %zu thread%s "
		    "take %zu; allow so many with: ulimit -n %zu",
		    slots(c), slots(c) == 1 ? "" : "s", cpus, tasks,
		    tasks == 1 ? "" : "s", wanted, wanted);
	return -EMFILE;
}

static int unit_refused(const struct evlist *c, const struct evlist_setup *setup, int cpu,
			size_t e, int error, struct strbuf *err)
{
	const struct event *event = &setup->ladder->rungs.data[e].event;

	if (error == -EMFILE)
		return files_refused(c, setup, err);
	strbuf_addf(err, "%s cannot be counted on CPU %d: ", ladder_name(event), cpu);
	refusal_explain(c->sys, event, error, err);
	return error;
}

/*
 * All events of TASK, or of no task (-1), on one CPU, but for the parts of counters that
 * its kind of core does not have.  -ENODEV: it is offline.
 */
static int open_unit(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		     int cpu, struct strbuf *err)
{
	for (size_t i = 0; i < slots(c); i++) {
		size_t e = i < c->trackers ? 0 : i - c->trackers;
		const struct event *event = &setup->ladder->rungs.data[e].event;
		int fd = i < c->trackers ? open_tracker(c, setup, task, cpu)
					 : open_event(c, setup, task, cpu, e);

		if (fd == -ENOENT && i >= c->trackers &&
		    (of_one_core(event) || event->member))
			fd = EVLIST_NOT_HERE;
		else if (i == 0 && (fd == -ENODEV || fd == -ESRCH))
			return fd;
		else if (fd < 0)
			return unit_refused(c, setup, cpu, e, fd, err);
		*vec_push(&c->fds) = fd;
	}
	*vec_push(&c->owners) = task;
	return 0;
}

/* What no CPU has was not to be had at all. */
static int check_somewhere(const struct evlist *c, const struct evlist_setup *setup,
			   struct strbuf *err)
{
	for (size_t e = 0; e < c->events; e++) {
		size_t unit = 0;

		while (unit < c->cpus && *event_fd(c, unit, e) == EVLIST_NOT_HERE)
			unit++;
		if (unit == c->cpus)
			return unit_refused(c, setup, 0, e, -ENOENT, err);
	}
	return 0;
}

/* The first task's units, or the CPUs': finds out which CPUs there are. */
static int open_cpus(struct evlist *c, const struct evlist_setup *setup,
		     struct strbuf *err)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	pid_t task = setup->scope == SCOPE_TASK ? setup->tasks[0] : -1;

	for (int cpu = 0; cpu < (count > 0 ? count : 1); cpu++) {
		int error = open_unit(c, setup, task, cpu, err);

		if (error == -ENODEV && c->fds.len == c->cpus * slots(c))
			continue; /* offline: not even the first event opened */
		if (error == -ESRCH)
			strbuf_addf(err, "process %d has ended", (int)task);
		if (error)
			return error;
		*vec_push(&c->cpu_numbers) = cpu;
		c->cpus++;
	}
	if (c->cpus)
		return check_somewhere(c, setup, err);
	strbuf_addstr(err, "no CPU could be opened");
	return -ENODEV;
}

static int map_rings(struct evlist *c)
{
	c->rings = xcalloc(c->cpus, sizeof(*c->rings));
	for (size_t cpu = 0; cpu < c->cpus; cpu++) {
		int error = ring_map(&c->rings[cpu], c->sys, evlist_ring_fd(c, cpu),
				     c->ring_size);

		if (error)
			return error;
	}
	return 0;
}

static bool share_ring(const struct evlist *c, int fd, size_t unit)
{
	int leader = evlist_ring_fd(c, unit % c->cpus);

	return fd == leader || c->sys->ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT,
					     (void *)(intptr_t)leader) >= 0;
}

/* The events of one unit write to the ring of its CPU. */
static int redirect(struct evlist *c, size_t unit, struct strbuf *err)
{
	for (size_t i = unit * slots(c); i < (unit + 1) * slots(c); i++) {
		int error;

		if (c->fds.data[i] == EVLIST_NOT_HERE ||
		    share_ring(c, c->fds.data[i], unit))
			continue;
		error = -errno;
		strbuf_addf(err, "two events cannot share a ring: %s", strerror(-error));
		return error;
	}
	return 0;
}

static void close_one(const struct evlist *c, int fd)
{
	if (fd != EVLIST_NOT_HERE)
		c->sys->close(fd);
}

/* A unit that is not whole is taken back. */
static void drop_unfinished(struct evlist *c)
{
	while (c->fds.len > c->owners.len * slots(c))
		close_one(c, c->fds.data[--c->fds.len]);
}

int evlist_add_task(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		    struct strbuf *err)
{
	int error = 0;

	for (size_t cpu = 0; cpu < c->cpus && !error; cpu++) {
		error = open_unit(c, setup, task, c->cpu_numbers.data[cpu], err);
		if (!error)
			error = redirect(c, c->owners.len - 1, err);
	}
	drop_unfinished(c);
	while (error && c->owners.len % c->cpus) { /* a task has all CPUs, or none */
		c->owners.len--;
		drop_unfinished(c);
	}
	return error;
}

/* By event, of how many it is the first. */
static void count_members(struct evlist *c, const struct ladder *ladder)
{
	size_t leader = 0;

	for (size_t e = 0; e < ladder->rungs.len; e++) {
		const struct event *event = &ladder->rungs.data[e].event;

		*vec_push(&c->members) = event->group && !event->member;
		if (event->member)
			c->members.data[leader]++;
		else
			leader = e;
	}
}

static int open_with_rings(struct evlist *c, const struct evlist_setup *setup,
			   size_t ring_size, struct strbuf *err)
{
	int error;

	*c = (struct evlist){
		.sys = setup->sys,
		.events = setup->ladder->rungs.len,
		.format = sample_format(setup->mode),
		.trackers = wants_trackers(setup),
		.ring_size = ring_size,
		.stack_bytes = sample_stack_first(setup, ring_size),
		.scope = setup->scope,
		.setup = *setup,
	};
	c->setup.tasks = NULL;
	c->setup.ntasks = 0;
	c->replaced = xcalloc(c->events, sizeof(*c->replaced));
	if (setup->ladder->features & ATTR_LOST)
		c->format.read_format |= PERF_FORMAT_LOST;
	c->format.sample_type |= ladder_sample_type(setup->ladder);
	count_members(c, setup->ladder);
	error = open_cpus(c, setup, err);
	if (error)
		return error;
	error = map_rings(c);
	if (error)
		strbuf_addf(
			err,
			"no memory for the rings of %zu CPUs: %s; allow more with: sudo "
			"sysctl kernel.perf_event_mlock_kb=%zu",
			c->cpus, strerror(-error), ring_size / 1024 + 4);
	for (size_t unit = 0; unit < c->owners.len && !error; unit++)
		error = redirect(c, unit, err);
	for (size_t t = 1; setup->scope == SCOPE_TASK && t < setup->ntasks && !error;
	     t++) {
		error = evlist_add_task(c, setup, setup->tasks[t], err);
		if (error == -ESRCH)
			error = 0;
	}
	return error;
}

static size_t largest_ring(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t size = RING_MAX;

	while (size > RING_MIN && size * (size_t)(cpus > 0 ? cpus : 1) > RINGS_TOTAL)
		size /= 2;
	return size;
}

/* Rings as large as the limit on locked memory lets us: mlock_kb, RLIMIT_MEMLOCK. */
int evlist_open(struct evlist *c, const struct evlist_setup *setup, struct strbuf *err)
{
	for (size_t size = largest_ring();; size /= 2) {
		int error = open_with_rings(c, setup, size, err);
		bool no_room = c->rings && (error == -EPERM || error == -ENOMEM);

		if (!no_room || size <= RING_MIN)
			return error;
		evlist_release(c);
		strbuf_clear(err);
	}
}

/* ---- counting ---- */

static int register_event(const struct evlist *c, int fd, size_t unit, size_t e,
			  struct recording *rec)
{
	uint64_t id;

	if (fd == EVLIST_NOT_HERE)
		return 0;
	if (c->sys->ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0)
		return -errno;
	recording_add_event(rec, id, (uint32_t)e, c->owners.data[unit]);
	return 0;
}

static bool is_clock(const struct evlist *c, size_t e)
{
	return c->setup.ladder->rungs.data[e].event.unit == EVENT_UNIT_NS;
}

static void register_format(const struct evlist *c, uint32_t e, struct recording *rec)
{
	const struct event *event = &c->setup.ladder->rungs.data[e].event;
	struct record_format own = sample_event_format(event, &c->format);

	if (own.sample_type != c->format.sample_type ||
	    own.read_format != c->format.read_format)
		recording_set_format(rec, e, &own);
	if (c->members.data[e])
		recording_add_group(rec, e, c->scope == SCOPE_CPU && is_clock(c, e));
}

int evlist_register(const struct evlist *c, struct recording *rec)
{
	int error = 0;

	for (size_t unit = 0; unit < c->owners.len; unit++)
		for (size_t e = 0; e < c->events && !error; e++)
			error = register_event(c, *event_fd(c, unit, e), unit, e, rec);
	for (uint32_t e = 0; e < c->events && !error; e++)
		register_format(c, e, rec);
	return error;
}

int evlist_start(const struct evlist *c)
{
	vec_for_each(const int, fd, &c->fds)
		if (*fd != EVLIST_NOT_HERE &&
		    c->sys->ioctl(*fd, PERF_EVENT_IOC_ENABLE, NULL) < 0)
			return -errno;
	return 0;
}

static bool may_see(const struct sys *sys, const struct ladder *ladder, int whom,
		    unsigned long flags)
{
	struct evlist_setup setup = { .ladder = ladder, .scope = SCOPE_CPU };
	struct record_format format = sample_format(STACK_FP);

	vec_for_each(const struct rung, rung, &ladder->rungs) {
		struct perf_event_attr attr;
		int fd;

		sample_attr(&setup, &rung->event, &format, RING_MIN, 0, &attr);
		fd = sys->perf_event_open(&attr, whom, 0, -1,
					  flags | PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			sys->close(fd);
		else if (errno != ENOENT || !of_one_core(&rung->event))
			return false; /* CPU 0 may be of another kind of core */
	}
	return true;
}

bool evlist_may_see_all(const struct sys *sys, const struct ladder *ladder)
{
	return may_see(sys, ladder, -1, 0);
}

bool evlist_may_see_group(const struct sys *sys, const struct ladder *ladder, int cgroup)
{
	return may_see(sys, ladder, cgroup, PERF_FLAG_PID_CGROUP);
}

void evlist_stop(const struct evlist *c)
{
	vec_for_each(const int, fd, &c->fds)
		if (*fd != EVLIST_NOT_HERE)
			c->sys->ioctl(*fd, PERF_EVENT_IOC_DISABLE, NULL);
}

/*
 * A read of one event gives count, enabled, running, id, and what was lost where the
 * kernel knows it; of one that leads a group the number of its members, then the two
 * times, then of each member the rest.  MEMBERS: of the group that it leads, or 0.
 */
static struct evlist_total total_of_fd(const struct evlist *c, int fd, size_t members)
{
	bool lost = c->format.read_format & PERF_FORMAT_LOST;
	size_t each = lost ? 3 : 2, value = members ? 3 : 0;
	size_t words = members ? 3 + members * each : 2 + each;
	uint64_t *word = xcalloc(words, sizeof(*word));
	ssize_t size = (ssize_t)(words * sizeof(*word));
	struct evlist_total total = { 0 };

	if (fd != EVLIST_NOT_HERE && c->sys->read(fd, word, (size_t)size) == size)
		total = (struct evlist_total){ word[value], word[1], word[2],
					       lost ? word[members ? 5 : 4] : 0 };
	free(word);
	return total;
}

static void add_total(struct evlist_total *sum, const struct evlist_total *one)
{
	sum->value += one->value;
	sum->enabled_ns += one->enabled_ns;
	sum->running_ns += one->running_ns;
	sum->lost += one->lost;
}

/*
 * What one task's events, from unit FIRST on, or those of the CPUs, counted.
 *
 * An event of a task on one CPU is enabled all the while that the task runs, on whatever
 * CPU, and running only on its own: so each CPU tells the whole of the enabled time, and
 * a part of the running time.  Added up the parts may be a little more than the whole
 * (1.5 % were seen of threads that changed CPUs all the time).
 */
static struct evlist_total total_of(const struct evlist *c, size_t first, size_t index)
{
	struct evlist_total sum = { 0 };
	uint64_t longest = 0;

	for (size_t unit = first; unit < first + c->cpus; unit++) {
		struct evlist_total one = total_of_fd(c, *event_fd(c, unit, index),
						      c->members.data[index]);

		add_total(&sum, &one);
		if (one.enabled_ns > longest)
			longest = one.enabled_ns;
	}
	if (c->scope == SCOPE_TASK)
		sum.enabled_ns = longest;
	return sum;
}

struct evlist_total evlist_total(const struct evlist *c, size_t index)
{
	struct evlist_total sum = c->replaced[index];

	for (size_t unit = 0; unit < c->owners.len; unit += c->cpus) {
		struct evlist_total one = total_of(c, unit, index);

		add_total(&sum, &one);
	}
	return sum;
}

/* The new one counts before the old one ends: in between is nothing that nobody saw. */
static int replace_event(struct evlist *c, size_t unit, size_t e, struct recording *rec)
{
	int *old = event_fd(c, unit, e);
	struct evlist_total counted;
	int fd;

	if (*old == EVLIST_NOT_HERE)
		return 0;
	fd = open_event(c, &c->setup, -1, c->cpu_numbers.data[unit], e);
	if (fd < 0)
		return fd;
	if (!share_ring(c, fd, unit) || register_event(c, fd, unit, e, rec) ||
	    c->sys->ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL) < 0) {
		c->sys->close(fd);
		return -EIO;
	}
	c->sys->ioctl(*old, PERF_EVENT_IOC_DISABLE, NULL);
	counted = total_of_fd(c, *old, 0);
	add_total(&c->replaced[e], &counted);
	c->sys->close(*old);
	*old = fd;
	return 0;
}

bool evlist_may_copy_more(const struct evlist *c)
{
	return sample_stack_next(&c->setup, c->ring_size, c->stack_bytes) !=
	       c->stack_bytes;
}

int evlist_copy_more(struct evlist *c, struct recording *rec)
{
	uint32_t now = c->stack_bytes;
	int error = 0;

	c->stack_bytes = sample_stack_next(&c->setup, c->ring_size, now);
	if (c->stack_bytes == now)
		return -ENOSPC;
	for (size_t unit = 0; unit < c->owners.len && !error; unit++)
		for (size_t e = 0; e < c->events && !error; e++)
			error = replace_event(c, unit, e, rec);
	return error;
}

void evlist_release(struct evlist *c)
{
	for (size_t cpu = 0; c->rings && cpu < c->cpus; cpu++)
		ring_unmap(&c->rings[cpu]);
	vec_for_each(int, fd, &c->fds)
		close_one(c, *fd);
	vec_release(&c->fds);
	vec_release(&c->owners);
	vec_release(&c->cpu_numbers);
	vec_release(&c->members);
	free(c->rings);
	free(c->replaced);
	*c = (struct evlist){ 0 };
}
