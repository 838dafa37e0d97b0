/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "sample/evlist_unit.h"
#include "sample/pace.h"

enum { INTERVAL_MIN = 10000 }; /* 2 % of a shorter one is hardly a change */

/*
 * Software events that are no clock have no period to vary; the kernel itself varies the
 * interval of a rate; members of a group do not sample.
 */
static bool may_vary(const struct evlist *c, size_t e)
{
	const struct event *event = &c->setup.ladder->rungs.data[e].event;

	return c->setup.vary && !event->freq && !event->member &&
	       !event_is_counted_by_kernel(event) && event->period >= INTERVAL_MIN;
}

/* Splitmix64: any seed will do. */
static uint64_t draw_bits(struct evlist *c)
{
	uint64_t z = c->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* If the kernel refuses, the interval stays fixed from now on. */
static void vary(struct evlist *c, int fd, struct pace *pace, bool running)
{
	uint64_t interval = pace_draw(pace->nominal, draw_bits(c));
	uint64_t now = c->sys->now();

	if (c->sys->ioctl(fd, PERF_EVENT_IOC_PERIOD, &interval) < 0)
		interval = pace->now;
	pace_change(pace, interval, now, running && interval != pace->now);
}

/* Those of a unit's events that are not here stay 0, and are never asked. */
static uint32_t *latest_of(struct evlist *c, size_t unit, size_t e)
{
	while (c->latest.len < c->owners.len * c->events)
		*vec_push(&c->latest) = 0;
	return &c->latest.data[unit * c->events + e];
}

size_t evlist_source(const struct evlist *c, size_t unit, size_t e)
{
	size_t i = unit * c->events + e;

	return i < c->latest.len ? c->latest.data[i] : EVLIST_UNREGISTERED;
}

void evlist_vary_first(struct evlist *c, int fd, size_t unit, size_t e,
		       const struct sources *sources, struct source *source)
{
	struct pace *pace = &source->pace;

	*latest_of(c, unit, e) = (uint32_t)(source - sources->v.data);
	if (!may_vary(c, e))
		return;
	pace->nominal = pace->now = c->setup.ladder->rungs.data[e].event.period;
	vary(c, fd, pace, false);
}

/* A CPU's clock runs while the CPU is idle, when it is not sampled. */
static bool counts_idle(const struct evlist *c, size_t e)
{
	return c->scope == SCOPE_CPU &&
	       c->setup.ladder->rungs.data[e].event.unit == EVENT_UNIT_NS;
}

void evlist_vary_on(const struct evlist *c, struct sources *sources, size_t unit,
		    size_t e, size_t former, uint64_t counted)
{
	if (former != EVLIST_UNREGISTERED && !counts_idle(c, e))
		pace_hand_over(&sources->v.data[former].pace, counted,
			       &sources->v.data[evlist_source(c, unit, e)].pace);
}

void evlist_set_period(const struct evlist *c, size_t cpu, size_t e, uint64_t period)
{
	for (size_t unit = cpu; unit < c->owners.len; unit += c->cpus) {
		int fd = *evlist_event_fd(c, unit, e);

		if (fd != EVLIST_NOT_HERE)
			c->sys->ioctl(fd, PERF_EVENT_IOC_PERIOD, &period);
	}
}

void evlist_vary(struct evlist *c, struct sources *sources)
{
	for (size_t i = 0; i < c->latest.len; i++) {
		const size_t unit = i / c->events, e = i % c->events;
		struct pace *pace = &sources->v.data[c->latest.data[i]].pace;
		int fd = *evlist_event_fd(c, unit, e);

		if (fd != EVLIST_NOT_HERE && pace_is_due(pace))
			vary(c, fd, pace, true);
	}
}
