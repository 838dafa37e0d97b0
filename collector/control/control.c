/* SPDX-License-Identifier: Apache-2.0 */
#include "control/control.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "control/rest.h"
#include "experiment/write.h"

void control_init(struct control *c, const struct control_setup *setup)
{
	*c = (struct control){ .setup = *setup };
	points_init(&c->points, &setup->points, setup->rec, setup->evlist);
}

static uint64_t since_start(const struct control *c, uint64_t time_ns)
{
	const uint64_t start = c->setup.rec->start_ns;

	return time_ns > start ? time_ns - start : 0;
}

void control_begin(struct control *c, uint64_t now)
{
	struct spans *times = &c->setup.rec->times;

	c->wanted = times->list.len ? times->list.data[0]
				    : (struct span){ 0, UINT64_MAX };
	c->points.due_ns = now + c->setup.points.every_ns;
	if (!c->setup.paused)
		return;
	c->paused = c->was_paused = true;
	spans_end(times, 0);
}

/* They have no samples that could be left out: they count only while others are kept. */
static void sockets_follow(struct control *c, uint64_t now)
{
	if (!c->paused && !c->ended && since_start(c, now) >= c->wanted.from)
		sockets_start(c->setup.sockets);
	else
		sockets_pause(c->setup.sockets);
}

/* What comes too late begins when the records that are written end. */
static uint64_t takes_effect(uint64_t time_ns, uint64_t taken_ns)
{
	return time_ns > taken_ns ? time_ns : taken_ns;
}

static void pause_at(struct control *c, uint64_t time_ns)
{
	if (c->paused || evlist_pause(c->setup.evlist))
		return;
	c->setup.rec->blurred |= evlist_was_full(c->setup.evlist);
	spans_end(&c->setup.rec->times, since_start(c, time_ns));
	c->paused = c->was_paused = true;
	sockets_pause(c->setup.sockets);
}

static void resume_at(struct control *c, uint64_t time_ns)
{
	const uint64_t now = c->setup.evlist->sys->now();
	uint64_t from;

	if (!c->paused || evlist_resume(c->setup.evlist))
		return;
	from = since_start(c, takes_effect(time_ns, now));
	spans_add(&c->setup.rec->times, from > c->wanted.from ? from : c->wanted.from,
		  c->wanted.to);
	c->paused = false;
	sockets_follow(c, now);
}

static void stop_regions(struct control *c, uint64_t at_ns)
{
	if (c->setup.regions)
		regions_stop(c->setup.regions, at_ns);
}

void control_stop(struct control *c, uint64_t now)
{
	const bool late = since_start(c, now) > c->wanted.to;

	stop_regions(c, late ? c->setup.rec->start_ns + c->wanted.to : now);
	spans_end(&c->setup.rec->times, since_start(c, now));
	control_end(c, now, NULL);
}

static void end_at(struct control *c, uint64_t time_ns)
{
	pause_at(c, time_ns);
	stop_regions(c, time_ns);
	c->ended = true;
}

void control_request(struct control *c, enum control_kind kind, enum exp_point_kind why,
		     uint64_t time_ns, uint64_t taken_ns, const char *name)
{
	const uint64_t at = takes_effect(time_ns, taken_ns);

	if (c->ended)
		return;
	if (kind == CONTROL_TOGGLE)
		kind = c->paused ? CONTROL_RESUME : CONTROL_PAUSE;
	switch (kind) {
	case CONTROL_PAUSE:
		pause_at(c, at);
		break;
	case CONTROL_RESUME:
		resume_at(c, at);
		break;
	case CONTROL_END:
		end_at(c, at);
		break;
	default:
		points_add(&c->points, why, time_ns, name);
	}
}

/* ---- of the program ---- */

struct asked {
	enum channel_request request;
	uint64_t time_ns;
	uint32_t number; /* in the order in which they were read */
	char *name;
};

struct asked_list {
	struct asked *data;
	size_t len, cap;
};

static void take_request(void *ctx, enum channel_request request, uint64_t time_ns,
			 const char *name)
{
	struct asked_list *list = ctx;

	*vec_push(list) = (struct asked){ request, time_ns, (uint32_t)list->len,
					  name ? xstrdup(name) : NULL };
}

/* Processes are read one after another. */
static int by_time(const void *va, const void *vb)
{
	const struct asked *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

void control_take(struct control *c, uint64_t taken_ns)
{
	static const enum control_kind kinds[] = {
		[CHANNEL_PAUSE] = CONTROL_PAUSE,
		[CHANNEL_RESUME] = CONTROL_RESUME,
		[CHANNEL_POINT] = CONTROL_POINT,
		[CHANNEL_TERMINATE] = CONTROL_END,
	};
	struct asked_list list = { 0 };

	if (!c->setup.regions)
		return;
	regions_requests(c->setup.regions, take_request, &list);
	if (list.len)
		qsort(list.data, list.len, sizeof(*list.data), by_time);
	vec_for_each(struct asked, asked, &list) {
		if (asked->request >= CHANNEL_PAUSE &&
		    asked->request <= CHANNEL_TERMINATE)
			control_request(c, kinds[asked->request], EXP_POINT_PROGRAM,
					asked->time_ns, taken_ns, asked->name);
		free(asked->name);
	}
	vec_release(&list);
}

/* ---- by time ---- */

void control_round(struct control *c, uint64_t now)
{
	const uint64_t every = c->setup.points.every_ns;

	sockets_follow(c, now);
	if (!every || c->ended || now < c->points.due_ns)
		return;
	points_add(&c->points, EXP_POINT_PERIOD, now, NULL);
	c->points.due_ns += every;
	if (c->points.due_ns <= now) /* we were stopped */
		c->points.due_ns = now + every;
}

int control_rest_ms(const struct control *c, uint64_t now, int rest_ms)
{
	const uint64_t passed = since_start(c, now);

	if (c->ended)
		return rest_ms;
	if (passed < c->wanted.from)
		rest_ms = rest_until(c->wanted.from, passed, rest_ms);
	return c->setup.points.every_ns ? rest_until(c->points.due_ns, now, rest_ms)
					: rest_ms;
}

/* ---- the end ---- */

void control_end(struct control *c, uint64_t now, const struct usage *last)
{
	points_end(&c->points, now, last);
	c->ended = true;
}

/* What a recording takes to notice the end of a program is no part that is left out. */
static bool ends_before(const struct spans *times, uint64_t end)
{
	enum { NOTICED_NS = 100000000 };
	const struct span *last = times->list.len ? &times->list.data[times->list.len - 1]
						  : NULL;

	return last && last->to < end && end - last->to > NOTICED_NS;
}

bool control_write_spans(const struct control *c, uint64_t end_ns)
{
	const struct recording *rec = c->setup.rec;
	const uint64_t end = since_start(c, end_ns);

	if (!c->was_paused && !rec->late && !ends_before(&rec->times, end))
		return false;
	if (!spans_length(&rec->times, 0, end))
		exp_write_row(rec->writer, EXP_SPANS,
			      (uint64_t[EXP_SPAN_COLUMNS]){ end, end });
	vec_for_each(const struct span, span, &rec->times.list)
		if (span->from < end)
			exp_write_row(
				rec->writer, EXP_SPANS,
				(uint64_t[EXP_SPAN_COLUMNS]){
					span->from, span->to < end ? span->to : end });
	return true;
}
