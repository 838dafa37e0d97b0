/* SPDX-License-Identifier: Apache-2.0 */
#include "page/slots.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum {
	TICKS_MOST = 1 << 20,
	TICKS_LEAST = 400, /* coarser time is useless */
	UNITS = 32,        /* of a sample whose weight varies */
};

/* ---- the samples ---- */

const struct timeline *page_timeline(const struct page_times *times,
				     const struct page_thread *thread, size_t metric)
{
	return &times->moments[thread->source]
			.lines[thread->row * times->model->metrics.len + metric];
}

static void add_threads(struct page_times *times, uint32_t source)
{
	const struct experiment *exp = times->model->sources.data[source].exp;

	for (uint32_t row = 0; row < exp->threads.len; row++) {
		struct page_thread thread = { source, row };
		bool any = false;

		for (size_t m = 0; m < times->model->metrics.len; m++) {
			const struct timeline *line = page_timeline(times, &thread, m);

			if (!line->moments.len)
				continue;
			any = true;
			if (line->moments.data[line->moments.len - 1].time_ns >
			    times->end_ns)
				times->end_ns =
					line->moments.data[line->moments.len - 1].time_ns;
		}
		if (any)
			*vec_push(&times->threads) = thread;
	}
}

/* ---- the tick ---- */

/* Counts entries: MARK by node has the last slot in which it was. */
struct tally {
	uint64_t *mark, slot;
	size_t entries;
};

static void tally_line(struct tally *t, const struct timeline *line, const uint32_t *leaf,
		       uint64_t tick_ns)
{
	uint64_t last = UINT64_MAX;

	vec_for_each(const struct moment, m, &line->moments) {
		uint64_t tick = m->time_ns / tick_ns;
		uint32_t node = leaf[m->node];

		t->slot += tick != last;
		last = tick;
		t->entries += t->mark[node] != t->slot;
		t->mark[node] = t->slot;
	}
}

static size_t count_entries(const struct page_times *times,
			    const struct page_stacks *stacks, uint64_t tick_ns)
{
	struct tally t = { .mark = xcalloc(stacks->nodes.len, sizeof(*t.mark)) };

	vec_for_each(const struct page_thread, thread, &times->threads)
		for (size_t m = 0; m < times->model->metrics.len; m++)
			tally_line(&t, page_timeline(times, thread, m),
				   stacks->leaf[thread->source], tick_ns);
	free(t.mark);
	return t.entries;
}

uint64_t page_next_step(uint64_t step)
{
	uint64_t power = 1;

	while (power <= step / 10)
		power *= 10;
	return step / power == 2 ? 5 * power : 2 * step;
}

size_t page_times_choose_tick(struct page_times *times, const struct page_stacks *stacks,
			      size_t entries)
{
	uint64_t tick = PAGE_TICK_LEAST_NS, end = times->end_ns;
	size_t count;

	while (end / tick >= TICKS_MOST)
		tick = page_next_step(tick);
	while ((count = count_entries(times, stacks, tick)) > entries &&
	       end / page_next_step(tick) >= TICKS_LEAST)
		tick = page_next_step(tick);
	times->tick_ns = tick;
	times->ticks = (uint32_t)(end / tick) + 1;
	return count;
}

void page_times_read(struct page_times *out, struct session *s)
{
	const struct model *model = &s->model;
	struct frame_map frames;

	*out = (struct page_times){ .model = model };
	out->moments = xcalloc(model->sources.len + 1, sizeof(*out->moments));
	session_frames(s, &frames);
	for (uint32_t i = 0; i < model->sources.len; i++) {
		const struct experiment *exp = model->sources.data[i].exp;

		moments_read(&out->moments[i], model, i, &frames);
		if (exp->log.duration_ns > out->end_ns)
			out->end_ns = exp->log.duration_ns;
		vec_for_each(const struct exp_life, life, &exp->lives)
			if (life->to_ns > out->end_ns)
				out->end_ns = life->to_ns;
		add_threads(out, i);
	}
	frame_map_release(&frames);
}

uint32_t *page_thread_numbers(const struct page_times *times, uint32_t source)
{
	const struct experiment *exp = times->model->sources.data[source].exp;
	uint32_t *out = xcalloc(exp->threads.len + 1, sizeof(*out));

	for (size_t t = 0; t < times->threads.len; t++) {
		const struct page_thread *thread = &times->threads.data[t];

		if (thread->source == source)
			out[exp->threads.data[thread->row].last] = (uint32_t)t + 1;
	}
	return out;
}

void page_times_release(struct page_times *times)
{
	for (size_t i = 0; i < times->model->sources.len; i++)
		moments_release(&times->moments[i]);
	free(times->moments);
	vec_release(&times->threads);
}

/* ---- the unit of weights ---- */

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Exact where all weights are few multiples of one number; else a part of the mean. */
static void choose_unit(struct page_slots *out, const struct page_times *times,
			uint32_t metric)
{
	uint64_t divisor = 0, samples = 0, weight = 0, mean;

	vec_for_each(const struct page_thread, thread, &times->threads) {
		vec_for_each(const struct moment, m,
			     &page_timeline(times, thread, metric)->moments) {
			divisor = divisor_of(m->weight, divisor);
			weight_add(&weight, m->weight);
			samples++;
		}
	}
	mean = samples ? weight / samples : 0;
	out->weight_unit = divisor ? divisor : 1;
	if (mean / out->weight_unit > UNITS)
		out->weight_unit = mean / UNITS;
	out->units = (mean + out->weight_unit / 2) / out->weight_unit;
}

/* ---- the columns ---- */

/* What a slot has of a node, and what its weights in units are short of so far. */
struct part {
	uint64_t samples, weight;
	int64_t short_of;
	bool there;
};

struct writer {
	struct page_slots *out;
	struct part *parts;  /* by node */
	VEC(uint32_t) nodes; /* of the slot */
	uint32_t last_node;  /* the first of the slot before */
};

static void put(struct writer *w, enum page_column column, uint64_t value)
{
	strbuf_add_varint(&w->out->columns[column], value);
}

uint64_t page_units(const struct page_slots *slots, uint64_t weight, int64_t *short_of)
{
	__int128 exact = (__int128)weight + *short_of;
	__int128 units = (exact + (__int128)(slots->weight_unit / 2)) /
			 (__int128)slots->weight_unit;

	if (exact < 0)
		units = 0;
	*short_of = (int64_t)(exact - units * (__int128)slots->weight_unit);
	return (uint64_t)units;
}

static int by_number(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static void put_slot(struct writer *w)
{
	uint32_t before;

	qsort(w->nodes.data, w->nodes.len, sizeof(*w->nodes.data), by_number);
	put(w, PAGE_SLOT_ENTRIES, w->nodes.len - 1);
	before = w->last_node;
	for (size_t i = 0; i < w->nodes.len; i++) {
		uint32_t node = w->nodes.data[i];
		struct part *part = &w->parts[node];
		uint64_t units = page_units(w->out, part->weight, &part->short_of);

		put(w, PAGE_ENTRY_NODE,
		    i ? node - before : page_zigzag((uint64_t)node - before));
		put(w, PAGE_ENTRY_SAMPLES, part->samples);
		put(w, PAGE_ENTRY_WEIGHT,
		    page_zigzag(units - part->samples * w->out->units));
		w->out->node_units[node] += units;
		before = node;
		*part = (struct part){ .short_of = part->short_of };
	}
	w->last_node = w->nodes.data[0];
	w->out->entries += w->nodes.len;
	vec_clear(&w->nodes);
}

static void add_moment(struct writer *w, uint32_t node, uint64_t weight, bool sample)
{
	struct part *part = &w->parts[node];

	if (!part->there)
		*vec_push(&w->nodes) = node;
	part->there = true;
	part->samples += sample;
	weight_add(&part->weight, weight);
}

/* All of one thread. */
static void put_line(struct writer *w, const struct page_times *times,
		     const struct timeline *line, const uint32_t *leaf)
{
	uint64_t slots = 0, last = 0;

	vec_for_each(const struct moment, m, &line->moments) {
		uint64_t tick = m->time_ns / times->tick_ns;

		if (!slots || tick != last) {
			if (slots)
				put_slot(w);
			put(w, PAGE_SLOT_TICK, tick - last);
			last = tick;
			slots++;
		}
		add_moment(w, leaf[m->node], m->weight, m->counted);
	}
	if (slots)
		put_slot(w);
	put(w, PAGE_THREAD_SLOTS, slots);
}

void page_slots_write(struct page_slots *out, const struct page_times *times,
		      const struct page_stacks *stacks, uint32_t metric)
{
	struct writer w = { .out = out };

	*out = (struct page_slots){ 0 };
	choose_unit(out, times, metric);
	w.parts = xcalloc(stacks->nodes.len, sizeof(*w.parts));
	out->node_units = xcalloc(stacks->nodes.len, sizeof(*out->node_units));
	vec_for_each(const struct page_thread, thread, &times->threads)
		put_line(&w, times, page_timeline(times, thread, metric),
			 stacks->leaf[thread->source]);
	vec_release(&w.nodes);
	free(w.parts);
}

void page_slots_release(struct page_slots *slots)
{
	for (int i = 0; i < PAGE_COLUMNS; i++)
		strbuf_release(&slots->columns[i]);
	free(slots->node_units);
}
