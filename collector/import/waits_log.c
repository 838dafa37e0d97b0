/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "import/waits.h"

/* ---- events ---- */

static bool is_empty(const struct import_waits *w)
{
	for (unsigned state = 0; state < EXP_STATES; state++)
		if (w->waiting.sums[state].waits)
			return false;
	return !w->waiting.lives;
}

/* States without any time are kept where the file could have shown some. */
static bool has_states(const struct import *imp)
{
	const struct import_waits *w = imp->waits;
	bool last = w->row + EXP_STATES == imp->rows;

	return w->source && !(w->refused && last && is_empty(w));
}

void import_waits_fill(struct exp_log *log, const struct import *imp)
{
	const struct import_waits *w = imp->waits;
	const char *asked = w->source == IMPORT_SWITCHES_RECORDS
				    ? "perf record --switch-events"
				    : "sched:sched_switch";

	if (!has_states(imp) || log->events.len != w->row)
		return;
	for (unsigned state = 0; state < EXP_STATES; state++) {
		struct exp_event *event = vec_push(&log->events);

		exp_state_describe(event, (enum exp_state)state, asked);
		event->samples = w->waiting.sums[state].waits;
		event->count = w->waiting.sums[state].ns;
		event->addressed = w->waiting.sums[state].addressed;
	}
}

/* ---- notes ---- */

/* The flag for preempted threads came with Linux 4.17. */
static bool lacks_preempted(const struct import *imp)
{
	const char *release = imp->file->info.osrelease;
	unsigned major, minor;

	return imp->waits->source == IMPORT_SWITCHES_RECORDS && release &&
	       sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major < 4 || (major == 4 && minor < 17));
}

static void note_stacks(struct exp_log *log, const struct import *imp)
{
	const struct waiting *waiting = &imp->waits->waiting;
	const double most = 0.05;
	double all = (double)waiting->stacked_ns + (double)waiting->bare_ns;
	struct strbuf text = { 0 };

	if (waiting->sampled == WAITING_NO_EVENT) {
		exp_log_note(log, "note",
			     "waits have no stacks and no cause: the file has no call "
			     "stacks of switches; perf record -e context-switches -c 1 "
			     "-g --switch-events records them");
		return;
	}
	if (!waiting->has_names)
		exp_log_note(log, "note",
			     "waits have no cause: the kernel that was recorded is not "
			     "the running one, or that one hides its functions' names");
	if ((double)waiting->bare_ns <= most * all)
		return;
	strbuf_addf(&text,
		    "%.3f of %.3f s of waits have no stack: they began before the "
		    "recording, or it has none of them",
		    (double)waiting->bare_ns / 1e9, all / 1e9);
	exp_log_note(log, "note", strbuf_str(&text));
	strbuf_release(&text);
}

static void warn_unknown(struct exp_log *log, const struct import *imp)
{
	const struct waiting *waiting = &imp->waits->waiting;
	const double most = 0.01;
	double all = 0, unknown = (double)waiting->sums[EXP_STATE_UNKNOWN].ns;
	struct strbuf text = { 0 };

	for (unsigned state = 0; state < EXP_STATES; state++)
		all += (double)waiting->sums[state].ns;
	if (unknown <= most * all)
		return;
	strbuf_addf(
		&text, "for %.3f of %.3f s it is not known whether threads waited: %s",
		unknown / 1e9, all / 1e9,
		imp->waits->unseen && !imp->waits->everyone
			? "sched:sched_switch of some threads lacks when they get a CPU "
			  "again; record it of all CPUs (perf record -a)"
		: imp->rec->lost ? "records were lost"
				 : "records are missing");
	exp_log_note(log, "warning", strbuf_str(&text));
	strbuf_release(&text);
}

static bool has_calls(const struct import *imp)
{
	for (size_t i = 0; i < imp->file->events.len; i++) {
		const char *name = perf_file_event_name(imp->file, i);

		if (name && !strncmp(name, "raw_syscalls:", strlen("raw_syscalls:")))
			return true;
	}
	return false;
}

void import_waits_note(struct exp_log *log, const struct import *imp)
{
	const struct import_waits *w = imp->waits;
	struct strbuf text = { 0 };

	if (w->refused) {
		strbuf_addf(&text, "what threads waited for is not known%s: %s",
			    has_states(imp) ? " to the end" : "", w->refused);
		exp_log_note(log, "warning", strbuf_str(&text));
		strbuf_release(&text);
	}
	if (w->totals)
		exp_log_note(log, "note",
			     "offcpu-time is a sum for each stack, without the times of "
			     "its waits: it is a metric of its own, and no state of "
			     "threads");
	if (!w->source && !w->refused && has_calls(imp))
		exp_log_note(log, "note",
			     "system calls do not show when threads had a CPU: with "
			     "--switch-events, perf records what they waited for");
	if (!has_states(imp))
		return;
	note_stacks(log, imp);
	if (lacks_preempted(imp))
		exp_log_note(log, "note",
			     "threads that were preempted count as waiting for something "
			     "unknown: before Linux 4.17, records of switches do not "
			     "tell");
	if (w->woken)
		exp_log_note(log, "note",
			     "waits end when threads are woken up; until they run, they "
			     "wait for a CPU");
	warn_unknown(log, imp);
}
