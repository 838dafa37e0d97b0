/* SPDX-License-Identifier: Apache-2.0 */
#include "model/life_parts.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct life_span life_span(const struct source *source)
{
	struct life_span span = { UINT64_MAX, 0 };

	vec_for_each(const struct exp_life, life, &source->exp->lives) {
		span.from_ns = life->from_ns < span.from_ns ? life->from_ns
							    : span.from_ns;
		span.to_ns = life->to_ns > span.to_ns ? life->to_ns : span.to_ns;
	}
	if (span.from_ns > span.to_ns)
		return (struct life_span){ 0 };
	return span;
}

/*
 * Where the time of a thread goes in each part; SLOT: from the start of its times.  ROW:
 * any of the thread's.
 */
static void fill(struct life_parts *p, const struct experiment *exp, uint32_t row,
		 size_t slot, uint64_t from_ns, uint64_t to_ns)
{
	size_t index = p->index[exp->threads.data[row].last];
	uint64_t base = p->from_ns;

	if (!index)
		return;
	from_ns = from_ns > base ? from_ns - base : 0;
	to_ns = to_ns > base ? to_ns - base : 0;
	for (size_t i = (size_t)(from_ns / p->part_ns); i < p->parts && from_ns < to_ns;
	     i++) {
		uint64_t end = i + 1 < p->parts ? (i + 1) * p->part_ns : UINT64_MAX;
		struct thread_time *time = &p->times[(index - 1) * p->parts + i];
		uint64_t until = end < to_ns ? end : to_ns;

		weight_add(slot ? &time->state_ns[slot - 1] : &time->life_ns,
			   until - from_ns);
		from_ns = until;
	}
}

/* All waits of a source, whatever the filter. */
static void fill_waits(struct life_parts *p, const struct source *source)
{
	struct experiment *exp = source->exp;
	struct exp_walk walk = { 0 };
	enum exp_state *states = source_states(source);
	struct exp_samples s;
	int more;

	while ((more = experiment_next(exp, &walk, &s)) != 0)
		for (size_t i = 0; more > 0 && i < s.count; i++) {
			enum exp_state state = states[s.event[i]];
			uint64_t weight = s.weight[i], end = s.time_ns[i];

			if (state < EXP_STATES)
				fill(p, exp, s.thread[i], state + 1,
				     end > weight ? end - weight : 0, end);
		}
	exp_walk_release(&walk);
	free(states);
}

void life_parts_read(struct life_parts *out, const struct source *source,
		     struct life_span span, size_t parts, const uint32_t *threads,
		     size_t count)
{
	const struct experiment *exp = source->exp;
	uint64_t length = span.to_ns - span.from_ns;

	*out = (struct life_parts){
		.parts = parts,
		.from_ns = span.from_ns,
		.part_ns = length / parts + (length % parts > 0),
	};
	out->part_ns += !out->part_ns;
	out->times = xcalloc(count + 1, parts * sizeof(*out->times));
	out->index = xcalloc(exp->threads.len + 1, sizeof(*out->index));
	for (size_t i = 0; i < count; i++)
		out->index[threads[i]] = (uint32_t)i + 1;
	vec_for_each(const struct exp_life, life, &exp->lives)
		fill(out, exp, life->thread, 0, life->from_ns, life->to_ns);
	fill_waits(out, source);
	for (size_t i = 0; i < count * parts; i++)
		thread_time_find_cpu(&out->times[i]);
}

void life_parts_release(struct life_parts *parts)
{
	free(parts->times);
	free(parts->index);
	*parts = (struct life_parts){ 0 };
}
