/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracepoint of wakings (waking.h), which has no place in units: two events a CPU, whatever
 * the units are for, that write to the CPU's ring.  The kernel calls the event opened last
 * first.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"

/* All programs of a busy machine may wake, and fill a ring with stacks, before anybody looks. */
enum { STACKS_FIRST = 7 };

uint64_t evlist_waking_first(enum waking_kind kind)
{
	return kind == WAKING_STACKED ? STACKS_FIRST : 1;
}

#define OF_STACKS                                                                        \
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |      \
	 PERF_SAMPLE_STACK_USER)

static int open_on(struct evlist *c, const struct evlist_setup *setup, size_t cpu,
		   enum waking_kind kind)
{
	struct evlist_setup machine = *setup;
	struct perf_event_attr attr;
	int fd;

	machine.scope = SCOPE_CPU;
	sample_attr(&machine, &setup->waking->event, &c->format, c->ring_size,
		    evlist_waking_copy_bytes(c), &attr);
	attr.disabled = 1;
	attr.sample_period = evlist_waking_first(kind);
	if (kind == WAKING_BARE) {
		attr.sample_type &= ~(uint64_t)OF_STACKS;
		attr.branch_sample_type = attr.sample_regs_user = 0;
		attr.sample_stack_user = 0;
	}
	fd = c->sys->perf_event_open(&attr, -1, c->cpu_numbers.data[cpu], -1,
				     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	*vec_push(&c->wakings) = fd;
	return evlist_share_ring(c, fd, cpu) ? 0 : -errno;
}

int evlist_open_wakings(struct evlist *c, const struct evlist_setup *setup,
			struct strbuf *err)
{
	const size_t count = setup->waking ? c->cpus * WAKING_KINDS : 0;
	int error = 0;

	for (size_t i = 0; i < count && !error; i++)
		error = open_on(c, setup, i / WAKING_KINDS,
				(enum waking_kind)(i % WAKING_KINDS));
	if (error == -EMFILE)
		evlist_files_refused(c, setup, err);
	else if (error)
		strbuf_addf(err, "-w wakers: %s cannot be opened: %s",
			    setup->waking->event.raw, strerror(-error));
	return error;
}

static void register_formats(const struct evlist *c, struct sources *sources)
{
	struct record_format format = sample_event_format(&c->setup.waking->event,
							  &c->format);

	sources_set_format(sources, c->setup.waking_event + WAKING_STACKED, &format);
	format.sample_type &= ~(uint64_t)OF_STACKS;
	format.branch_type = format.regs_user = 0;
	sources_set_format(sources, c->setup.waking_event + WAKING_BARE, &format);
}

int evlist_register_wakings(const struct evlist *c, struct sources *sources)
{
	for (uint32_t i = 0; i < c->wakings.len; i++) {
		uint64_t id;

		if (c->sys->ioctl(c->wakings.data[i], PERF_EVENT_IOC_ID, &id) < 0)
			return -errno;
		sources_add(sources, id, c->setup.waking_event + i % WAKING_KINDS, -1);
	}
	if (c->wakings.len)
		register_formats(c, sources);
	return 0;
}

int evlist_start_wakings(const struct evlist *c)
{
	vec_for_each(const int, fd, &c->wakings)
		if (c->sys->ioctl(*fd, PERF_EVENT_IOC_ENABLE, NULL) < 0)
			return -errno;
	return 0;
}

void evlist_stop_wakings(const struct evlist *c)
{
	vec_for_each(const int, fd, &c->wakings)
		c->sys->ioctl(*fd, PERF_EVENT_IOC_DISABLE, NULL);
}

void evlist_set_waking_period(const struct evlist *c, size_t cpu, enum waking_kind kind,
			      uint64_t period)
{
	const size_t i = cpu * WAKING_KINDS + kind;

	if (i < c->wakings.len)
		c->sys->ioctl(c->wakings.data[i], PERF_EVENT_IOC_PERIOD, &period);
}
