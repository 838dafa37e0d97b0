/* SPDX-License-Identifier: Apache-2.0 */
#include "aggregate.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

static struct value *zeroed(size_t rows, size_t columns)
{
	struct value *values = xreallocarray(NULL, rows ? rows : 1,
					     (columns ? columns : 1) * sizeof(*values));

	return memset(values, 0,
		      (rows ? rows : 1) * (columns ? columns : 1) * sizeof(*values));
}

/* Makes room for CPU numbers below CPUS: rows move apart. */
static void widen_cpus(struct totals *t, size_t cpus)
{
	struct value *wide = zeroed(t->events, cpus);

	for (size_t e = 0; e < t->events && t->cpus; e++)
		memcpy(wide + e * cpus, t->cpu + e * t->cpus, t->cpus * sizeof(*wide));
	free(t->cpu);
	t->cpu = wide;
	t->cpus = cpus;
}

static uint64_t highest(const uint64_t *column, size_t count)
{
	uint64_t top = 0;

	for (size_t i = 0; i < count; i++)
		top = column[i] > top ? column[i] : top;
	return top;
}

static size_t cpu_slot(uint64_t cpu)
{
	return cpu < AGGREGATE_CPUS_MAX ? (size_t)cpu : AGGREGATE_CPUS_MAX - 1;
}

static void add_block(struct totals *t, const struct exp_samples *s)
{
	size_t top = cpu_slot(highest(s->cpu, s->count));

	if (top >= t->cpus)
		widen_cpus(t, top + 1);
	for (size_t i = 0; i < s->count; i++) {
		struct value v = { .weight = s->weight[i], .samples = 1 };
		size_t e = s->event[i];

		value_add(&t->node[e * t->nodes + s->node[i]], v);
		value_add(&t->thread[e * t->threads + s->thread[i]], v);
		value_add(&t->cpu[e * t->cpus + cpu_slot(s->cpu[i])], v);
		value_add(&t->whole[e], v);
	}
	if (s->count && s->time_ns[s->count - 1] > t->last_ns)
		t->last_ns = s->time_ns[s->count - 1];
}

void totals_read(struct totals *out, struct experiment *exp)
{
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	int more;

	*out = (struct totals){
		.events = exp->log.events.len,
		.nodes = exp->nodes.len,
		.threads = exp->threads.len,
	};
	out->node = zeroed(out->events, out->nodes);
	out->thread = zeroed(out->events, out->threads);
	out->whole = zeroed(out->events, 1);
	while ((more = experiment_next(exp, &walk, &block)) != 0) {
		if (more > 0)
			add_block(out, &block);
		else
			out->damaged_blocks++;
	}
	exp_walk_release(&walk);
}

void totals_release(struct totals *totals)
{
	free(totals->node);
	free(totals->thread);
	free(totals->cpu);
	free(totals->whole);
	*totals = (struct totals){ 0 };
}
