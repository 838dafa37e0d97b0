/* SPDX-License-Identifier: Apache-2.0 */
#include "closing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "diag.h"
#include "rates.h"
#include "strbuf.h"
#include "vec.h"
#include "xalloc.h"

/* The kernel's two clocks differ by less than that where a counter was never put aside.
 */
#define SHARED_BELOW 0.999

/* From which share of the program's time on collect's own is worth a word; short programs
 * are the start's. */
#define COST_SHARE  0.2
#define COST_FROM_S 1

void closing_note(struct exp_log *log, const char *severity, const char *text)
{
	exp_log_note(log, severity, text);
	if (!strcmp(severity, "note"))
		diag_note("%s", text);
	else if (!strcmp(severity, "warning"))
		diag_warn("%s", text);
	else
		diag_error("%s", text);
}

static void fill_collector(struct exp_log *log)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return;
	log->collector_cpu_ns =
		(uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
		(uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
	log->collector_max_rss_kb = (uint64_t)usage.ru_maxrss;
}

static void fill_target(const struct closing *c)
{
	struct exp_log *log = c->log;
	int status = c->target->wait_status;

	log->rusage_user_ns = c->target->user_ns;
	log->rusage_system_ns = c->target->system_ns;
	log->exit_status = -1;
	if (!target_is_child(c->target))
		return;
	log->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (!log->signal)
		log->exit_status = WEXITSTATUS(status);
}

static double rusage_seconds(const struct exp_log *log)
{
	return (double)(log->rusage_user_ns + log->rusage_system_ns) / 1e9;
}

/*
 * Whether event INDEX may have to leave its register to others: what the kernel counts
 * itself has none, unless a counter is in its group.
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
 * A counter that was not always on its register saw a part; the rest is estimated by the
 * share of time.
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
 * group knows both: it runs while they do.  Of a CPU's counter the target's part is what
 * was sampled, and the time that went by is in the kernel's books.  A group's counter ran
 * before the target was the target; the samples of that tell how much.
 */
static struct rate_count fill_count(struct exp_event *e,
				    const struct recording_event *seen,
				    const struct evlist_total *total, double rusage,
				    bool own)
{
	double count = own ? (double)total->value : (double)seen->weight;

	e->count = (uint64_t)(count * e->scale);
	if (own && e->count > seen->before)
		e->count -= seen->before;
	return (struct rate_count){
		.count = own ? count : count * e->scale,
		.seconds = own ? (double)total->running_ns / 1e9 : rusage,
	};
}

static void fill_rates(struct exp_log *log, const struct rate_count *counts,
		       size_t events)
{
	double all = rusage_seconds(log);
	double user = all > 0 ? (double)log->rusage_user_ns / 1e9 / all : 1;
	double *hz = xcalloc(events, sizeof(*hz));

	rates_find(counts, events, user, hz);
	for (size_t i = 0; i < events; i++)
		log->events.data[i].hz = hz[i];
	free(hz);
}

/*
 * The parts of one counter on a CPU with several kinds of core run in turns, each where
 * it is: together they were enabled for as long as one.
 */
static void share_parts(const struct closing *c, struct evlist_total *totals)
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

static void fill_events(const struct closing *c)
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
				    rusage_seconds(log), c->evlist->scope != SCOPE_CPU);
		count->event = &c->ladder->rungs.data[i].event;
	}
	fill_rates(log, counts.data, counts.len);
	sockets_close(c->sockets, c->rec, log);
	vec_release(&counts);
	free(totals);
}

/*
 * A ring tells of what was lost with the next record that it has room for; there may be
 * none.  What was lost while a task's children had inherited its counters only the rings
 * tell.
 */
static uint64_t lost_in_all(const struct closing *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->evlist->events; i++)
		sum += evlist_total(c->evlist, i).lost;
	return sum > c->rec->lost ? sum : c->rec->lost;
}

static void fill_totals(const struct closing *c)
{
	const struct recording *rec = c->rec;
	struct exp_log *log = c->log;

	log->samples = rec->samples;
	log->lost = lost_in_all(c);
	log->throttled = rec->throttled;
	log->unthrottled = rec->unthrottled;
	log->processes = rec->tasks.processes_seen;
	log->threads = rec->tasks.threads_seen;
	log->duration_ns = c->now - rec->start_ns;
	memcpy(log->stack_ends, rec->stack.ends, sizeof(log->stack_ends));
	fill_events(c);
}

/* A weight of event E in seconds, or -1 where it does not mean time. */
static double seconds_of(const struct exp_event *e, uint64_t weight)
{
	if (!strcmp(e->unit, "ns"))
		return (double)weight / 1e9;
	if (e->hz > 0)
		return (double)weight * e->scale / e->hz;
	return -1;
}

/* The first event that measures time; NULL: none does. */
static const struct exp_event *time_event(const struct closing *c, size_t *index)
{
	for (*index = 0; *index < c->ladder->rungs.len; ++*index)
		if (c->ladder->rungs.data[*index].event.measures_time &&
		    seconds_of(&c->log->events.data[*index], 0) >= 0)
			return &c->log->events.data[*index];
	return NULL;
}

/* Of which time an event sees all. */
static const char *const level_times[] = {
	[LEVEL_USER] = "user CPU",
	[LEVEL_KERNEL] = "system CPU",
	[LEVEL_ALL] = "CPU",
};

static enum level level_of(const struct closing *c, size_t index)
{
	return event_level(&c->ladder->rungs.data[index].event);
}

static void warn(struct exp_log *log, struct strbuf *text)
{
	closing_note(log, "warning", strbuf_str(text));
	strbuf_release(text);
}

static void warn_lost(struct exp_log *log)
{
	struct strbuf text = { 0 };

	if (!log->lost)
		return;
	strbuf_addf(&text,
		    "%" PRIu64 " of %" PRIu64
		    " samples were lost: the rings were full; a "
		    "lower rate or --stack fp would keep them",
		    log->lost, log->samples + log->lost);
	warn(log, &text);
}

static void warn_throttled(struct exp_log *log)
{
	struct strbuf text = { 0 };

	if (!log->throttled)
		return;
	strbuf_addf(&text,
		    "the kernel throttled the events %" PRIu64
		    " times: the rate is above "
		    "kernel.perf_event_max_sample_rate; times are too low, choose a "
		    "lower rate",
		    log->throttled);
	warn(log, &text);
}

/*
 * Samples and rusage are two measures of one thing.  The comparison means something where
 * everything was sampled: user and kernel, all the time, descendants that were waited
 * for.
 */
static void warn_time(const struct closing *c)
{
	const struct recording *rec = c->rec;
	size_t index;
	const struct exp_event *e = time_event(c, &index);
	double real = rusage_seconds(c->log), seen, off;
	struct strbuf text = { 0 };

	if (!e || !c->whole || rec->from_ns || rec->to_ns != UINT64_MAX ||
	    rec->only_pid ||
	    (strcmp(e->metric, "totalcpu") && strcmp(e->metric, "cycles")) ||
	    level_of(c, index) != LEVEL_ALL)
		return;
	seen = seconds_of(e, rec->events.data[index].weight + e->unsampled);
	off = seen > real ? seen - real : real - seen;
	if (off < 0.05 || off < 0.02 * real)
		return;
	strbuf_addf(
		&text,
		"samples account for %.3f s of CPU, and the kernel's own books for "
		"%.3f s (%.0f %% %s); the books leave out processes that nobody waited "
		"for",
		seen, real, real > 0 ? 100 * off / real : 100.0,
		seen < real ? "missing" : "more");
	warn(c->log, &text);
}

/* What was asked for with a + and no sample of it told. */
static void warn_addresses(const struct closing *c)
{
	for (size_t i = 0; i < c->ladder->rungs.len; i++) {
		const struct event *event = &c->ladder->rungs.data[i].event;
		const struct recording_event *seen = &c->rec->events.data[i];
		struct strbuf text = { 0 };

		if (!event->addresses || seen->addressed || !seen->samples)
			continue;
		strbuf_addf(&text,
			    "no sample of %s tells an address of data: %s does not know "
			    "any; precise counters of loads and stores do, where the CPU "
			    "has them",
			    event->asked, event->raw);
		warn(c->log, &text);
	}
}

/* What the profile takes from the machine while the program runs changes what it tells.
 */
static void warn_cost(struct exp_log *log)
{
	double real = rusage_seconds(log), own = (double)log->collector_cpu_ns / 1e9;
	struct strbuf text = { 0 };

	if (real < COST_FROM_S || own < COST_SHARE * real)
		return;
	strbuf_addf(
		&text,
		"collect used %.2f s of CPU beside the program's %.2f s; a lower rate "
		"would disturb it less",
		own, real);
	warn(log, &text);
}

static void warn_bad(struct exp_log *log, uint64_t bad)
{
	struct strbuf text = { 0 };

	if (!bad)
		return;
	strbuf_addf(&text, "%" PRIu64 " records of the kernel could not be understood",
		    bad);
	warn(log, &text);
}

/* Better no names than those of another build: why there are none. */
static void warn_replaced(const struct closing *c)
{
	vec_for_each(const struct module, m, &c->rec->modules.v) {
		struct strbuf text = { 0 };

		if (!m->replaced || m->id == MODULE_NO_ID)
			continue;
		strbuf_addf(&text,
			    "%s was replaced by another file before it could be read: "
			    "stacks may end in it, and its functions have no names",
			    m->path);
		warn(c->log, &text);
	}
}

void closing_fill(const struct closing *c)
{
	uint64_t bad = c->rec->bad;

	for (size_t cpu = 0; cpu < c->evlist->cpus; cpu++)
		bad += c->evlist->rings[cpu].bad_records;
	fill_target(c);
	fill_totals(c);
	warn_lost(c->log);
	warn_throttled(c->log);
	warn_addresses(c);
	warn_bad(c->log, bad);
	warn_time(c);
	warn_replaced(c);
	fill_collector(c->log);
	warn_cost(c->log);
	c->log->complete = true;
}

static void add_size(struct strbuf *out, uint64_t bytes)
{
	if (bytes < 10000)
		strbuf_addf(out, "%" PRIu64 " bytes", bytes);
	else if (bytes < 10000000)
		strbuf_addf(out, "%.1f kB", (double)bytes / 1e3);
	else
		strbuf_addf(out, "%.1f MB", (double)bytes / 1e6);
}

void closing_line(const struct closing *c, const char *path, uint64_t bytes)
{
	const struct exp_log *log = c->log;
	size_t index;
	const struct exp_event *e = time_event(c, &index);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s: %" PRIu64 " sample%s, %" PRIu64 " lost", path,
		    log->samples, log->samples == 1 ? "" : "s", log->lost);
	if (e)
		strbuf_addf(&text, ", %.3f s of %s by samples",
			    seconds_of(e, c->rec->events.data[index].weight),
			    level_times[level_of(c, index)]);
	if (e && e->unsampled)
		strbuf_addf(&text, " and %.3f s unsampled", seconds_of(e, e->unsampled));
	if (rusage_seconds(log) > 0 && !c->rec->only_pid) /* descendants are in it */
		strbuf_addf(&text, ", %.3f s by rusage", rusage_seconds(log));
	strbuf_addf(&text, ", %" PRIu64 " thread%s, ", log->threads,
		    log->threads == 1 ? "" : "s");
	add_size(&text, bytes);
	if (c->archived) {
		strbuf_addstr(&text, " and ");
		add_size(&text, c->archived);
		strbuf_addstr(&text, " of archive");
	}
	diag_note("%s", strbuf_str(&text));
	strbuf_release(&text);
}
