/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wait_sums.h"

#include <stdlib.h>

#include "model/sample_walk.h"
#include "base/xalloc.h"

/* A thread's waits in one row. */
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
	uint32_t *row_of;         /* [event × nodes + node], from 1; 0: not known yet */
	uint64_t *life_of;        /* by thread's last row */
	bool *alive;              /* the same */
	VEC(struct stay) stays;
	struct idmap stay_ids; /* thread, row */
	wait_taker *take;      /* NULL: nobody wants each wait */
	void *ctx;
};

static void reader_init(struct wait_reader *r)
{
	const struct source *source = &r->model->sources.data[r->source];
	const struct experiment *exp = source->exp;

	r->place_of = wait_places(r->model, r->source, r->frames);
	r->state_of = source_states(source);
	r->alive = threads_alive(exp);
	r->row_of = xcalloc(exp->log.events.len + 1,
			    (exp->nodes.len + 1) * sizeof(*r->row_of));
	r->life_of = xcalloc(exp->threads.len + 1, sizeof(*r->life_of));
	vec_for_each(const struct exp_life, life, &exp->lives)
		weight_add(&r->life_of[exp->threads.data[life->thread].last],
			   life->to_ns - life->from_ns);
}

static void reader_release(struct wait_reader *r)
{
	free(r->place_of);
	free(r->state_of);
	free(r->row_of);
	free(r->life_of);
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
	const struct experiment *exp = r->model->sources.data[r->source].exp;
	uint32_t *row = &r->row_of[event * exp->nodes.len + node];
	enum exp_state state = r->state_of[event];
	uint32_t place = r->place_of[node];

	if (!*row)
		*row = row_id(r->out, state, r->all ? place : place_in(state, place)) + 1;
	return *row - 1;
}

static struct stay *stay_of(struct wait_reader *r, uint32_t thread, uint32_t row)
{
	uint32_t next = (uint32_t)r->stays.len;
	uint32_t id = idmap_intern(&r->stay_ids, thread, row, next);

	if (id == next)
		*vec_push(&r->stays) = (struct stay){ .thread = thread, .row = row };
	return &r->stays.data[id];
}

typedef void wait_fn(struct wait_reader *r, const struct wait *wait, uint32_t row);

static void take_wait(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	struct stay *stay = stay_of(r, wait->thread, row);

	weight_add(&stay->sum_ns, wait->ns);
	stay->waits++;
	durations_add(&r->out->rows.data[row].durations, wait->ns);
}

/* Once more those of rows with some idle ones. */
static void take_again(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	if (r->out->rows.data[row].idle_threads && !stay_of(r, wait->thread, row)->idle)
		durations_add(&r->out->rows.data[row].durations, wait->ns);
}

static void give(struct wait_reader *r, const struct wait *wait, uint32_t row)
{
	struct wait given = *wait;

	given.state = r->out->rows.data[row].state;
	given.place = r->out->rows.data[row].place;
	given.idle = stay_of(r, wait->thread, row)->idle;
	r->take(r->ctx, &given);
}

/* Gives each wait to TAKE. */
static void read_waits(struct wait_reader *r, wait_fn *take)
{
	const struct experiment *exp = r->model->sources.data[r->source].exp;
	struct sample_walk walk;

	sample_walk_init(&walk, r->model, r->source, r->frames);
	while (sample_walk_next(&walk)) {
		const struct exp_samples *s = &walk.block;
		size_t event = s->event[walk.at];
		enum exp_state state = r->state_of[event];
		struct wait wait = {
			.source = r->source,
			.thread = exp->threads.data[s->thread[walk.at]].last,
			.ns = s->weight[walk.at],
			.end_ns = s->time_ns[walk.at],
			.address = s->address[walk.at],
			.waker = s->waker[walk.at],
		};

		if (state != EXP_STATES && r->states & 1U << state &&
		    r->alive[wait.thread])
			take(r, &wait, row_of(r, event, s->node[walk.at]));
	}
	sample_walk_release(&walk);
}

/* In the others a thread has work to do. */
#define IDLE_STATES                                                                      \
	(1U << EXP_STATE_LOCK | 1U << EXP_STATE_SLEEP | 1U << EXP_STATE_NETWORK |        \
	 1U << EXP_STATE_PIPE | 1U << EXP_STATE_POLL | 1U << EXP_STATE_CHILD |           \
	 1U << EXP_STATE_TIMER | 1U << EXP_STATE_OTHER)

bool wait_may_idle(enum exp_state state)
{
	return IDLE_STATES & 1U << state;
}

/* Finds idle stays; returns whether there are others. */
static bool find_idle(struct wait_reader *r)
{
	bool others = false;

	vec_for_each(struct stay, stay, &r->stays) {
		enum exp_state state = r->out->rows.data[stay->row].state;

		stay->idle = wait_may_idle(state) &&
			     (double)stay->sum_ns * 100 >=
				     (double)r->life_of[stay->thread] * IDLE_PERCENT;
		others |= !stay->idle;
	}
	return others;
}

static void sum_stays(struct wait_reader *r, bool aside)
{
	struct wait_sums *out = r->out;

	vec_for_each(struct stay, stay, &r->stays) {
		struct wait_row *row = &out->rows.data[stay->row];

		stay->idle &= aside;
		weight_add(&out->sum_ns, stay->sum_ns);
		out->waits += stay->waits;
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

void wait_sums_read_each(struct wait_sums *out, const struct model *model,
			 const struct frame_map *frames, unsigned states, bool all,
			 wait_taker *take, void *ctx)
{
	size_t sources = model->sources.len;
	struct wait_reader *readers = xcalloc(sources + 1, sizeof(*readers));
	bool others = false;

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
		read_waits(&readers[i], take_wait);
		others |= find_idle(&readers[i]);
	}
	for (size_t i = 0; i < sources; i++)
		sum_stays(&readers[i], !all && others);
	vec_for_each(struct wait_row, row, &out->rows)
		if (row->idle_threads)
			durations_release(&row->durations);
	for (size_t i = 0; i < sources; i++) {
		if (out->idle_threads)
			read_waits(&readers[i], take_again);
		if (take)
			read_waits(&readers[i], give);
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
