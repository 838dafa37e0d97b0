/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/evlist.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"
#include "base/xalloc.h"

enum {
	RING_MAX = 16 << 20, /* of one CPU: the kernel clears it at our start */
	MEMORY_SHARE = 64,   /* one byte in so many, if more than EVLIST_RINGS_TOTAL */
};

const char *const evlist_scope_names[SCOPES] = {
	[SCOPE_TASK] = "task",
	[SCOPE_CGROUP] = "cgroup",
	[SCOPE_CPU] = "cpu",
};

/* ---- opening ---- */

int evlist_ring_fd(const struct evlist *c, size_t cpu)
{
	return c->fds.data[cpu * evlist_slots(c)];
}

/*
 * The first event may be missing on some CPU, or stopped for a while, but tasks must be
 * reported all the same.
 */
static bool wants_trackers(const struct evlist_setup *setup)
{
	vec_for_each(const struct rung, rung, &setup->ladder->rungs)
		if (evlist_of_one_core(&rung->event))
			return true;
	return setup->pauses || setup->scope != SCOPE_TASK;
}

/* An event that no CPU has could not be opened at all. */
static int check_somewhere(const struct evlist *c, const struct evlist_setup *setup,
			   struct strbuf *err)
{
	for (size_t e = 0; e < c->events; e++) {
		size_t unit = 0;

		while (unit < c->cpus && *evlist_event_fd(c, unit, e) == EVLIST_NOT_HERE)
			unit++;
		if (unit == c->cpus)
			return evlist_refused(c, setup, 0, e, -ENOENT, err);
	}
	return 0;
}

/* Opens the first task's units, or the CPUs': finds out which CPUs there are. */
static int open_cpus(struct evlist *c, const struct evlist_setup *setup,
		     struct strbuf *err)
{
	long count = setup->sys->sysconf(_SC_NPROCESSORS_CONF);
	pid_t task = setup->scope == SCOPE_TASK ? setup->tasks[0] : -1;

	for (int cpu = 0; cpu < (count > 0 ? count : 1); cpu++) {
		int error = evlist_open_unit(c, setup, task, cpu, err);

		if (error == -ENODEV && c->fds.len == c->cpus * evlist_slots(c))
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

/* Closes an incomplete unit. */
static void drop_unfinished(struct evlist *c)
{
	while (c->fds.len > c->owners.len * evlist_slots(c))
		evlist_close(c, c->fds.data[--c->fds.len]);
}

int evlist_add_task(struct evlist *c, const struct evlist_setup *setup, pid_t task,
		    struct strbuf *err)
{
	int error = 0;

	for (size_t cpu = 0; cpu < c->cpus && !error; cpu++) {
		error = evlist_open_unit(c, setup, task, c->cpu_numbers.data[cpu], err);
		if (!error)
			error = evlist_redirect(c, c->owners.len - 1, err);
	}
	drop_unfinished(c);
	while (error && c->owners.len % c->cpus) { /* a task has all CPUs, or none */
		c->owners.len--;
		drop_unfinished(c);
	}
	return error;
}

/* Counts for each event how many it leads, itself included. */
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
		.first_size = evlist_first_ring(setup, ring_size),
		.scope = setup->scope,
		.setup = *setup,
	};
	c->stack_bytes = sample_stack_small(setup, c->first_size, ring_size);
	c->setup.tasks = NULL;
	c->setup.ntasks = 0;
	c->replaced = xcalloc(c->events, sizeof(*c->replaced));
	if (setup->ladder->features & ATTR_LOST)
		c->format.read_format |= PERF_FORMAT_LOST;
	if (sample_has_groups(setup))
		c->format.sample_type |= PERF_SAMPLE_CGROUP;
	c->format.sample_type |= ladder_sample_type(setup->ladder);
	count_members(c, setup->ladder);
	error = open_cpus(c, setup, err);
	if (error)
		return error;
	error = evlist_map_rings(c);
	if (error)
		strbuf_addf(
			err,
			"no memory for the rings of %zu CPUs: %s; allow more with: sudo "
			"sysctl kernel.perf_event_mlock_kb=%zu",
			c->cpus, strerror(-error), ring_size / 1024 + 4);
	for (size_t unit = 0; unit < c->owners.len && !error; unit++)
		error = evlist_redirect(c, unit, err);
	for (size_t t = 1; setup->scope == SCOPE_TASK && t < setup->ntasks && !error;
	     t++) {
		error = evlist_add_task(c, setup, setup->tasks[t], err);
		if (error == -ESRCH)
			error = 0;
	}
	if (!error)
		error = evlist_open_wakings(c, setup, err);
	return error;
}

/*
 * All rings together have 64 MiB at most or, on machines with many CPUs, as much as large
 * copies need there, within a share of the memory.
 */
size_t evlist_largest_ring(const struct evlist_setup *setup)
{
	const size_t cpus = sys_cpus_online(setup->sys);
	const uint64_t wanted = sample_ring_wanted(setup);
	const uint64_t share = sys_memory_available(setup->sys) / MEMORY_SHARE;
	size_t size = RING_MAX;

	while (size > EVLIST_RING_MIN && size * cpus > EVLIST_RINGS_TOTAL &&
	       (size / 2 >= wanted || size * cpus > share))
		size /= 2;
	return size;
}

/*
 * Maps rings as large as the limit on locked memory allows: mlock_kb, RLIMIT_MEMLOCK.  The
 * first task, by which the CPUs are found, may have ended.
 */
int evlist_open(struct evlist *c, const struct evlist_setup *setup, struct strbuf *err)
{
	struct evlist_setup living = *setup;
	size_t size = evlist_largest_ring(setup);

	for (;;) {
		int error = open_with_rings(c, &living, size, err);
		bool no_room = c->rings && (error == -EPERM || error == -ENOMEM);

		if (error == -ESRCH && living.ntasks > 1) {
			living.tasks++;
			living.ntasks--;
		} else if (no_room && size > EVLIST_RING_MIN) {
			size /= 2;
		} else {
			return error;
		}
		evlist_release(c);
		strbuf_clear(err);
	}
}

/* ---- counting ---- */

static bool is_clock(const struct evlist *c, size_t e)
{
	return c->setup.ladder->rungs.data[e].event.unit == EVENT_UNIT_NS;
}

static void register_format(const struct evlist *c, uint32_t e, struct sources *sources)
{
	const struct event *event = &c->setup.ladder->rungs.data[e].event;
	struct record_format own = sample_event_format(event, &c->format);

	if (own.sample_type != c->format.sample_type ||
	    own.read_format != c->format.read_format)
		sources_set_format(sources, e, &own);
	if (c->members.data[e])
		sources_set_group(sources, e, c->scope == SCOPE_CPU && is_clock(c, e));
}

int evlist_register(struct evlist *c, struct sources *sources)
{
	int error = 0;

	c->random = c->sys->now();
	for (size_t unit = 0; unit < c->owners.len; unit++)
		for (size_t e = 0; e < c->events && !error; e++)
			error = evlist_register_event(c, *evlist_event_fd(c, unit, e),
						      unit, e, sources);
	for (uint32_t e = 0; e < c->events && !error; e++)
		register_format(c, e, sources);
	if (!error)
		error = evlist_register_wakings(c, sources);
	return error;
}

static bool may_see(const struct sys *sys, const struct ladder *ladder, int whom,
		    unsigned long flags)
{
	struct evlist_setup setup = { .ladder = ladder, .scope = SCOPE_CPU };
	struct record_format format = sample_format(STACK_FP);

	vec_for_each(const struct rung, rung, &ladder->rungs) {
		struct perf_event_attr attr;
		int fd;

		sample_attr(&setup, &rung->event, &format, EVLIST_RING_MIN, 0, &attr);
		fd = sys->perf_event_open(&attr, whom, 0, -1,
					  flags | PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			sys->close(fd);
		else if (errno != ENOENT || !evlist_of_one_core(&rung->event))
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

void evlist_release(struct evlist *c)
{
	for (size_t i = 0; c->rings && i < evlist_rings(c).count; i++)
		ring_unmap(&c->rings[i]);
	vec_for_each(int, fd, &c->wakings)
		c->sys->close(*fd);
	vec_release(&c->wakings);
	vec_for_each(int, fd, &c->fds)
		evlist_close(c, *fd);
	vec_release(&c->fds);
	vec_release(&c->owners);
	vec_release(&c->cpu_numbers);
	vec_release(&c->members);
	vec_release(&c->latest);
	free(c->rings);
	free(c->replaced);
	free(c->marks.from);
	free(c->marks.until);
	*c = (struct evlist){ 0 };
}
