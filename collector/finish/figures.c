/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/figures.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "finish/rates.h"
#include "recording/left_out.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* The kernel's two clocks differ by less if a counter was never descheduled. */
#define SHARED_BELOW 0.999

static uint64_t cpu_ns(const struct rusage *usage)
{
	return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
	       (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u;
}

uint64_t summary_own_ns(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) < 0 ? 0 : cpu_ns(&usage);
}

void summary_collector(struct exp_log *log, uint64_t own_ns)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return;
	log->collector_cpu_ns = cpu_ns(&usage) - own_ns;
	log->collector_max_rss_kb = (uint64_t)usage.ru_maxrss;
}

/* Of a running process, children that live on have faults of their own. */
static void fill_usage(struct exp_log *log, const struct target *t)
{
	static const char *const words[] = {
		[USAGE_UNKNOWN] = "",
		[USAGE_OF_WAITED] = EXP_USAGE_WAITED,
		[USAGE_OF_PROCESSES] = EXP_USAGE_PROCESSES,
	};
	struct target_usage usage = t->usage;

	if (usage.of == USAGE_OF_PROCESSES && (t->no_accounting || t->living))
		usage = (struct target_usage){ USAGE_UNKNOWN };
	free(log->usage.of);
	log->usage = (struct exp_usage){
		.of = xstrdup(words[usage.of]),
		.minor_faults = usage.minor_faults,
		.major_faults = usage.major_faults,
		.voluntary_switches = usage.voluntary_switches,
		.involuntary_switches = usage.involuntary_switches,
		.blocks = usage.blocks,
		.input_blocks = usage.blocks ? usage.input_blocks : 0,
		.output_blocks = usage.blocks ? usage.output_blocks : 0,
	};
}

static void fill_target(const struct summary *c)
{
	struct exp_log *log = c->log;
	int status = c->target->wait_status;

	log->rusage_user_ns = c->target->user_ns;
	log->rusage_system_ns = c->target->system_ns;
	fill_usage(log, c->target);
	log->exit_status = -1;
	if (!target_is_child(c->target))
		return;
	log->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (!log->signal)
		log->exit_status = WEXITSTATUS(status);
}

uint64_t summary_lost(const struct exp_log *log)
{
	return log->lost + log->lost_other + log->lost_records;
}

double summary_rusage_s(const struct exp_log *log)
{
	return (double)(log->rusage_user_ns + log->rusage_system_ns) / 1e9;
}

/*
 * Whether event INDEX may have to share its register: software events have none, unless a
 * counter is in their group.
 */
static bool may_share(const struct ladder *ladder, size_t index)
{
	unsigned group = ladder->rungs.data[index].event.group;

	for (size_t i = 0; i < ladder->rungs.len; i++) {
		const struct event *e = &ladder->rungs.data[i].event;

		if ((i == index || (group && e->group == group)) &&
		    e->type != PERF_TYPE_SOFTWARE && e->type != PERF_TYPE_TRACEPOINT)
			return true;
	}
	return false;
}

/*
 * A counter that shared its register counted only part of the time; the scale estimates
 * the rest.
 */
static void fill_event(struct exp_event *e, const struct recording_event *seen,
		       const struct evlist_total *total, bool shares)
{
	e->samples = seen->samples;
	e->unsampled = seen->unsampled;
	e->addressed = seen->addressed;
	e->scale = 1;
	if (total->running_ns && shares &&
	    (double)total->running_ns < SHARED_BELOW * (double)total->enabled_ns)
		e->scale = (double)total->enabled_ns / (double)total->running_ns;
}

/*
 * The target's own count, and the time in which it was counted.  The counter of a task or
 * group has both, since it runs only while they do.  Of a CPU's counter the target's part
 * is the sampled one, and the time is the kernel's accounting for the target.  A counter
 * may also have run before the target executed its program, and after the end; samples
 * taken then show how much to subtract; if some of these were lost, the samples that there
 * are have what is known (BLURRED).
 */
static struct rate_count fill_count(struct exp_event *e,
				    const struct recording_event *seen,
				    const struct evlist_total *total, double rusage,
				    bool own, bool blurred)
{
	double count = own ? (double)total->value : (double)seen->weight;

	e->count = (uint64_t)(count * e->scale);
	if (own && blurred)
		e->count = (uint64_t)((double)seen->weight * e->scale);
	else if (own && e->count > seen->dropped)
		e->count -= seen->dropped;
	return (struct rate_count){
		.count = own ? count : count * e->scale,
		.seconds = own ? (double)total->running_ns / 1e9 : rusage,
	};
}

static void fill_rates(struct exp_log *log, const struct rate_count *counts,
		       size_t events)
{
	double all = summary_rusage_s(log);
	double user = all > 0 ? (double)log->rusage_user_ns / 1e9 / all : 1;
	double *hz = xcalloc(events, sizeof(*hz));

	rates_find(counts, events, user, hz);
	for (size_t i = 0; i < events; i++)
		log->events.data[i].hz = hz[i];
	free(hz);
}

/*
 * The parts of one counter on a CPU with several kinds of core run in turns, each on its
 * kind: together they were enabled for as long as one.
 */
static void share_parts(const struct summary *c, struct evlist_total *totals)
{
	for (size_t from = 0, to; from < c->evlist->events; from = to) {
		uint64_t enabled = 0, running = 0;

		for (to = from; to < c->evlist->events &&
				(to == from || c->ladder->rungs.data[to].event.part);
		     to++) {
			if (totals[to].enabled_ns > enabled)
				enabled = totals[to].enabled_ns;
			running += totals[to].running_ns;
		}
		for (size_t i = from; to > from + 1 && running && i < to; i++)
			totals[i].enabled_ns = (uint64_t)((double)totals[i].running_ns *
							  (double)enabled /
							  (double)running);
	}
}

/* Waits are exact, also those of the event that has the place of the stacks'. */
static void fill_waits(const struct waiting *waiting, struct exp_log *log)
{
	for (unsigned state = 0; waiting && state < EXP_STATES; state++) {
		struct exp_event *e = &log->events.data[waiting->events[state]];

		e->samples = waiting->sums[state].waits;
		e->count = waiting->sums[state].ns;
		e->addressed = waiting->sums[state].addressed;
		e->unsampled = 0;
		e->hz = 0;
		e->scale = 1;
	}
}

static void fill_events(const struct summary *c)
{
	struct exp_log *log = c->log;
	struct evlist_total *totals = xcalloc(c->evlist->events, sizeof(*totals));
	VEC(struct rate_count) counts = { 0 };

	for (size_t i = 0; i < c->evlist->events; i++)
		totals[i] = evlist_total(c->evlist, i);
	if (c->evlist->scope == SCOPE_TASK)
		share_parts(c, totals);
	for (size_t i = 0; i < c->evlist->events; i++) {
		struct exp_event *e = &log->events.data[i];
		struct rate_count *count = vec_push(&counts);

		fill_event(e, &c->rec->events.data[i], &totals[i],
			   may_share(c->ladder, i));
		*count = fill_count(e, &c->rec->events.data[i], &totals[i],
				    summary_rusage_s(log), c->evlist->scope != SCOPE_CPU,
				    c->rec->blurred);
		count->event = &c->ladder->rungs.data[i].event;
	}
	fill_rates(log, counts.data, counts.len);
	fill_waits(c->rec->waiting, log);
	sockets_close(c->sockets, c->rec, log);
	vec_release(&counts);
	free(totals);
}

/*
 * A ring reports lost records, of all kinds, with the next record that fits; there may be
 * none.  Only the rings report losses of inherited counters.
 *
 * Each event reports its own losses.  Those of an event on CPUs or of a group are
 * samples, as trackers record tasks.  A task's event also records tasks and their final
 * counts.
 */
static void fill_lost(const struct summary *c)
{
	const struct evlist *evlist = c->evlist;
	const uint64_t trackers = evlist_trackers_lost(evlist);
	uint64_t all = evlist_lost(evlist);
	const uint64_t events = all - trackers;

	if (all < c->rec->lost)
		all = c->rec->lost;
	c->log->lost = c->rec->lost_samples;
	if (evlist_tells_lost_samples(evlist)) {
		c->log->lost += events;
		c->log->lost_other = all - events;
	} else {
		c->log->lost_records = all;
	}
}

static void fill_totals(const struct summary *c)
{
	const struct recording *rec = c->rec;
	struct exp_log *log = c->log;

	log->samples = rec->samples - rec->samples_before;
	fill_lost(c);
	log->throttled = rec->throttled;
	log->unthrottled = rec->unthrottled;
	log->processes = rec->tasks.processes_seen;
	log->threads = rec->tasks.threads_seen;
	left_out_fill(rec, log);
	log->duration_ns = c->now - rec->start_ns;
	memcpy(log->stack_ends, rec->stack.ends, sizeof(log->stack_ends));
	log->completed_stacks = rec->stack.joined - rec->stack.before.joined;
	fill_events(c);
}

void summary_figures(const struct summary *c)
{
	fill_target(c);
	fill_totals(c);
}
