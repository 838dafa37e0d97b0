/* SPDX-License-Identifier: Apache-2.0 */
#include "adapt/switch_stacks.h"

#include "events/rate.h"
#include "recording/wakers.h"
#include "sample/evlist_unit.h"

enum {
	LEAST_NS = 1000000, /* shorter times say nothing of a rate */
	ONE_IN_MAX = 1 << 20,
};

void switch_stacks_init(struct switch_stacks *s, struct evlist *evlist,
			const struct recording *rec)
{
	/* an event that the user asked for keeps its interval */
	const bool thins = rec->waiting && rec->waiting->sampled != WAITING_NO_EVENT &&
			   !rec->waiting->keeps;
	struct switch_stacks_cpu begun = { .one_in = 1,
					   .left_ns = SWITCH_STACKS_SAVED_NS };

	*s = (struct switch_stacks){ 0 };
	if (!thins && !rec->wakers)
		return;
	s->evlist = evlist;
	s->waiting = rec->waiting;
	s->looked_ns = evlist->sys->now();
	s->wakers = rec->wakers;
	begun.stack_ns = switch_stacks_cost(evlist_switch_copy_bytes(evlist));
	for (size_t cpu = 0; cpu < evlist->cpus; cpu++) {
		if (thins)
			*vec_push(&s->cpus) = begun;
		for (int kind = 0; kind < WAKING_KINDS; kind++) {
			begun.one_in = begun.sent = evlist_waking_first(
				(enum waking_kind)kind);
			*vec_push(&s->wakings[kind]) = begun;
		}
		begun.one_in = 1;
		begun.sent = 0;
	}
}

void switch_stacks_release(struct switch_stacks *s)
{
	vec_release(&s->cpus);
	for (int kind = 0; kind < WAKING_KINDS; kind++)
		vec_release(&s->wakings[kind]);
}

double switch_stacks_cost(double bytes)
{
	return SWITCH_STACKS_STACK_NS + bytes / 1024 * SWITCH_STACKS_KIB_NS;
}

/* What the records of COUNT switches leave for stacks, of NS nanoseconds. */
static double budget_of(uint64_t count, uint64_t ns)
{
	const double records = (double)count * SWITCH_STACKS_RECORDS_NS,
		     least = (double)ns * SWITCH_STACKS_SHARE_LEAST,
		     rest = (double)ns * SWITCH_STACKS_SHARE - records;

	return rest > least ? rest : least;
}

/*
 * Two threads that take turns leave at every other switch: of each second one, all were of the
 * same thread.  An odd prime has no such beat with a few threads.
 */
static uint64_t odd_prime_from(uint64_t n)
{
	n |= 1;
	while (rate_prime(n) != n)
		n += 2;
	return n;
}

/* There were COUNT, and samples of EACH_NS may take MORE. */
static uint64_t thin_out(struct switch_stacks_cpu *c, uint64_t count, double more,
			 double each_ns)
{
	double one_in = 1;

	c->left_ns += more - (double)count / (double)c->one_in * each_ns;
	if (c->left_ns > SWITCH_STACKS_SAVED_NS)
		c->left_ns = SWITCH_STACKS_SAVED_NS;
	if (c->left_ns < 0)
		c->left_ns = 0;
	if (c->left_ns < (double)count * each_ns) /* if as many come again */
		one_in = (double)count / (more / each_ns + 1) + 1;
	if (one_in > ONE_IN_MAX)
		one_in = ONE_IN_MAX;
	c->one_in = one_in >= 2 ? odd_prime_from((uint64_t)one_in) : 1;
	return c->one_in;
}

uint64_t switch_stacks_next(struct switch_stacks_cpu *c, uint64_t count, uint64_t ns,
			    double stack_ns)
{
	return thin_out(c, count, budget_of(count, ns), stack_ns);
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

/* How many wakings there were is known only by their samples. */
static void look_at_wakings(struct switch_stacks *s, size_t cpu, enum waking_kind kind,
			    uint64_t ns)
{
	struct switch_stacks_cpu *c = &s->wakings[kind].data[cpu];
	const uint32_t number = (uint32_t)s->evlist->cpu_numbers.data[cpu];
	const uint64_t all = wakers_samples(s->wakers, number, kind);
	const double each = kind == WAKING_STACKED
				    ? switch_stacks_cost(
					      evlist_waking_copy_bytes(s->evlist))
				    : SWITCH_STACKS_BARE_NS;

	thin_out(c, (all - c->seen.stacks) * (c->sent ? c->sent : 1),
		 (double)ns * SWITCH_STACKS_SHARE_WAKINGS, each);
	if (switch_stacks_is_due(c, 0))
		evlist_set_waking_period(s->evlist, cpu, kind, c->one_in);
	c->seen.stacks = all;
}

bool switch_stacks_rests(struct switch_stacks_cpu *c, const struct waiting_cpu *count,
			 uint64_t ns, double stack_ns)
{
	c->debt_ns += (double)count->stacks * stack_ns - budget_of(count->outs, ns);
	if (c->debt_ns <= 0) {
		c->debt_ns = 0;
		c->rests = false;
	}
	if (c->debt_ns > SWITCH_STACKS_SAVED_NS)
		c->rests = true;
	return c->rests;
}

/* An event that the user asked for never rests. */
static void rest(struct switch_stacks *s, size_t cpu, const struct waiting_cpu *count,
		 uint64_t ns)
{
	struct switch_stacks_cpu *c = &s->cpus.data[cpu];
	const bool rested = c->rests;

	if (s->evlist->scope != SCOPE_TASK || s->waiting->keeps)
		return;
	if (switch_stacks_rests(c, count, ns, c->stack_ns) != rested)
		evlist_run_event(s->evlist, cpu, s->waiting->sampled, rested);
}

/* What came since the last look. */
static struct waiting_cpu take_count(struct switch_stacks *s, size_t cpu)
{
	const uint32_t number = (uint32_t)s->evlist->cpu_numbers.data[cpu];
	const struct waiting_cpu all = waiting_of_cpu(s->waiting, number),
				 before = s->cpus.data[cpu].seen;

	s->cpus.data[cpu].seen = all;
	return (struct waiting_cpu){ all.outs - before.outs, all.stacks - before.stacks,
				     all.bytes - before.bytes };
}

static void look_at_cpu(struct switch_stacks *s, size_t cpu, uint64_t ns)
{
	struct switch_stacks_cpu *c = &s->cpus.data[cpu];
	const struct waiting_cpu count = take_count(s, cpu);
	const size_t sampled = s->waiting->sampled;

	if (count.stacks)
		c->stack_ns = switch_stacks_cost((double)count.bytes /
						 (double)count.stacks);
	switch_stacks_next(c, count.outs, ns, c->stack_ns);
	if (switch_stacks_is_due(c, evlist_source(s->evlist, cpu, sampled)))
		evlist_set_period(s->evlist, cpu, sampled, c->one_in);
	rest(s, cpu, &count, ns);
}

void switch_stacks_look(struct switch_stacks *s, uint64_t now)
{
	const uint64_t ns = now - s->looked_ns;

	if (!s->evlist || now < s->looked_ns || ns < LEAST_NS)
		return;
	s->looked_ns = now;
	for (size_t cpu = 0; cpu < s->evlist->cpus; cpu++) {
		if (cpu < s->cpus.len)
			look_at_cpu(s, cpu, ns);
		for (int kind = 0; s->wakers && kind < WAKING_KINDS; kind++)
			look_at_wakings(s, cpu, (enum waking_kind)kind, ns);
	}
}

void switch_stacks_forget(struct switch_stacks *s)
{
	vec_for_each(struct switch_stacks_cpu, c, &s->cpus)
		c->rests = false;
}
