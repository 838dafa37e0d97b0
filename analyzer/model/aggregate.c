/* SPDX-License-Identifier: Apache-2.0 */
#include "model/aggregate.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "model/unsampled.h"

static uint64_t highest(const uint64_t *column, size_t count)
{
	uint64_t top = 0;

	for (size_t i = 0; i < count; i++)
		top = column[i] > top ? column[i] : top;
	return top;
}

static size_t cpu_slot(uint64_t cpu)
{
	return cpu < TOTALS_CPUS_MAX ? (size_t)cpu : TOTALS_CPUS_MAX - 1;
}

static size_t second_slot(const struct totals *t, uint64_t time_ns)
{
	uint64_t second = time_ns / 1000000000;
	size_t most = TOTALS_SECONDS_MAX / (t->events ? t->events : 1);

	return second < most ? (size_t)second : most ? most - 1 : 0;
}

/* By event: whether its rows are waits, which count without a stack too. */
static bool *find_waits(const struct experiment *exp)
{
	bool *waits = xcalloc(exp->log.events.len + 1, sizeof(*waits));

	for (size_t e = 0; e < exp->log.events.len; e++)
		waits[e] = *exp->log.events.data[e].state;
	return waits;
}

/* What a pass over the samples needs. */
struct pass {
	struct totals *totals;
	const struct filter_run *filter; /* NULL: all count */
	bool *unsampled;                 /* by node, … */
	size_t known;                    /* … of the first ones */
	const bool *waits;               /* by event */
	const struct division *division;
};

static void add_to(struct totals *t, size_t column, const struct exp_samples *s, size_t i,
		   struct value v)
{
	value_add(&t->node[column * t->nodes + s->node[i]], v);
	value_add(&t->thread[column * t->threads + s->thread[i]], v);
	value_add(&t->cpu[column * t->cpus + cpu_slot(s->cpu[i])], v);
	value_add(&t->second[column * t->seconds + second_slot(t, s->time_ns[i])], v);
	value_add(&t->whole[column], v);
}

static void add_sample(const struct pass *p, const struct exp_samples *s, size_t i)
{
	struct value v = {
		.weight = s->weight[i],
		.samples = p->waits[s->event[i]] || !p->unsampled[s->node[i]],
	};
	struct division_part part;
	size_t at = 0;

	add_to(p->totals, s->event[i], s, i, v);
	while (division_next(p->division, s->event[i], s->node[i], &at, &part))
		add_to(p->totals, part.column, s, i, division_value(&part, v));
}

static void add_block(const struct pass *p, const struct exp_samples *s)
{
	struct totals *t = p->totals;
	uint64_t end_ns = highest(s->time_ns, s->count);
	size_t seconds = second_slot(t, end_ns) + 1;

	/* twice the room: do not move a long run for every block */
	if (seconds > t->seconds)
		totals_widen(t->columns, &t->second, &t->seconds,
			     seconds > t->seconds * 2 ? seconds : t->seconds * 2);
	totals_widen(t->columns, &t->cpu, &t->cpus,
		     cpu_slot(highest(s->cpu, s->count)) + 1);
	for (size_t i = 0; i < s->count; i++)
		if (!p->filter || filter_admits(p->filter, s, i))
			add_sample(p, s, i);
	t->last_ns = end_ns > t->last_ns ? end_ns : t->last_ns;
}

/* Reading may have added nodes; twice the room: do not move all for every block. */
static void take_nodes(struct pass *p, const struct experiment *exp)
{
	struct totals *t = p->totals;
	const size_t nodes = exp->nodes.len;

	if (nodes > t->nodes) {
		totals_resize(t->columns, &t->node, &t->nodes, 2 * nodes);
		p->unsampled = xreallocarray(p->unsampled, 2 * nodes,
					     sizeof(*p->unsampled));
	}
	for (; p->known < nodes; p->known++)
		p->unsampled[p->known] = node_is_unsampled(exp, p->known);
}

void totals_read(struct totals *out, struct experiment *exp,
		 const struct filter_run *filter, const struct division *division,
		 struct progress *progress)
{
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	bool *waits = find_waits(exp);
	struct pass pass = { .totals = out,
			     .filter = filter,
			     .unsampled = unsampled_nodes(exp),
			     .known = exp->nodes.len,
			     .waits = waits,
			     .division = division };
	int more;

	totals_init(out, exp, division->count, 0, 0);
	while ((more = experiment_next(exp, &walk, &block)) != 0) {
		take_nodes(&pass, exp);
		if (more > 0)
			add_block(&pass, &block);
		else
			out->damaged_blocks++;
		progress_step(progress, "reading samples", walk.next, exp->extents.len);
	}
	totals_resize(out->columns, &out->node, &out->nodes, exp->nodes.len);
	exp_walk_release(&walk);
	free(pass.unsampled);
	free(waits);
}

struct value aggregate_value(const struct source *source, const bool *unsampled,
			     const struct exp_samples *s, size_t i)
{
	return (struct value){ s->weight[i], is_sample(source->exp, unsampled, s, i) };
}

void aggregate_sample(struct value *row, const struct source *source,
		      const bool *unsampled, const struct exp_samples *s, size_t i)
{
	struct value v = aggregate_value(source, unsampled, s, i);
	struct division_part part;
	size_t at = 0;

	value_add(&row[source->metric[s->event[i]]], v);
	while (division_next(&source->division, s->event[i], s->node[i], &at, &part))
		value_add(&row[source->metric[part.column]], division_value(&part, v));
}
