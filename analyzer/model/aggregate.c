/* SPDX-License-Identifier: Apache-2.0 */
#include "model/aggregate.h"

#include <stdlib.h>

#include "base/xalloc.h"

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

bool *aggregate_unsampled(const struct experiment *exp)
{
	bool *unsampled = xcalloc(exp->nodes.len + 1, sizeof(*unsampled));

	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_frame *frame =
			&exp->frames.data[exp->nodes.data[n].frame];

		unsampled[n] = frame->offset == EXP_UNSAMPLED &&
			       exp->modules.data[frame->module].kind ==
				       EXP_KIND_ARTIFICIAL;
	}
	return unsampled;
}

static void add_sample(struct totals *t, const struct exp_samples *s, size_t i,
		       const bool *unsampled)
{
	struct value v = { .weight = s->weight[i], .samples = !unsampled[s->node[i]] };
	size_t e = s->event[i];

	value_add(&t->node[e * t->nodes + s->node[i]], v);
	value_add(&t->thread[e * t->threads + s->thread[i]], v);
	value_add(&t->cpu[e * t->cpus + cpu_slot(s->cpu[i])], v);
	value_add(&t->second[e * t->seconds + second_slot(t, s->time_ns[i])], v);
	value_add(&t->whole[e], v);
}

static void add_block(struct totals *t, const struct exp_samples *s,
		      const struct filter_run *filter, const bool *unsampled)
{
	uint64_t end_ns = highest(s->time_ns, s->count);
	size_t seconds = second_slot(t, end_ns) + 1;

	/* twice the room: do not move a long run for every block */
	if (seconds > t->seconds)
		totals_widen(t->events, &t->second, &t->seconds,
			     seconds > t->seconds * 2 ? seconds : t->seconds * 2);
	totals_widen(t->events, &t->cpu, &t->cpus,
		     cpu_slot(highest(s->cpu, s->count)) + 1);
	for (size_t i = 0; i < s->count; i++)
		if (!filter || filter_admits(filter, s, i))
			add_sample(t, s, i, unsampled);
	t->last_ns = end_ns > t->last_ns ? end_ns : t->last_ns;
}

void totals_read(struct totals *out, struct experiment *exp,
		 const struct filter_run *filter, struct progress *progress)
{
	struct exp_walk walk = { 0 };
	struct exp_samples block;
	bool *unsampled = aggregate_unsampled(exp);
	int more;

	totals_init(out, exp, 0, 0);
	while ((more = experiment_next(exp, &walk, &block)) != 0) {
		if (more > 0)
			add_block(out, &block, filter, unsampled);
		else
			out->damaged_blocks++;
		progress_step(progress, "reading samples", walk.next, exp->extents.len);
	}
	exp_walk_release(&walk);
	free(unsampled);
}
