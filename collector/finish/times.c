/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/times.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "finish/accounting.h"
#include "finish/rates.h"
#include "finish/why_unsampled.h"
#include "base/strbuf.h"
#include "output/note.h"

/* Warn of missing CPU time above this difference. */
#define BEYOND_SHARE 0.1
#define BEYOND_S     0.05

double times_seconds(const struct exp_event *e, uint64_t weight)
{
	if (!strcmp(e->unit, "ns"))
		return (double)weight / 1e9;
	if (e->hz > 0)
		return (double)weight * e->scale / e->hz;
	return -1;
}

const struct exp_event *times_event(const struct summary *c, size_t *index)
{
	for (*index = 0; *index < c->ladder->rungs.len; ++*index)
		if (c->ladder->rungs.data[*index].event.measures_time &&
		    times_seconds(&c->log->events.data[*index], 0) >= 0)
			return &c->log->events.data[*index];
	return NULL;
}

/* The time that an event sees. */
static const char *const level_times[] = {
	[LEVEL_USER] = "user CPU",
	[LEVEL_KERNEL] = "system CPU",
	[LEVEL_ALL] = "CPU",
};

static enum level level_of(const struct summary *c, size_t index)
{
	return event_level(&c->ladder->rungs.data[index].event);
}

const char *times_word(const struct summary *c, size_t index)
{
	return level_times[level_of(c, index)];
}

/* Four standard deviations of the weight of samples with random periods. */
static double random_s(const struct summary *c, const struct exp_event *e, size_t index)
{
	return 4 * times_seconds(e, (uint64_t)sqrt(c->rec->events.data[index].variance));
}

/* User and kernel time, from the program's start to its end. */
static bool sees_all(const struct summary *c, const struct exp_event *e, size_t index)
{
	return c->whole &&
	       (!strcmp(e->metric, "totalcpu") || !strcmp(e->metric, "cycles")) &&
	       level_of(c, index) == LEVEL_ALL;
}

/*
 * The harmless difference between samples and accounting: random periods vary, and the
 * clock continues while a hypervisor has the CPU.
 */
static double slack_s(const struct summary *c, const struct exp_event *e, size_t index)
{
	return random_s(c, e, index) + (double)c->stolen_ns / 1e9;
}

/*
 * Samples that see only part of the time may fall short of the accounting, but not exceed
 * it.  The times of surviving processes come in ticks: four sums each.
 */
static void warn_beyond(const struct summary *c, const struct exp_event *e, size_t index)
{
	double real = summary_rusage_s(c->log);
	double seen = times_seconds(e, c->rec->events.data[index].weight + e->unsampled);
	double off = seen - real;
	struct strbuf text = { 0 };

	if (c->daemons || c->evlist->scope != SCOPE_TASK || real <= 0 ||
	    off < BEYOND_SHARE * real ||
	    off < BEYOND_S + 2e-9 * ACCOUNTING_COARSE_NS * (double)c->target->living +
			    slack_s(c, e, index))
		return;
	strbuf_addf(&text,
		    "samples account for %.3f s of %s, and the kernel's accounting for "
		    "%.3f s of CPU; it leaves out processes that nobody waited for",
		    seen, times_word(c, index), real);
	log_note(c->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}

/* Why samples and the accounting differ by OFF seconds, where something shows it. */
static void add_why_off(struct strbuf *text, const struct summary *c, bool missing,
			double off)
{
	uint64_t switches = switches_behind(c, (uint64_t)(off * 1e9));

	if (!missing)
		strbuf_addstr(text, "; it leaves out processes that nobody waited for");
	else if (switches)
		strbuf_addf(text,
			    "; the difference is %.1f µs for each of %" PRIu64
			    " context switches",
			    off * 1e6 / (double)switches, switches);
}

void times_warn(const struct summary *c)
{
	const struct recording *rec = c->rec;
	size_t index;
	const struct exp_event *e = times_event(c, &index);
	double real = summary_rusage_s(c->log), seen, off;
	struct strbuf text = { 0 };

	if (!e || rec->alone)
		return;
	if (!sees_all(c, e, index)) {
		warn_beyond(c, e, index);
		return;
	}
	seen = times_seconds(e, rec->events.data[index].weight + e->unsampled);
	off = seen > real ? seen - real : real - seen;
	if (off < 0.05 + slack_s(c, e, index) || off < 0.02 * real)
		return;
	strbuf_addf(&text,
		    "samples account for %.3f s of CPU, and the kernel's accounting for "
		    "%.3f s (%.0f %% %s)",
		    seen, real, real > 0 ? 100 * off / real : 100.0,
		    seen < real ? "missing" : "more");
	add_why_off(&text, c, seen < real, off);
	log_note(c->log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}
