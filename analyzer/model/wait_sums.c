/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wait_sums.h"

#include <stdlib.h>

#include "model/sample_walk.h"
#include "base/xalloc.h"

/* A thread's waits in one row, in whose state it may idle. */
struct stay {
	uint32_t thread, row;
	uint64_t sum_ns, waits;
	bool idle;
};

/* One source's. */
struct wait_reader {
	struct wait_sums *out;
	const struct model *model;
	size_t source;
	const struct frame_map *frames;
	unsigned states;
	bool all;
	enum exp_state *state_of; /* by event */
	uint32_t *place_of;       /* by node */
	size_t nodes;
	uint32_t *row_of;   /* [event × nodes + node], from 1; 0: not known yet */
	uint64_t *life_of;  /* by thread's last row */
	unsigned *may_idle; /* the same: in which states it may, a bit each */
	bool *alive;        /* the same */
	bool any_may;       /* a thread of the source may idle */
	bool others;        /* there are waits of no stay */
	VEC(struct stay) stays;
	struct idmap stay_ids; /* thread, row */
	wait_taker *take;      /* NULL: nobody wants each wait */
	bool gives_first;      /* at the first reading */
	void *ctx;
};

/* In the others a thread has work to do. */
#define IDLE_STATES                                                                      \
	(1U << EXP_STATE_LOCK | 1U << EXP_STATE_SLEEP | 1U << EXP_STATE_NETWORK |        \
	 1U << EXP_STATE_PIPE | 1U << EXP_STATE_POLL | 1U << EXP_STATE_CHILD |           \
	 1U << EXP_STATE_TIMER | 1U << EXP_STATE_OTHER)

bool wait_may_idle(enum exp_state state)
{
	return IDLE_STATES & 1U << state;
}

static bool is_most(uint64_t ns, uint64_t life_ns)
{
	return (double)ns * 100 >= (double)life_ns * IDLE_PERCENT;
}

/*
 * A thread waits no longer in a place than in the state.  Few are in one state for so much
 * of their lives: only these need sums by place.
 */
static void find_who_may_idle(struct wait_reader *r)
{
	const struct source *source = &r->model->sources.data[r->source];
	const size_t threads = source->exp->threads.len;
	struct thread_time *times = thread_times(source);

	r->life_of = xcalloc(threads + 1, sizeof(*r->life_of));
	r->may_idle = xcalloc(threads + 1, sizeof(*r->may_idle));
	for (size_t t = 0; t < threads; t++) {
		r->life_of[t] = times[t].life_ns;
		for (int s = 0; s < EXP_STATES; s++)
			if (!r->all && IDLE_STATES & r->states & 1U << s &&
			    is_most(times[t].state_ns[s], times[t].life_ns))
				r->may_idle[t] |= 1U << s;
		r->any_may |= r->alive[t] && r->may_idle[t];
	}
	free(times);
}

static void reader_init(struct wait_reader *r)
{
	const struct source *source = &r->model->sources.data[r->source];
	const struct experiment *exp = source->exp;

	r->place_of = wait_places(r->model, r->source, r->frames);
	r->state_of = source_states(source);
	r->alive = threads_alive(exp);
	r->nodes = exp->nodes.len;
	r->row_of = xcalloc(exp->log.events.len + 1, (r->nodes + 1) * sizeof(*r->row_of));
	find_who_may_idle(r);
}

static void reader_release(struct wait_reader *r)
{
	free(r->place_of);
	free(r->state_of);
	free(r->row_of);
	free(r->life_of);
	free(r->may_idle);
	free(r->alive);
	vec_release(&r->stays);
	idmap_release(&r->stay_ids);
}

static uint32_t row_id(struct wait_sums *sums, enum exp_state state, uint32_t place)
{
	uint32_t next = (uint32_t)sums->rows.len;
	uint32_t id = idmap_intern(&sums->ids, place, state, next);

	if (id == next)
		*vec_push(&sums->rows) = (struct wait_row){ .state = state,
							    .place = place };
	return id;
}

/* PLACE is that of the stack. */
static uint32_t place_in(enum exp_state state, uint32_t place)
{
	return state == EXP_STATE_WAIT ? WAIT_ALL_PLACES : place;
}

static uint32_t row_of(struct wait_reader *r, size_t event, size_t node)
{
	uint32_t *row = &r->row_of[event * r->nodes + node];
	enum exp_state state = r->state_of[event];
	uint32_t place = r->place_of[node];

	if (!*row)
		*row = row_id(r->out, state, r->all ? place : place_in(state, place)) + 1;
	return *row - 1;
}

/* NULL: the thread cannot idle there. */
static struct stay *stay_of(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	uint32_t next = (uint32_t)r->stays.len, id;

	if (!(r->may_idle[wait->thread] & 1U << wait->state))
		return NULL;
	id = idmap_intern(&r->stay_ids, wait->thread, row, next);
	if (id == next)
		*vec_push(&r->stays) = (struct stay){ .thread = wait->thread,
						      .row = row };
	return &r->stays.data[id];
}

static void give(struct wait_reader *r, const struct wait *wait, uint32_t row, bool idle)
{
	struct wait given = *wait;

	given.place = r->out->rows.data[row].place;
	given.idle = idle;
	r->take(r->ctx, &given);
}

typedef void wait_fn(struct wait_reader *r, const struct wait *wait, uint32_t row);

static void take_wait(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	struct stay *stay = stay_of(r, wait, row);

	if (stay) {
		weight_add(&stay->sum_ns, wait->ns);
		stay->waits++;
	} else {
		r->others = true;
	}
	durations_add(&r->out->rows.data[row].durations, wait->ns);
	if (r->gives_first)
		give(r, wait, row, false);
}

/* Once more, when it is known which are idle: durations of rows with some, and all waits. */
static void take_again(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	const struct stay *stay = stay_of(r, wait, row);
	bool idle = stay && stay->idle;

	if (r->out->rows.data[row].idle_threads && !idle)
		durations_add(&r->out->rows.data[row].durations, wait->ns);
	if (r->take)
		give(r, wait, row, idle);
}

/* Gives each wait to TAKE. */
static void read_waits(struct wait_reader *r, wait_fn *take)
{
	const struct exp_thread *threads =
		r->model->sources.data[r->source].exp->threads.data;
	struct sample_walk walk;

	sample_walk_init(&walk, r->model, r->source, r->frames);
	while (sample_walk_next(&walk)) {
		const struct exp_samples *s = &walk.block;
		const size_t i = walk.at, event = s->event[i];
		const struct wait wait = {
			.source = r->source,
			.thread = threads[s->thread[i]].last,
			.state = r->state_of[event],
			.ns = s->weight[i],
			.end_ns = s->time_ns[i],
			.address = s->address[i],
			.waker = s->waker[i],
		};

		if (wait.state != EXP_STATES && r->states & 1U << wait.state &&
		    r->alive[wait.thread])
			take(r, &wait, row_of(r, event, s->node[i]));
	}
	sample_walk_release(&walk);
}

/* Finds idle stays; returns whether there are other waits. */
static bool find_idle(struct wait_reader *r)
{
	bool others = r->others;

	vec_for_each(struct stay, stay, &r->stays) {
		stay->idle = is_most(stay->sum_ns, r->life_of[stay->thread]);
		others |= !stay->idle;
	}
	return others;
}

/* ASIDE: idle ones are set aside. */
static void sum_idle(struct wait_reader *r, bool aside)
{
	struct wait_sums *out = r->out;

	vec_for_each(struct stay, stay, &r->stays) {
		struct wait_row *row = &out->rows.data[stay->row];

		stay->idle &= aside;
		if (!stay->idle)
			continue;
		row->idle_threads++;
		row->idle_waits += stay->waits;
		weight_add(&row->idle_ns, stay->sum_ns);
		out->idle_threads++;
		out->idle_waits += stay->waits;
		weight_add(&out->idle_ns, stay->sum_ns);
	}
}

/* Rows with idle waits start their durations anew. */
static void sum_rows(struct wait_sums *out)
{
	vec_for_each(struct wait_row, row, &out->rows) {
		weight_add(&out->sum_ns, row->durations.sum_ns);
		out->waits += row->durations.count;
		if (row->idle_threads)
			durations_release(&row->durations);
	}
}

/*
 * Reads all waits, and finds which are idle.  If none can be, they are given to the taker
 * meanwhile, which saves another reading.
 */
static void read_first(struct wait_reader *readers, size_t count)
{
	bool any_may = false, others = false;

	for (size_t i = 0; i < count; i++)
		any_may |= readers[i].any_may;
	for (size_t i = 0; i < count; i++) {
		readers[i].gives_first = readers[i].take && !any_may;
		read_waits(&readers[i], take_wait);
		others |= find_idle(&readers[i]);
	}
	for (size_t i = 0; i < count; i++)
		sum_idle(&readers[i], others);
}

void wait_sums_read_each(struct wait_sums *out, const struct model *model,
			 const struct frame_map *frames, unsigned states, bool all,
			 wait_taker *take, void *ctx)
{
	size_t sources = model->sources.len;
	struct wait_reader *readers = xcalloc(sources + 1, sizeof(*readers));

	*out = (struct wait_sums){ .life_ns = model_life_ns(model) };
	for (size_t i = 0; i < sources; i++) {
		readers[i] = (struct wait_reader){ .out = out,
						   .model = model,
						   .source = i,
						   .frames = frames,
						   .states = states,
						   .all = all,
						   .take = take,
						   .ctx = ctx };
		reader_init(&readers[i]);
	}
	read_first(readers, sources);
	sum_rows(out);
	for (size_t i = 0; i < sources; i++) {
		if (out->idle_threads || (take && !readers[i].gives_first))
			read_waits(&readers[i], take_again);
		reader_release(&readers[i]);
	}
	free(readers);
}

void wait_sums_read(struct wait_sums *out, const struct model *model,
		    const struct frame_map *frames, unsigned states, bool all)
{
	wait_sums_read_each(out, model, frames, states, all, NULL, NULL);
}

static void add_node(struct wait_sums *out, enum exp_state state, uint32_t place,
		     struct value v)
{
	struct durations *d;
	uint32_t row;

	if (!value_is_any(v))
		return;
	row = row_id(out, state, place); /* may move the rows */
	d = &out->rows.data[row].durations;
	d->count += v.samples;
	weight_add(&d->sum_ns, v.weight);
	out->waits += v.samples;
	weight_add(&out->sum_ns, v.weight);
}

void wait_sums_of_nodes(struct wait_sums *out, const struct model *model,
			const struct frame_map *frames, unsigned states)
{
	*out = (struct wait_sums){ .life_ns = model_life_ns(model) };
	for (size_t i = 0; i < model->sources.len; i++) {
		const struct source *source = &model->sources.data[i];
		const struct totals *totals = source_totals(model, source);
		enum exp_state *state = source_states(source);
		uint32_t *places = wait_places(model, i, frames);

		for (size_t e = 0; e < totals->events; e++)
			for (size_t n = 0; n < totals->nodes; n++)
				if (state[e] < EXP_STATES && states & 1U << state[e])
					add_node(out, state[e],
						 place_in(state[e], places[n]),
						 totals->node[e * totals->nodes + n]);
		free(state);
		free(places);
	}
}

bool thread_may_idle(const struct thread_time *time)
{
	for (int s = 0; s < EXP_STATES; s++)
		if (wait_may_idle((enum exp_state)s) && time->life_ns &&
		    (double)time->state_ns[s] * 100 >=
			    (double)time->life_ns * IDLE_PERCENT)
			return true;
	return false;
}

static int by_sum(const void *va, const void *vb)
{
	const struct wait_row *a = va, *b = vb;

	if (a->durations.sum_ns != b->durations.sum_ns)
		return a->durations.sum_ns > b->durations.sum_ns ? -1 : 1;
	if (a->durations.count != b->durations.count)
		return a->durations.count > b->durations.count ? -1 : 1;
	if (a->state != b->state)
		return a->state < b->state ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

void wait_sums_sort(struct wait_sums *sums)
{
	if (sums->rows.len)
		qsort(sums->rows.data, sums->rows.len, sizeof(*sums->rows.data), by_sum);
	idmap_release(&sums->ids);
}

void wait_sums_release(struct wait_sums *sums)
{
	vec_for_each(struct wait_row, row, &sums->rows)
		durations_release(&row->durations);
	vec_release(&sums->rows);
	idmap_release(&sums->ids);
}
