/* SPDX-License-Identifier: Apache-2.0 */
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

#include "model/process_line.h"
#include "base/xalloc.h"

/* Above this share of samples without a root, callers mean little. */
#define BROKEN_STACKS_MAX 0.05

/* ---- CPU time ---- */

/* The scaled duration of one unit of an event; 0: it is no time. */
static double seconds_of(const struct exp_event *event)
{
	double scale = event->scale > 0 ? event->scale : 1;

	if (!strcmp(event->unit, "ns"))
		return 1e-9 * scale;
	return event->hz > 0 ? scale / event->hz : 0;
}

/* The best event for CPU time: a clock, else the first in cycles; no state. */
static size_t cpu_event(const struct exp_log *log)
{
	size_t best = log->events.len;

	for (size_t e = 0; e < log->events.len; e++) {
		if (*log->events.data[e].state)
			continue;
		if (!strcmp(log->events.data[e].unit, "ns"))
			return e;
		if (best == log->events.len && log->events.data[e].hz > 0)
			best = e;
	}
	return best;
}

/* A metric may have several events: one for each kind of core. */
static void read_cpu_time(struct run *run, const struct source *source)
{
	const struct exp_log *log = &source->exp->log;
	size_t best = cpu_event(log);

	run->rusage_cpu_s = (double)(log->rusage_user_ns + log->rusage_system_ns) * 1e-9;
	run->has_rusage = log->complete && run->rusage_cpu_s > 0;
	if (best == log->events.len)
		return;
	run->has_cpu = true;
	run->cpu_label = log->events.data[best].label;
	for (size_t e = 0; e < log->events.len; e++)
		if (source->metric[e] == source->metric[best])
			run->cpu_s += (double)source->recorded[e] *
				      seconds_of(&log->events.data[e]);
}

/* ---- warnings ---- */

static bool exceeds_64_bits(const struct totals *totals)
{
	for (size_t e = 0; e < totals->events; e++)
		if (totals->whole[e].weight == UINT64_MAX)
			return true;
	return false;
}

/* Whether collect noted why there are no samples. */
static bool notes_say_so(const struct experiment *exp)
{
	vec_for_each(const struct exp_note, note, &exp->log.notes)
		if (strstr(note->text, "no samples"))
			return true;
	return false;
}

/* Of the events that are, or are not, STATES of threads. */
static uint64_t count_rows(const struct source *source, bool states)
{
	uint64_t count = 0;

	for (size_t e = 0; e < source->totals.events; e++)
		if ((*source->exp->log.events.data[e].state != '\0') == states)
			count += source->totals.whole[e].samples;
	return count;
}

uint64_t source_samples(const struct source *source)
{
	return count_rows(source, false);
}

double source_unsampled(const struct source *source, size_t event)
{
	uint64_t unsampled = source->exp->log.events.data[event].unsampled;
	uint64_t whole = source->recorded[event];

	return unsampled < whole ? (double)unsampled / (double)whole : unsampled != 0;
}

static uint64_t logged_waits(const struct exp_log *log)
{
	uint64_t count = 0;

	vec_for_each(const struct exp_event, event, &log->events)
		if (*event->state)
			count += event->samples;
	return count;
}

bool run_is_whole(const struct source *source)
{
	return source->exp->log.complete && !source->exp->truncated &&
	       !source->totals.damaged_blocks;
}

/* Of the RECORDED, by the log, GOT are there. */
static void check_number(struct run *run, const char *what, uint64_t got,
			 uint64_t recorded)
{
	if (run->exp->log.complete && got < recorded)
		*vec_push(&run->warnings) = xasprintf(
			"%llu of the %llu recorded %s are missing",
			(unsigned long long)(recorded - got),
			(unsigned long long)recorded, what);
}

static void check_data(struct run *run, const struct source *source)
{
	const struct experiment *exp = source->exp;
	uint64_t whole = exp->bytes < exp->log.bytes ? exp->log.bytes : exp->bytes;
	struct strbuf shown = { 0 };

	if (!exp->log.complete)
		*vec_push(&run->warnings) = xasprintf(
			"%s", experiment_is_growing(exp)
				      ? "the recording goes on: this is what was written "
					"until now"
				      : "the recording did not end properly: collect was "
					"killed");
	if (exp->truncated) {
		run_put_samples(run, &shown);
		*vec_push(&run->warnings) = xasprintf(
			"the data %s at byte %llu of %llu: %s before that are shown",
			exp->damaged ? "is damaged" : "ends early,",
			(unsigned long long)exp->truncated_at, (unsigned long long)whole,
			shown.data);
	}
	if (source->totals.damaged_blocks)
		*vec_push(&run->warnings) = xasprintf(
			"%llu blocks of samples are damaged and omitted",
			(unsigned long long)source->totals.damaged_blocks);
	if (exceeds_64_bits(&source->totals))
		*vec_push(&run->warnings) = xasprintf("the weights of the samples add up "
						      "to more than 64 bits hold: sums "
						      "are larger than shown");
	check_number(run, "samples", run->samples, exp->log.samples);
	check_number(run, "waits", run->waits, logged_waits(&exp->log));
	run->damages = run->warnings.len;
	if (!run->samples && !run->waits && !notes_say_so(exp))
		*vec_push(&run->warnings) = xasprintf("there are no samples");
	strbuf_release(&shown);
}

static void check_stacks(struct run *run)
{
	const uint64_t *ends = run->exp->log.stack_ends;
	double all = 0, broken = 0, unknown = (double)ends[EXP_END_UNKNOWN];

	/* none: only the place was requested */
	for (int end = 0; end < EXP_ENDS; end++) {
		all += (double)ends[end];
		if (end != EXP_END_ROOT && end != EXP_END_NONE && end != EXP_END_UNKNOWN)
			broken += (double)ends[end];
	}
	if (broken > BROKEN_STACKS_MAX * all)
		*vec_push(&run->warnings) = xasprintf(
			"%.1f %% of the stacks do not reach their root: see statistics",
			100 * broken / all);
	if (unknown > BROKEN_STACKS_MAX * all)
		*vec_push(&run->warnings) = xasprintf(
			"%.1f %% of the stacks may not reach their root: the files of "
			"the code in which they end were missing",
			100 * unknown / all);
}

/* Takes collect's own notes: losses, throttling, times that do not agree. */
static void take_notes(struct run *run)
{
	vec_for_each(const struct exp_note, note, &run->exp->log.notes) {
		if (!strcmp(note->severity, "error"))
			*vec_push(&run->errors) = xstrdup(note->text);
		else if (!strcmp(note->severity, "warning"))
			*vec_push(&run->warnings) = xstrdup(note->text);
	}
}

void run_read(struct run *out, const struct model *model, size_t source)
{
	const struct source *from = &model->sources.data[source];
	uint64_t ns = from->exp->log.duration_ns;

	*out = (struct run){
		.exp = from->exp,
		.whole = run_is_whole(from),
		.samples = source_samples(from),
		.waits = count_rows(from, true),
	};
	ns = ns ? ns : from->totals.last_ns;
	out->duration_s = (double)ns * 1e-9;
	out->recorded_s = out->duration_s;
	if (from->exp->paused)
		out->recorded_s = (double)spans_length(&from->exp->spans, 0, UINT64_MAX) *
				  1e-9;
	if (from->exp->log.recorded_ns && from->exp->log.recorded_ns < ns)
		out->recorded_s = (double)from->exp->log.recorded_ns * 1e-9;
	read_cpu_time(out, from);
	check_data(out, from);
	take_notes(out);
	check_stacks(out);
}

static void release_sentences(char **data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		free(data[i]);
}

void run_release(struct run *run)
{
	release_sentences(run->errors.data, run->errors.len);
	release_sentences(run->warnings.data, run->warnings.len);
	vec_release(&run->errors);
	vec_release(&run->warnings);
}

/* ---- in words ---- */

void run_put_samples(const struct run *run, struct strbuf *out)
{
	strbuf_addf(out, "%llu sample%s", (unsigned long long)run->samples,
		    run->samples == 1 ? "" : "s");
	if (run->waits)
		strbuf_addf(out, " and %llu wait%s", (unsigned long long)run->waits,
			    run->waits == 1 ? "" : "s");
}

void run_put_yield(const struct run *run, struct strbuf *out)
{
	if (run->waits)
		run_put_samples(run, out);
	else
		strbuf_addf(out, "%llu", (unsigned long long)run->samples);
	strbuf_addstr(out, ", ");
	exp_log_losses(&run->exp->log, out);
}

/* The kernel's accounting goes on in pauses. */
double run_cpus_busy(const struct run *run)
{
	double cpu_s = run->has_cpu ? run->cpu_s : run->rusage_cpu_s;
	double time_s = run->has_cpu ? run->recorded_s : run->duration_s;
	bool known = run->has_cpu || run->has_rusage;

	return known && time_s > 0 ? cpu_s / time_s : 0;
}

void run_put_pauses(const struct run *run, struct strbuf *out)
{
	const size_t parts = run->exp->spans.list.len;

	if (run->exp->log.recorded_ns)
		strbuf_addf(out,
			    "; recorded for %.3f s of it; not all data could be written",
			    run->recorded_s);
	else if (run->exp->paused && !parts)
		strbuf_addstr(out, "; paused all the time");
	else if (parts > 1)
		strbuf_addf(out, "; recorded for %.3f s of it, in %zu parts",
			    run->recorded_s, parts);
	else if (parts)
		strbuf_addf(out, "; recorded from %.3f s to %.3f s",
			    (double)run->exp->spans.list.data[0].from * 1e-9,
			    (double)run->exp->spans.list.data[0].to * 1e-9);
}

char *run_command_line(const struct run *run)
{
	struct strbuf line = { 0 };

	vec_for_each(char *const, word, &run->exp->log.command)
		process_line_add(&line, *word);
	strbuf_addstr(&line, "");
	return line.data ? strbuf_detach(&line) : xstrdup("");
}

char *run_subject(const struct run *run)
{
	const struct exp_log *log = &run->exp->log;

	if (*log->cgroup)
		return xasprintf("(the control group %s)", log->cgroup);
	if (!log->command.len && !log->pid && !strcmp(log->scope, "cpu"))
		return xstrdup("(none: the whole machine)");
	return run_command_line(run);
}
