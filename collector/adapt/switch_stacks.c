/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/switch_stacks.h"

#include "recording/wakers.h"
#include "sample/evlist_unit.h"

enum {
	LEAST_NS = 1000000, /* shorter times say nothing of a rate */
	ONE_IN_MAX = 1 << 20,
};

static const double rates[WAKING_KINDS] = {
	[WAKING_BARE] = SWITCH_BARE_RATE,
	[WAKING_STACKED] = SWITCH_STACKS_RATE,
};

struct switch_stacks_cpu switch_stacks_begin(double rate)
{
	return (struct switch_stacks_cpu){ .one_in = 1, .left = 2 * rate, .rate = rate };
}

void switch_stacks_init(struct switch_stacks *s, struct evlist *evlist,
			const struct recording *rec)
{
	*s = (struct switch_stacks){ 0 };
	if (!rec->waiting || rec->waiting->sampled == WAITING_NO_EVENT)
		return;
	s->evlist = evlist;
	s->waiting = rec->waiting;
	s->wakers = rec->wakers;
	s->looked_ns = evlist->sys->now();
	for (size_t cpu = 0; cpu < evlist->cpus; cpu++) {
		*vec_push(&s->cpus) = switch_stacks_begin(SWITCH_STACKS_RATE);
		for (int kind = 0; kind < WAKING_KINDS; kind++)
			*vec_push(&s->wakings[kind]) = switch_stacks_begin(rates[kind]);
	}
}

void switch_stacks_release(struct switch_stacks *s)
{
	vec_release(&s->cpus);
	for (int kind = 0; kind < WAKING_KINDS; kind++)
		vec_release(&s->wakings[kind]);
}

uint64_t switch_stacks_next(struct switch_stacks_cpu *c, uint64_t count, uint64_t ns)
{
	const double more = (double)ns * c->rate / 1e9;
	double one_in = 1;

	c->left += more - (double)count / (double)c->one_in;
	if (c->left > 2 * c->rate)
		c->left = 2 * c->rate;
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

static void look_at_switches(struct switch_stacks *s, size_t cpu, uint64_t ns)
{
	struct switch_stacks_cpu *c = &s->cpus.data[cpu];
	const uint32_t number = (uint32_t)s->evlist->cpu_numbers.data[cpu];
	const uint64_t all = waiting_outs(s->waiting, number);

	switch_stacks_next(c, all - c->seen, ns);
	if (switch_stacks_is_due(c, evlist_source(s->evlist, cpu, s->waiting->sampled)))
		evlist_set_period(s->evlist, cpu, s->waiting->sampled, c->one_in);
	c->seen = all;
}

/* How many wakings there were is known only by their samples. */
static void look_at_wakings(struct switch_stacks *s, size_t cpu, enum waking_kind kind,
			    uint64_t ns)
{
	struct switch_stacks_cpu *c = &s->wakings[kind].data[cpu];
	const uint32_t number = (uint32_t)s->evlist->cpu_numbers.data[cpu];
	const uint64_t all = wakers_samples(s->wakers, number, kind);

	switch_stacks_next(c, (all - c->seen) * (c->sent ? c->sent : 1), ns);
	if (switch_stacks_is_due(c, 0))
		evlist_set_waking_period(s->evlist, cpu, kind, c->one_in);
	c->seen = all;
}

void switch_stacks_look(struct switch_stacks *s, uint64_t now)
{
	const uint64_t ns = now - s->looked_ns;

	if (!s->evlist || now < s->looked_ns || ns < LEAST_NS)
		return;
	s->looked_ns = now;
	for (size_t cpu = 0; cpu < s->cpus.len; cpu++) {
		look_at_switches(s, cpu, ns);
		for (int kind = 0; s->wakers && kind < WAKING_KINDS; kind++)
			look_at_wakings(s, cpu, (enum waking_kind)kind, ns);
	}
}
