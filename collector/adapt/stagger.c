/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/stagger.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/random.h>

#include "base/thread_time.h"
#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"

enum {
	SHORT_LIVED_MIN = 4, /* this many tasks that ended early are worth a generation */
	FDS_MAX = 512,
	COST_ONE_IN = 50, /* a generation lasts this many times as long as opening it */
};

#define LASTS_NS     100000000u
#define LASTS_MAX_NS 1000000000u
#define PARENT_NS    1000000000u /* a task that started none for so long is no owner */
#define DRAW_NS      2000000u

/* The golden ratio's fraction: steps of it are spread evenly over [0, 1). */
#define STEP 0.6180339887498949

static bool has_random_periods(const struct event *event)
{
	return event->unit == EVENT_UNIT_NS && !event->freq && !event->group &&
	       !event->part && !event->not_program && event->type == PERF_TYPE_SOFTWARE;
}

static void plan_events(struct stagger *s)
{
	const struct ladder *ladder = s->evlist->setup.ladder;
	long rate = sys_read_number(s->evlist->sys,
				    "/proc/sys/kernel/perf_event_max_sample_rate", 0);
	struct stagger_book *book = &s->rec->stagger;

	for (size_t e = 0; e < ladder->rungs.len && e < STAGGER_EVENTS; e++) {
		const struct event *event = &ladder->rungs.data[e].event;

		if (!has_random_periods(event))
			continue;
		book->plans[e] = stagger_plan_make(event->period,
						   rate > 0 ? (uint64_t)rate : 0);
		book->format = sample_event_format(event, &s->evlist->format);
		book->format.sample_type |= PERF_SAMPLE_READ;
	}
}

void stagger_init(struct stagger *s, struct evlist *evlist, struct recording *rec)
{
	const struct evlist_setup *setup = &evlist->setup;

	*s = (struct stagger){ .random = evlist->sys->now() };
	if (setup->scope != SCOPE_TASK || !setup->follow ||
	    !(setup->ladder->features & ATTR_INHERIT_READ))
		return;
	s->evlist = evlist;
	s->rec = rec;
	s->lasts_ns = LASTS_NS;
	if (getrandom(&s->random, sizeof(s->random), GRND_NONBLOCK) < 0)
		s->random ^= (uint64_t)errno << 32; /* the time must do */
	plan_events(s);
}

bool stagger_is_possible(const struct stagger *s)
{
	return s->evlist;
}

bool stagger_is_on(const struct stagger *s)
{
	return s->fds.len;
}

/* Uniform in [0, 1): splitmix64. */
static double draw(struct stagger *s)
{
	uint64_t z = s->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* ---- a generation ---- */

static int open_one(struct stagger *s, const struct event *event, pid_t task, size_t cpu,
		    uint64_t period)
{
	const struct evlist *c = s->evlist;
	struct perf_event_attr attr;
	int fd;

	sample_attr(&c->setup, event, &c->format, c->ring_size, c->stack_bytes, &attr);
	attr.sample_type = s->rec->stagger.format.sample_type;
	attr.sample_period = period;
	attr.disabled = attr.enable_on_exec = 0;
	fd = c->sys->perf_event_open(&attr, task, c->cpu_numbers.data[cpu], -1,
				     PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0 && !evlist_share_ring(c, fd, cpu)) {
		c->sys->close(fd);
		return -EINVAL;
	}
	return fd < 0 ? -errno : fd;
}

/* False if no more can be opened for this task. */
static bool open_event(struct stagger *s, struct stagger_generation *g, uint32_t e,
		       pid_t task, size_t cpu)
{
	const struct event *event = &s->evlist->setup.ladder->rungs.data[e].event;
	double u = draw(s);
	uint64_t id;
	int fd = open_one(s, event, task, cpu,
			  stagger_plan_period(&s->rec->stagger.plans[e], u));

	if (fd < 0)
		return false;
	*vec_push(&s->fds) = (struct stagger_fd){ fd, e, u };
	if (s->evlist->sys->ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0)
		return false;
	*vec_push(&g->ids) = (struct stagger_id){ id, e };
	return true;
}

static void close_beyond(struct stagger *s, size_t len)
{
	while (s->fds.len > len)
		s->evlist->sys->close(s->fds.data[--s->fds.len].fd);
}

/* All its CPUs, or none. */
static void open_owner(struct stagger *s, struct stagger_generation *g, pid_t task)
{
	const struct stagger_book *book = &s->rec->stagger;
	size_t before = s->fds.len, ids = g->ids.len;

	for (size_t cpu = 0; cpu < s->evlist->cpus; cpu++)
		for (uint32_t e = 0; e < STAGGER_EVENTS; e++) {
			if (!(book->plans[e].period > 0) ||
			    open_event(s, g, e, task, cpu))
				continue;
			close_beyond(s, before);
			g->ids.len = ids;
			return;
		}
	*vec_push(&g->owners) = (uint32_t)task;
}

/* WORKED_NS without the time in which the reader had no CPU. */
static uint64_t lasts_for(uint64_t worked_ns)
{
	uint64_t lasts = worked_ns * COST_ONE_IN;

	return lasts < LASTS_NS ? LASTS_NS : lasts > LASTS_MAX_NS ? LASTS_MAX_NS : lasts;
}

/* Tasks started meanwhile are sampled by the ordinary events. */
static void open_generation(struct stagger *s, uint64_t now)
{
	struct stagger_book *book = &s->rec->stagger;
	struct stagger_generation *g = stagger_book_begin(book);
	uint64_t began = thread_time_ns(), end;

	for (size_t i = 0; i < STAGGER_PARENTS && s->fds.len < FDS_MAX; i++) {
		const struct stagger_parent *p = &book->parents[i];

		if (p->tid && now - p->time_ns < PARENT_NS)
			open_owner(s, g, (pid_t)p->tid);
	}
	end = s->evlist->sys->now();
	if (g->owners.len)
		g->from_ns = end;
	s->lasts_ns = lasts_for(thread_time_ns() - began);
	s->short_lived = book->short_lived;
	s->opened_ns = s->drawn_ns = end;
}

/* Closing an event ends it in all that have inherited it. */
static void close_generation(struct stagger *s, uint64_t now)
{
	stagger_book_end(&s->rec->stagger, now);
	close_beyond(s, 0);
}

/*
 * Tasks started from now on get other periods.  The owner's period restarts too, but its
 * samples do not count.
 */
static void draw_periods(struct stagger *s, uint64_t now)
{
	vec_for_each(struct stagger_fd, at, &s->fds) {
		uint64_t period;

		at->u += STEP;
		at->u -= at->u >= 1;
		period = stagger_plan_period(&s->rec->stagger.plans[at->event], at->u);
		s->evlist->sys->ioctl(at->fd, PERF_EVENT_IOC_PERIOD, &period);
	}
	s->drawn_ns = now;
}

void stagger_round(struct stagger *s, uint64_t now)
{
	if (!s->evlist)
		return;
	if (stagger_is_on(s) && now - s->opened_ns >= s->lasts_ns)
		close_generation(s, now);
	if (!stagger_is_on(s) &&
	    s->rec->stagger.short_lived - s->short_lived >= SHORT_LIVED_MIN)
		open_generation(s, now);
	else if (stagger_is_on(s) && now - s->drawn_ns >= DRAW_NS)
		draw_periods(s, now);
}

void stagger_stop(struct stagger *s)
{
	if (stagger_is_on(s))
		close_generation(s, s->evlist->sys->now());
}

void stagger_release(struct stagger *s)
{
	if (s->evlist)
		close_beyond(s, 0);
	vec_release(&s->fds);
	*s = (struct stagger){ 0 };
}
