/* SPDX-License-Identifier: Apache-2.0 */
#include "page/states.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "model/lives.h"

enum {
	LIFE,               /* the first kind */
	BUCKETS_LEAST = 400 /* coarser time is useless */
};

/* Part of a life, or a wait. */
struct phase {
	uint64_t from_ns, to_ns;
	uint32_t thread, kind; /* of the page; while they are read, 1 + the state */
};

struct phases {
	VEC(struct phase) rows;
	bool seen[EXP_STATES];
};

/* ---- the recording's ---- */

static void add(struct phases *to, uint32_t thread, uint32_t kind, uint64_t from_ns,
		uint64_t to_ns)
{
	if (thread && from_ns < to_ns)
		*vec_push(&to->rows) = (struct phase){ from_ns, to_ns, thread - 1, kind };
}

static void add_waits(struct phases *to, const struct source *source,
		      const uint32_t *threads)
{
	struct experiment *exp = source->exp;
	enum exp_state *states = source_states(source);
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	int more;

	while ((more = experiment_next(exp, &walk, &s)) != 0)
		for (size_t i = 0; more > 0 && i < s.count; i++) {
			enum exp_state state = states[s.event[i]];
			uint64_t end = s.time_ns[i], weight = s.weight[i];
			uint32_t thread = threads[exp->threads.data[s.thread[i]].last];

			if (state == EXP_STATES)
				continue;
			to->seen[state] |= thread > 0;
			add(to, thread, state + 1, end > weight ? end - weight : 0, end);
		}
	exp_walk_release(&walk);
	free(states);
}

static void add_source(struct phases *to, const struct page_times *times, uint32_t index)
{
	const struct source *source = &times->model->sources.data[index];
	const struct experiment *exp = source->exp;
	uint32_t *threads;

	if (!source_has_lives(source))
		return;
	threads = page_thread_numbers(times, index);
	vec_for_each(const struct exp_life, life, &exp->lives)
		add(to, threads[exp->threads.data[life->thread].last], LIFE,
		    life->from_ns, life->to_ns);
	add_waits(to, source, threads);
	free(threads);
}

/* Only the states that occur keep a number. */
static void number_kinds(struct page_states *out, struct phases *in)
{
	uint32_t kind_of[EXP_STATES + 1] = { LIFE };

	*vec_push(&out->kinds) = EXP_STATES;
	for (int s = 0; s < EXP_STATES; s++) {
		if (!in->seen[s])
			continue;
		kind_of[s + 1] = (uint32_t)out->kinds.len;
		*vec_push(&out->kinds) = (enum exp_state)s;
	}
	vec_for_each(struct phase, phase, &in->rows)
		phase->kind = kind_of[phase->kind];
}

static int by_thread(const void *va, const void *vb)
{
	const struct phase *a = va, *b = vb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->to_ns < b->to_ns ? -1 : a->to_ns > b->to_ns;
}

/* ---- runs ---- */

/* One kind of one thread: buckets beside each other with as much in each are a run. */
struct writer {
	struct page_states *out; /* NULL: only counts */
	uint64_t bucket_ns;
	uint64_t from, length, ns; /* the last run; LENGTH 0: there is none */
	uint64_t end;              /* of the run before it */
	size_t runs;
};

static void end_run(struct writer *w)
{
	if (!w->length)
		return;
	w->runs++;
	if (w->out) {
		strbuf_add_varint(&w->out->gap, w->from - w->end);
		strbuf_add_varint(&w->out->length, w->length - 1);
		/* most buckets are full */
		strbuf_add_varint(&w->out->ns, w->bucket_ns - w->ns);
	}
	w->end = w->from + w->length;
	w->length = 0;
}

/* COUNT buckets from BUCKET on, which is no earlier than the last one. */
static void put_buckets(struct writer *w, uint64_t bucket, uint64_t count, uint64_t ns)
{
	/* the rest of a bucket that already has something */
	if (w->length && bucket + 1 == w->from + w->length) {
		uint64_t before = w->ns;

		w->length--;
		if (!w->length)
			ns += before;
		else {
			end_run(w);
			ns += before;
		}
	}
	if (w->length && bucket == w->from + w->length && ns == w->ns) {
		w->length += count;
		return;
	}
	end_run(w);
	w->from = bucket;
	w->length = count;
	w->ns = ns;
}

static void put_phase(struct writer *w, uint64_t from_ns, uint64_t to_ns)
{
	while (from_ns < to_ns) {
		uint64_t bucket = from_ns / w->bucket_ns;
		uint64_t start = bucket * w->bucket_ns, full;

		full = from_ns == start ? (to_ns - start) / w->bucket_ns : 0;
		if (full) {
			put_buckets(w, bucket, full, w->bucket_ns);
			from_ns += full * w->bucket_ns;
		} else {
			uint64_t end = to_ns - start < w->bucket_ns
					       ? to_ns
					       : start + w->bucket_ns;

			put_buckets(w, bucket, 1, end - from_ns);
			from_ns = end;
		}
	}
}

/* All of one kind of one thread, from row AT on; what overlaps counts once. */
static size_t put_group(struct writer *w, const struct phases *in, size_t at)
{
	const struct phase *first = &in->rows.data[at];
	uint64_t end_ns = 0;

	w->length = w->end = 0;
	for (; at < in->rows.len; at++) {
		const struct phase *row = &in->rows.data[at];

		if (row->thread != first->thread || row->kind != first->kind)
			break;
		put_phase(w, row->from_ns > end_ns ? row->from_ns : end_ns, row->to_ns);
		end_ns = row->to_ns > end_ns ? row->to_ns : end_ns;
	}
	end_run(w);
	return at;
}

static size_t count_runs(const struct phases *in, uint64_t bucket_ns)
{
	struct writer w = { .bucket_ns = bucket_ns };

	for (size_t at = 0; at < in->rows.len;)
		at = put_group(&w, in, at);
	return w.runs;
}

static void write_runs(struct page_states *out, const struct phases *in,
		       const struct page_times *times)
{
	struct writer w = { .out = out, .bucket_ns = times->tick_ns * out->bucket_ticks };
	size_t at = 0;

	for (uint32_t t = 0; t < times->threads.len; t++)
		for (uint32_t k = 0; k < out->kinds.len; k++) {
			const struct phase *row = &in->rows.data[at];
			size_t before = w.runs;

			if (at < in->rows.len && row->thread == t && row->kind == k)
				at = put_group(&w, in, at);
			strbuf_add_varint(&out->runs, w.runs - before);
		}
}

void page_states_read(struct page_states *out, const struct page_times *times,
		      size_t runs)
{
	struct phases in = { 0 };
	uint64_t ticks = 1;

	*out = (struct page_states){ 0 };
	for (uint32_t i = 0; i < times->model->sources.len; i++)
		add_source(&in, times, i);
	if (in.rows.len) {
		number_kinds(out, &in);
		qsort(in.rows.data, in.rows.len, sizeof(*in.rows.data), by_thread);
		while (times->ticks / page_next_step(ticks) >= BUCKETS_LEAST &&
		       count_runs(&in, ticks * times->tick_ns) > runs)
			ticks = page_next_step(ticks);
	}
	out->bucket_ticks = (uint32_t)ticks;
	write_runs(out, &in, times);
	vec_release(&in.rows);
}

void page_states_release(struct page_states *states)
{
	vec_release(&states->kinds);
	strbuf_release(&states->runs);
	strbuf_release(&states->gap);
	strbuf_release(&states->length);
	strbuf_release(&states->ns);
}
