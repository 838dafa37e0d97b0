/* SPDX-License-Identifier: Apache-2.0 */
#include "model/concurrency.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Instants at which a number goes up or down. */
struct instants {
	uint64_t *data;
	size_t len, cap;
};

enum { RUN, REST, DOUBT, SURE, KINDS };

struct edges {
	struct instants at[KINDS]; /* DOUBT: a state unknown begins; SURE: it ends */
};

/* ---- order ---- */

static bool is_sorted(const struct instants *at)
{
	for (size_t i = 1; i < at->len; i++)
		if (at->data[i] < at->data[i - 1])
			return false;
	return true;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* By one digit, into TO: equal ones stay in order. */
static void deal(const struct instants *from, unsigned shift, uint64_t *to)
{
	size_t first[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < from->len; i++)
		first[(from->data[i] >> shift & (DIGITS - 1)) + 1]++;
	for (size_t d = 1; d < DIGITS; d++)
		first[d + 1] += first[d];
	for (size_t i = 0; i < from->len; i++)
		to[first[from->data[i] >> shift & (DIGITS - 1)]++] = from->data[i];
}

/* Millions: a comparison sort would take most of the time. */
static void sort(struct instants *at)
{
	uint64_t *other, most = 0;

	if (is_sorted(at))
		return;
	other = xcalloc(at->len, sizeof(*other));
	for (size_t i = 0; i < at->len; i++)
		most |= at->data[i];
	for (unsigned shift = 0; shift < 64 && most >> shift; shift += DIGIT_BITS) {
		uint64_t *was = at->data;

		deal(at, shift, other);
		at->data = other;
		other = was;
	}
	at->cap = at->len;
	free(other);
}

/* ---- what happens when ---- */

/* What is outside the span is crafted. */
static void add_wait(struct edges *edges, struct life_span span, enum exp_state state,
		     uint64_t end, uint64_t weight)
{
	uint64_t start = end > weight ? end - weight : 0;

	start = start > span.from_ns ? start : span.from_ns;
	end = end < span.to_ns ? end : span.to_ns;
	if (start >= end)
		return;
	*vec_push(&edges->at[REST]) = start;
	*vec_push(&edges->at[RUN]) = end;
	if (state != EXP_STATE_UNKNOWN)
		return;
	*vec_push(&edges->at[DOUBT]) = start;
	*vec_push(&edges->at[SURE]) = end;
}

static void read_edges(struct edges *edges, const struct source *source,
		       struct life_span span)
{
	struct experiment *exp = source->exp;
	enum exp_state *states = source_states(source);
	bool *alive = threads_alive(exp);
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	int more;

	vec_for_each(const struct exp_life, life, &exp->lives) {
		*vec_push(&edges->at[RUN]) = life->from_ns;
		*vec_push(&edges->at[REST]) = life->to_ns;
	}
	while ((more = experiment_next(exp, &walk, &s)) != 0)
		for (size_t i = 0; more > 0 && i < s.count; i++) {
			enum exp_state state = states[s.event[i]];

			if (state < EXP_STATES &&
			    alive[exp->threads.data[s.thread[i]].last])
				add_wait(edges, span, state, s.time_ns[i], s.weight[i]);
		}
	exp_walk_release(&walk);
	free(states);
	free(alive);
}

/* ---- the sweep ---- */

/* The next instant of all; false: there is none. */
static bool next_instant(const struct edges *edges, const size_t *next, uint64_t *out)
{
	bool any = false;

	for (int k = 0; k < KINDS; k++)
		if (next[k] < edges->at[k].len &&
		    (!any || edges->at[k].data[next[k]] < *out)) {
			*out = edges->at[k].data[next[k]];
			any = true;
		}
	return any;
}

/* How many went up and not down, at most MOST: a crafted recording's may be more. */
static size_t difference(const size_t *next, int up, int down, size_t most)
{
	size_t n = next[up] > next[down] ? next[up] - next[down] : 0;

	return n < most ? n : most;
}

/* Adds the time from one instant to the next to the row of their number, up to MOST. */
static void sweep(const struct edges *edges, struct running *rows, size_t most)
{
	size_t next[KINDS] = { 0 };
	uint64_t before = 0, now = 0;

	while (next_instant(edges, next, &now)) {
		struct running *row = &rows[difference(next, RUN, REST, most)];

		/* nothing has happened before the first */
		if (next[RUN] || next[REST]) {
			row->ns += now - before;
			if (difference(next, DOUBT, SURE, 1))
				row->unknown_ns += now - before;
		}
		for (int k = 0; k < KINDS; k++)
			while (next[k] < edges->at[k].len &&
			       edges->at[k].data[next[k]] == now)
				next[k]++;
		before = now;
	}
}

void concurrency_read(struct concurrency *out, const struct source *source)
{
	struct edges edges = { 0 };
	struct running *rows;
	size_t most = source->exp->threads.len;

	*out = (struct concurrency){ .span = life_span(source) };
	read_edges(&edges, source, out->span);
	for (int k = 0; k < KINDS; k++)
		sort(&edges.at[k]);
	rows = xcalloc(most + 1, sizeof(*rows));
	sweep(&edges, rows, most);
	for (size_t n = 0; n <= most; n++)
		if (rows[n].ns) {
			rows[n].threads = n;
			*vec_push(&out->rows) = rows[n];
		}
	free(rows);
	for (int k = 0; k < KINDS; k++)
		vec_release(&edges.at[k]);
}

void concurrency_release(struct concurrency *concurrency)
{
	vec_release(&concurrency->rows);
}
