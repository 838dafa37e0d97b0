/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/why_unsampled.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "finish/rates.h"

#define UNSAMPLED_SHARE 0.01 /* above it, say why */
#define UNCOUNTED_SHARE 0.1  /* of the unsampled time; above it, give this part */

/*
 * At a switch the kernel turns a task's or group's counters off before it stops charging
 * the old task, and on after it began to charge the new one.  Measured on Linux 6.18 in a
 * virtual machine, with 5,000 to 20,000 short sleeps and 0 to 400 us of work between
 * them: 8 to 12 us a switch, whatever the work, while samples and count agree.
 */
#define SWITCH_MIN_NS 200
#define SWITCH_MAX_NS 50000

uint64_t switches_behind(const struct summary *c, uint64_t ns)
{
	const struct target_usage *u = &c->target->usage;
	uint64_t switches = u->voluntary_switches + u->involuntary_switches;

	if (u->of != USAGE_OF_WAITED || c->rec->untraceable.tasks || !switches ||
	    ns / switches < SWITCH_MIN_NS || ns / switches > SWITCH_MAX_NS)
		return 0;
	return switches;
}

static uint64_t charged_ns(const struct summary *c)
{
	uint64_t all = c->target->user_ns + c->target->system_ns;
	uint64_t inside = c->target->in_group_ns;

	return c->evlist->scope == SCOPE_CGROUP && inside && inside < all ? inside : all;
}

/*
 * The part of the unsampled time that the event itself did not count.  At least: a clock
 * also counts what a hypervisor took.
 */
static uint64_t uncounted_ns(const struct summary *c, const struct exp_event *e)
{
	uint64_t charged = charged_ns(c), uncounted;

	if (!c->whole || strcmp(e->unit, "ns") != 0)
		return 0;
	uncounted = charged > e->count ? charged - e->count : 0;
	return uncounted < e->unsampled ? uncounted : e->unsampled;
}

static void add_uncounted(struct strbuf *out, const struct summary *c, uint64_t ns)
{
	uint64_t switches = switches_behind(c, ns);

	strbuf_addf(out, "%.3f s ", (double)ns / 1e9);
	if (switches)
		strbuf_addf(out, "in %" PRIu64 " context switches, when counters are off",
			    switches);
	else
		strbuf_addstr(out, "that the kernel charged and the event did not count");
}

static bool has_losses(const struct summary *c)
{
	return c->log->lost || c->log->lost_records;
}

/* After a thread's last sample less than one period is left; of more, losses are a cause. */
static bool is_last_periods(const struct summary *c, const struct exp_event *e,
			    uint64_t n)
{
	return c->evlist->scope == SCOPE_TASK &&
	       (has_losses(c) || strcmp(e->unit, "ns") != 0 ||
		n <= c->log->threads * e->period);
}

/* Why the event counted N that were not sampled. */
static void add_missed(struct strbuf *out, const struct summary *c,
		       const struct exp_event *e, uint64_t n)
{
	strbuf_addstr(
		out,
		is_last_periods(c, e, n)
			? "of threads after their last sample"
			: "when the clock's timer was late, or set anew at a switch");
	if (has_losses(c))
		strbuf_addstr(out, ", or when samples were lost");
}

/* User time alone is a part of both: how large a part is unknown. */
static void add_user_only(struct strbuf *out, const struct summary *c,
			  const struct exp_event *e, uint64_t uncounted)
{
	add_missed(out, c, e, e->unsampled);
	strbuf_addstr(out, ", or in the kernel when one was due");
	if (uncounted && switches_behind(c, uncounted))
		strbuf_addstr(out, ", or in context switches, when counters are off");
}

static void add_all(struct strbuf *out, const struct summary *c,
		    const struct exp_event *e, uint64_t uncounted, double all)
{
	uint64_t missed = e->unsampled - uncounted;
	bool says = (double)uncounted >= UNCOUNTED_SHARE * (double)e->unsampled;

	if (says)
		add_uncounted(out, c, uncounted);
	if (says && (double)missed < UNSAMPLED_SHARE * all)
		return;
	if (says)
		strbuf_addstr(out, "; the rest ");
	add_missed(out, c, e, missed);
}

double unsampled_share(const struct summary *c, size_t index)
{
	double unsampled = (double)c->log->events.data[index].unsampled;
	double all = unsampled + (double)c->rec->events.data[index].weight;

	return all > 0 ? unsampled / all : 0;
}

void unsampled_find_why(const struct summary *c, size_t index)
{
	struct exp_event *e = &c->log->events.data[index];
	uint64_t uncounted = uncounted_ns(c, e);
	struct strbuf why = { 0 };

	if (unsampled_share(c, index) < UNSAMPLED_SHARE)
		return;
	if (c->rec->events.data[index].stopped)
		strbuf_addstr(&why,
			      "of processes that the kernel stopped sampling, or of "
			      "threads after their last sample");
	else if (event_level(&c->ladder->rungs.data[index].event) == LEVEL_USER)
		add_user_only(&why, c, e, uncounted);
	else
		add_all(&why, c, e, uncounted,
			(double)(e->unsampled + c->rec->events.data[index].weight));
	free(e->unsampled_why);
	e->unsampled_why = strbuf_detach(&why);
}
