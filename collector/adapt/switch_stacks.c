/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/switch_stacks.h"

#include "sample/evlist_unit.h"

enum {
	LEAST_NS = 1000000, /* shorter times say nothing of a rate */
	ONE_IN_MAX = 1 << 20,
};

void switch_stacks_init(struct switch_stacks *s, struct evlist *evlist,
			const struct recording *rec)
{
	*s = (struct switch_stacks){ 0 };
	if (!rec->waiting || rec->waiting->sampled == WAITING_NO_EVENT ||
	    rec->waiting->keeps)
		return;
	s->evlist = evlist;
	s->waiting = rec->waiting;
	s->looked_ns = evlist->sys->now();
	for (size_t cpu = 0; cpu < evlist->cpus; cpu++)
		*vec_push(&s->cpus) = (struct switch_stacks_cpu){
			.one_in = 1,
			.left = SWITCH_STACKS_SAVED,
		};
}

void switch_stacks_release(struct switch_stacks *s)
{
	vec_release(&s->cpus);
}

uint64_t switch_stacks_next(struct switch_stacks_cpu *c, uint64_t count, uint64_t ns)
{
	const double more = (double)ns * SWITCH_STACKS_RATE / 1e9;
	double one_in = 1;

	c->left += more - (double)count / (double)c->one_in;
	if (c->left > SWITCH_STACKS_SAVED)
		c->left = SWITCH_STACKS_SAVED;
	if (c->left < 0)
		c->left = 0;
	if (c->left < (double)count) /* if as many come again */
		one_in = (double)count / (more + 1) + 1;
	c->one_in = one_in < ONE_IN_MAX ? (uint64_t)one_in : ONE_IN_MAX;
	return c->one_in;
}

bool switch_stacks_is_due(struct switch_stacks_cpu *c, size_t source)
{
	const uint64_t was = source == c->source && c->sent ? c->sent : 1;
	const uint64_t by = c->one_in > was ? c->one_in - was : was - c->one_in;

	c->source = source;
	c->sent = was;
	if (!by || (by < was / 4 + (was % 4 != 0) && c->one_in > 1))
		return false;
	c->sent = c->one_in;
	return true;
}

void switch_stacks_look(struct switch_stacks *s, uint64_t now)
{
	const uint64_t ns = now - s->looked_ns;

	if (!s->evlist || now < s->looked_ns || ns < LEAST_NS)
		return;
	s->looked_ns = now;
	for (size_t cpu = 0; cpu < s->cpus.len; cpu++) {
		struct switch_stacks_cpu *c = &s->cpus.data[cpu];
		uint64_t all = waiting_outs(s->waiting,
					    (uint32_t)s->evlist->cpu_numbers.data[cpu]);

		switch_stacks_next(c, all - c->seen, ns);
		if (switch_stacks_is_due(
			    c, evlist_source(s->evlist, cpu, s->waiting->sampled)))
			evlist_set_period(s->evlist, cpu, s->waiting->sampled, c->one_in);
		c->seen = all;
	}
}
