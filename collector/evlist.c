/* SPDX-License-Identifier: Apache-2.0 */
#include "evlist.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "refusal.h"
#include "xalloc.h"

enum {
	RING_MAX = 2 << 20,  /* of a CPU; holds 100 ms and more of full stack copies */
	RING_MIN = 64 << 10, /* must hold some of the largest records */
};

const char *const evlist_scope_names[SCOPES] = {
	[SCOPE_TASK] = "task",
	[SCOPE_CPU] = "cpu",
};

struct record_format evlist_format(enum stack_mode mode)
{
	struct record_format f = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID,
	};

	if (mode != STACK_OFF)
		f.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (mode == STACK_CFI) {
		f.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		f.regs_user = unwind_arch_host()->perf_mask;
	}
	return f;
}

/*
 * inherit_stat makes the kernel tell what each task counted when it ends; what no sample
 * stands for is known by that.
 */
static void fill_scope(const struct evlist_setup *setup, unsigned features,
		       struct perf_event_attr *attr)
{
	if (setup->scope == SCOPE_CPU) {
		attr->exclude_idle = 1;
		return;
	}
	attr->enable_on_exec = 1;
	attr->inherit = attr->inherit_stat = 1;
	attr->inherit_thread = !setup->follow && (features & ATTR_INHERIT_THREAD);
}

static void fill_attr(const struct evlist_setup *setup, const struct rung *rung,
		      const struct record_format *format, bool first, size_t ring_size,
		      struct perf_event_attr *attr)
{
	unsigned features = setup->ladder->features;

	*attr = (struct perf_event_attr){ 0 };
	event_attr(&rung->event, attr);
	attr->sample_type = format->sample_type;
	attr->sample_regs_user = format->regs_user;
	if (setup->mode == STACK_CFI) {
		attr->sample_stack_user = setup->stack_bytes;
		attr->exclude_callchain_user = 1;
	}
	attr->read_format = format->read_format;
	attr->disabled = 1;
	fill_scope(setup, features, attr);
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(ring_size / 4);
	if (first) { /* of the ring: one of its events tells of tasks and mappings */
		attr->mmap = attr->mmap2 = 1;
		attr->build_id = !!(features & ATTR_BUILD_ID);
		attr->comm = attr->comm_exec = 1;
		attr->task = 1;
	}
}

/* All events on one CPU, from fds + at.  -ENODEV: no such CPU, or it is offline. */
static int open_cpu(struct evlist *c, const struct evlist_setup *setup, int cpu,
		    size_t at, size_t *failed)
{
	for (size_t e = 0; e < c->events; e++) {
		struct perf_event_attr attr;
		int fd;

		fill_attr(setup, &setup->ladder->rungs.data[e], &c->format, e == 0,
			  c->ring_size, &attr);
		fd = c->sys->perf_event_open(&attr,
					     setup->scope == SCOPE_CPU ? -1 : setup->pid,
					     cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0) {
			*failed = e;
			return -errno;
		}
		c->fds[at + e] = fd;
	}
	return 0;
}

static int open_cpus(struct evlist *c, const struct evlist_setup *setup,
		     struct strbuf *err)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	size_t room = count > 0 ? (size_t)count : 1, failed = 0;

	c->fds = xcalloc(room * c->events, sizeof(*c->fds));
	for (size_t i = 0; i < room * c->events; i++)
		c->fds[i] = -1;
	for (size_t cpu = 0; cpu < room; cpu++) {
		int error = open_cpu(c, setup, (int)cpu, c->cpus * c->events, &failed);

		if (error == -ENODEV && failed == 0)
			continue; /* offline */
		c->cpus++;
		if (error) {
			const struct event *e = &setup->ladder->rungs.data[failed].event;

			strbuf_addf(err, "%s cannot be counted on CPU %zu: ", e->asked, cpu);
			refusal_explain(c->sys, e, error, err);
			return error;
		}
	}
	if (c->cpus)
		return 0;
	strbuf_addstr(err, "no CPU could be opened");
	return -ENODEV;
}

static int map_rings(struct evlist *c)
{
	c->rings = xcalloc(c->cpus, sizeof(*c->rings));
	for (size_t cpu = 0; cpu < c->cpus; cpu++) {
		int error = ring_map(&c->rings[cpu], c->sys, c->fds[cpu * c->events],
				     c->ring_size);

		if (error)
			return error;
	}
	return 0;
}

static int redirect(struct evlist *c, struct strbuf *err)
{
	for (size_t i = 0; i < c->cpus * c->events; i++) {
		int leader = c->fds[i / c->events * c->events];

		if (c->fds[i] == leader)
			continue;
		if (c->sys->ioctl(c->fds[i], PERF_EVENT_IOC_SET_OUTPUT,
				  (void *)(intptr_t)leader) < 0) {
			int error = -errno;

			strbuf_addf(err, "two events cannot share a ring: %s",
				    strerror(-error));
			return error;
		}
	}
	return 0;
}

static int open_with_rings(struct evlist *c, const struct evlist_setup *setup,
			   size_t ring_size, struct strbuf *err)
{
	int error;

	*c = (struct evlist){
		.sys = setup->sys,
		.events = setup->ladder->rungs.len,
		.format = evlist_format(setup->mode),
		.ring_size = ring_size,
		.scope = setup->scope,
	};
	error = open_cpus(c, setup, err);
	if (error)
		return error;
	error = map_rings(c);
	if (error)
		strbuf_addf(err,
			    "no memory for the rings of %zu CPUs: %s; allow more with: sudo "
			    "sysctl kernel.perf_event_mlock_kb=%zu",
			    c->cpus, strerror(-error), ring_size / 1024 + 4);
	return error ? error : redirect(c, err);
}

/* Rings as large as the limit on locked memory lets us: mlock_kb, RLIMIT_MEMLOCK. */
int evlist_open(struct evlist *c, const struct evlist_setup *setup,
		  struct strbuf *err)
{
	for (size_t size = RING_MAX;; size /= 2) {
		int error = open_with_rings(c, setup, size, err);
		bool no_room = c->rings && (error == -EPERM || error == -ENOMEM);

		if (!no_room || size <= RING_MIN)
			return error;
		evlist_release(c);
		strbuf_clear(err);
	}
}

int evlist_register(const struct evlist *c, struct recording *rec)
{
	for (size_t i = 0; i < c->cpus * c->events; i++) {
		uint64_t id;

		if (c->sys->ioctl(c->fds[i], PERF_EVENT_IOC_ID, &id) < 0)
			return -errno;
		recording_add_event(rec, id, (uint32_t)(i % c->events));
	}
	return 0;
}

void evlist_start(const struct evlist *c)
{
	for (size_t i = 0; c->scope == SCOPE_CPU && i < c->cpus * c->events; i++)
		c->sys->ioctl(c->fds[i], PERF_EVENT_IOC_ENABLE, NULL);
}

bool evlist_may_see_all(const struct sys *sys, const struct ladder *ladder)
{
	struct evlist_setup setup = { .ladder = ladder, .scope = SCOPE_CPU };
	struct record_format format = evlist_format(STACK_FP);

	vec_for_each(const struct rung, rung, &ladder->rungs) {
		struct perf_event_attr attr;
		int fd;

		fill_attr(&setup, rung, &format, false, RING_MIN, &attr);
		fd = sys->perf_event_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0)
			return false;
		sys->close(fd);
	}
	return true;
}

void evlist_stop(const struct evlist *c)
{
	for (size_t i = 0; i < c->cpus * c->events; i++)
		c->sys->ioctl(c->fds[i], PERF_EVENT_IOC_DISABLE, NULL);
}

/*
 * An event of a task on one CPU is enabled all the while that the task runs, on whatever
 * CPU, and running only on its own: so each CPU tells the whole of the enabled time, and
 * a part of the running time.  (A kernel that does it otherwise shows by the sum.)
 */
struct evlist_total evlist_total(const struct evlist *c, size_t index)
{
	struct evlist_total sum = { 0 };
	uint64_t enabled = 0;

	for (size_t cpu = 0; cpu < c->cpus; cpu++) {
		uint64_t value[4]; /* count, enabled, running, id */

		if (c->sys->read(c->fds[cpu * c->events + index], value, sizeof(value)) !=
		    (ssize_t)sizeof(value))
			continue;
		sum.value += value[0];
		if (value[1] > sum.enabled_ns)
			sum.enabled_ns = value[1];
		enabled += value[1];
		sum.running_ns += value[2];
	}
	if (c->scope == SCOPE_CPU || sum.enabled_ns < sum.running_ns)
		sum.enabled_ns = enabled;
	return sum;
}

void evlist_release(struct evlist *c)
{
	for (size_t cpu = 0; c->rings && cpu < c->cpus; cpu++)
		ring_unmap(&c->rings[cpu]);
	for (size_t i = 0; i < c->cpus * c->events; i++)
		if (c->fds[i] >= 0)
			c->sys->close(c->fds[i]);
	free(c->fds);
	free(c->rings);
	*c = (struct evlist){ 0 };
}
