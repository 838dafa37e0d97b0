/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/summary.h"

#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "finish/times.h"
#include "finish/why_unsampled.h"
#include "recording/left_out.h"
#include "process/nameless.h"
#include "recording/sleepers.h"
#include "base/strbuf.h"
#include "output/note.h"
#include "sample/stack_mode.h"

/*
 * Report collect's own CPU time above this share of the program's; a short program's is
 * mostly the start.
 */
#define COST_SHARE  0.2
#define COST_FROM_S 1

#define UNKNOWN_SHARE   0.01 /* of the time without a CPU; above it, warn */
#define UNSTACKED_SHARE 0.05 /* … and without a stack; above it, add a note */
#define UNWOKEN_SHARE   0.1  /* … whose end has no known cause; the same */

#define GO_SHARE 0.01 /* of stacks that end early; above it, add a note */

static void warn(struct exp_log *log, struct strbuf *text)
{
	log_note(log, "warning", strbuf_str(text));
	strbuf_release(text);
}

/* What takes less room in the rings; copies of stacks take the most. */
static const char *smaller(const struct exp_log *log)
{
	return log->stack && !strcmp(log->stack, stack_mode_names[STACK_CFI])
		       ? "a lower rate or --stack fp"
		       : "a lower rate";
}

static void warn_lost(struct exp_log *log)
{
	struct strbuf text = { 0 };

	if (!log->lost)
		return;
	strbuf_addf(&text,
		    "%" PRIu64 " of %" PRIu64
		    " samples were lost: the rings were full; %s would keep them",
		    log->lost, log->samples + log->lost, smaller(log));
	warn(log, &text);
}

static void warn_lost_records(struct exp_log *log)
{
	struct strbuf text = { 0 };

	if (log->lost_other)
		strbuf_addf(&text,
			    "%" PRIu64
			    " records that are no samples were lost, as the rings were "
			    "full: code may be [unknown], and names may be missing",
			    log->lost_other);
	else if (log->lost_records)
		strbuf_addf(&text,
			    "%" PRIu64
			    " records, samples or others, were lost: the rings were "
			    "full; %s would keep them",
			    log->lost_records, smaller(log));
	else
		return;
	warn(log, &text);
}

/* A CPU's counters show nothing beyond samples anyway. */
static void warn_blurred(const struct summary *c)
{
	struct strbuf text = { 0 };

	if (!c->rec->blurred || c->evlist->scope == SCOPE_CPU)
		return;
	strbuf_addstr(&text, "a ring was full when the events stopped for a pause or the "
			     "end: some of what was lost may be from after that, so what "
			     "no sample shows is left out of counts and <Unsampled>");
	warn(c->log, &text);
}

static void warn_hidden_losses(const struct summary *c)
{
	struct strbuf text = { 0 };

	if (!evlist_may_hide_losses(c->evlist))
		return;
	strbuf_addstr(&text, "a ring was full after its last record: the kernel may have "
			     "lost more than it reported");
	warn(c->log, &text);
}

static void warn_throttled(struct exp_log *log)
{
	struct strbuf text = { 0 };

	if (!log->throttled)
		return;
	strbuf_addf(&text,
		    "the kernel throttled the events %" PRIu64
		    " time%s: the rate is above "
		    "kernel.perf_event_max_sample_rate; numbers are too low, choose a "
		    "lower rate",
		    log->throttled, log->throttled == 1 ? "" : "s");
	warn(log, &text);
}

/* Events requested with a + whose samples had no address. */
static void warn_addresses(const struct summary *c)
{
	for (size_t i = 0; i < c->ladder->rungs.len; i++) {
		const struct event *event = &c->ladder->rungs.data[i].event;
		const struct recording_event *seen = &c->rec->events.data[i];
		struct strbuf text = { 0 };

		if (!event->addresses || seen->addressed || !seen->samples)
			continue;
		strbuf_addf(&text,
			    "no sample of %s has an address of data: %s reports none; "
			    "precise counters of loads and stores do, if the CPU has "
			    "them",
			    event->asked, event->raw);
		warn(c->log, &text);
	}
}

/* CPU time that collect takes while the program runs distorts the profile. */
static void warn_cost(struct exp_log *log)
{
	double real = summary_rusage_s(log), own = (double)log->collector_cpu_ns / 1e9;
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

static void note_go(const struct summary *c)
{
	const struct stack_stats stats = stack_builder_stats(&c->rec->stack);
	const struct stack_stats *before = &c->rec->stack.before;
	uint64_t ended = stats.elsewhere - stats.completed -
			 (before->elsewhere - before->completed);
	struct strbuf text = { 0 };

	if (!ended || (double)ended < GO_SHARE * (double)c->log->samples)
		return;
	strbuf_addf(&text,
		    "%.1f %% of the stacks end where Go's runtime switches to a stack of "
		    "its own",
		    100 * (double)ended / (double)c->log->samples);
	log_note(c->log, "note", strbuf_str(&text));
	strbuf_release(&text);
}

static void warn_left_out(struct exp_log *log)
{
	struct strbuf text = { 0 };

	for (size_t kind = 0; kind < EXP_LEFT_KINDS; kind++)
		if (left_out_say(log, kind, &text))
			warn(log, &text);
}

/* Linux 6.18 fills the samples of all events of switches on a CPU in one form. */
static void warn_bad(const struct summary *c, uint64_t bad)
{
	struct strbuf text = { 0 };

	if (!bad)
		return;
	strbuf_addf(
		&text, "%" PRIu64 " records of the kernel could not be decoded%s", bad,
		c->rec->waiting ? ": as when another program samples context switches "
				  "of this machine at the same time"
				: "");
	warn(c->log, &text);
}

/* Better no names than those of another build: why there are none. */
static void warn_replaced(const struct summary *c)
{
	vec_for_each(const struct module, m, &c->rec->modules.v) {
		struct strbuf text = { 0 };

		if (!m->replaced || m->id == MODULE_NO_ID)
			continue;
		strbuf_addf(
			&text,
			"%s was replaced or written over before collect could read it: "
			"stacks may end in it, and its functions have no names",
			m->path);
		warn(c->log, &text);
	}
}

/*
 * What the kernel accounts to the program but not to its group was used elsewhere, and
 * looks like time without samples.  So does the cost of switches, in which a group's
 * counters are off: the group has that, too.
 */
static void warn_left_group(const struct summary *c)
{
	double ran = (double)c->target->in_group_ns / 1e9;
	double real = summary_rusage_s(c->log), outside = real - ran;
	struct strbuf text = { 0 };

	if (c->evlist->scope != SCOPE_CGROUP || !c->whole || ran <= 0 || outside < 0.05 ||
	    outside < 0.05 * real)
		return;
	strbuf_addf(&text,
		    "%.3f s of the program's %.3f s were used outside the run's control "
		    "group: something moved processes out of it, as systemd-run and "
		    "containers do; --scope cpu follows them",
		    outside, real);
	warn(c->log, &text);
}

/* A lost record may have been that of its mapping. */
static void warn_untraceable(const struct summary *c)
{
	const struct untraceable *g = &c->rec->untraceable;
	struct strbuf text = { 0 };

	if (c->evlist->scope != SCOPE_TASK || !g->tasks ||
	    !untraceable_is_certain(g, summary_lost(c->log)))
		return;
	strbuf_addf(&text, "the kernel stopped sampling %" PRIu64 " process%s (",
		    g->tasks, g->tasks == 1 ? "" : "es");
	for (size_t i = 0; i < g->names_len; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "",
			    strtab_get(&c->rec->in.strings, g->names[i]));
	strbuf_addf(
		&text,
		"%s): the program that it executed is setuid, setgid or unreadable, or "
		"could not be started; neither that nor its children have samples; "
		"root's "
		"recordings without --scope task have them",
		g->names_len == UNTRACEABLE_NAMES ? ", …" : "");
	warn(c->log, &text);
}

/* Names of the kernel's functions are needed only for stacks that samples have. */
static void note_names(const struct summary *c)
{
	const struct waiting *waiting = c->rec->waiting;

	if (waiting->sampled != WAITING_NO_EVENT && !waiting->has_names)
		log_note(
			c->log, "note",
			"only long waits have a cause: the kernel hides the names of its "
			"functions "
			"(kernel.kptr_restrict, or no CAP_SYSLOG)");
}

/* What happened in this recording comes before what is only likely. */
static void add_why_bare(struct strbuf *text, const struct recording *rec, uint64_t lost)
{
	const struct waiting *waiting = rec->waiting;
	const struct sleepers *s = rec->sleepers;
	const size_t len = text->len;

	if (waiting->bare_before_ns > waiting->bare_ns / 2)
		strbuf_addf(text,
			    "%.3f s of them had begun before the recording, and /proc "
			    "does not show what these threads do",
			    (double)waiting->bare_before_ns / 1e9);
	else if (s && s->refused > s->read / 2)
		strbuf_addf(
			text,
			"the kernel does not show collect what their threads do "
			"(/proc/PID/syscall: kernel.yama.ptrace_scope, or other rights)");
	if (s && s->reader.stuck)
		strbuf_addf(text, "%sreading %" PRIu64 " process%s from /proc hung",
			    text->len > len ? "; " : "", s->reader.stuck,
			    s->reader.stuck == 1 ? "" : "es");
	if (s && s->dropped)
		strbuf_addf(text, "%s%" PRIu64 " threads were not read from /proc",
			    text->len > len ? "; " : "", s->dropped);
	if (lost)
		strbuf_addf(text, "%s%" PRIu64 " records were lost",
			    text->len > len ? "; " : "", lost);
	if (text->len > len)
		return;
	strbuf_addf(text, "%s",
		    waiting->sampled != WAITING_NO_EVENT
			    ? "threads switched too often"
			    : "they were too short, or too many, to be read from /proc");
}

/* Of waits that somebody ended. */
static void note_wakers(const struct summary *c)
{
	const struct waiting *waiting = c->rec->waiting;
	struct strbuf text = { 0 };
	uint64_t all = 0;

	if (!c->rec->wakers)
		return;
	for (unsigned state = 0; state < EXP_STATES; state++)
		if (state != EXP_STATE_WAIT && state != EXP_STATE_UNKNOWN)
			all += waiting->sums[state].waits;
	all -= waiting->cut;
	if ((double)(all - waiting->woken) <= UNWOKEN_SHARE * (double)all)
		return;
	strbuf_addf(&text,
		    "it is unknown who ended %" PRIu64 " of %" PRIu64 " waits: %swakings "
		    "came too fast, or the kernel left out those in interrupts",
		    all - waiting->woken, all,
		    summary_lost(c->log) ? "records were lost, " : "");
	log_note(c->log, "note", strbuf_str(&text));
	strbuf_release(&text);
}

/* Without a stack there is no cause either, but for waits for a CPU. */
static void warn_waits(const struct summary *c)
{
	const uint64_t lost = summary_lost(c->log);
	const struct waiting *waiting = c->rec->waiting;
	struct strbuf text = { 0 };
	double all = 0, unknown, bare;

	if (!waiting)
		return;
	note_names(c);
	note_wakers(c);
	for (unsigned state = 0; state < EXP_STATES; state++)
		all += (double)waiting->sums[state].ns;
	unknown = (double)waiting->sums[EXP_STATE_UNKNOWN].ns;
	if (unknown > UNKNOWN_SHARE * all) {
		strbuf_addf(&text,
			    "for %.3f of %.3f s outside CPU time it is unknown whether "
			    "threads waited or had a CPU: %s",
			    unknown / 1e9, all / 1e9,
			    lost ? "records were lost"
				 : "their last records are missing");
		warn(c->log, &text);
	}
	bare = (double)waiting->bare_ns;
	if (bare > UNSTACKED_SHARE * all) {
		strbuf_addf(&text, "%.3f of %.3f s of waits have no stack: ", bare / 1e9,
			    all / 1e9);
		add_why_bare(&text, c->rec, lost);
		log_note(c->log, "note", strbuf_str(&text));
		strbuf_release(&text);
	}
}

static void find_why_unsampled(const struct summary *c)
{
	size_t index;
	const struct exp_event *e = times_event(c, &index);

	if (e && e->unsampled)
		unsampled_find_why(c, index);
}

void summary_fill(const struct summary *c)
{
	const struct evlist_rings rings = evlist_rings(c->evlist);
	uint64_t bad = c->rec->bad;

	for (size_t i = 0; i < rings.count; i++)
		bad += rings.first[i].bad_records;
	summary_figures(c);
	warn_lost(c->log);
	warn_lost_records(c->log);
	warn_hidden_losses(c);
	warn_blurred(c);
	warn_throttled(c->log);
	warn_waits(c);
	warn_addresses(c);
	warn_bad(c, bad);
	warn_left_out(c->log);
	times_warn(c);
	note_go(c);
	warn_replaced(c);
	warn_untraceable(c);
	warn_left_group(c);
	find_why_unsampled(c);
	summary_collector(c->log, c->own_ns);
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

/*
 * Adds how much time is unsampled, and why.  The accounting of a short process is coarse:
 * the kernel charges all of it as user time if no tick found it in the kernel.
 */
static void add_unsampled(struct strbuf *out, const struct summary *c,
			  const struct exp_event *e, size_t index)
{
	strbuf_addf(out, " and %.3f s unsampled", times_seconds(e, e->unsampled));
	if (e->unsampled_why)
		strbuf_addf(out, " (%.0f %%: %s)", 100 * unsampled_share(c, index),
			    e->unsampled_why);
}

static const char *accounting_of(const struct summary *c)
{
	if (c->target->by_group)
		return "its control group";
	if (c->target->by_proc)
		return "the accounting of its processes";
	return c->daemons ? "rusage, which leaves out processes that nobody waited for"
			  : "rusage";
}

/* What would name most of the samples without a name. */
static void add_advice(const struct summary *c, struct strbuf *out)
{
	const struct recording *rec = c->rec;
	struct strbuf code = { 0 }, file = { 0 };
	uint64_t generated = generated_advise(&rec->generated, &rec->modules,
					      c->log->samples, &code);
	uint64_t stripped = nameless_advise(&rec->modules, c->log->samples, "", &file);

	if (generated || stripped)
		strbuf_addf(out, "; %s", stripped > generated ? file.data : code.data);
	strbuf_release(&code);
	strbuf_release(&file);
}

/* The program's CPU time, by samples and by the kernel. */
static void add_times(struct strbuf *text, const struct summary *c)
{
	size_t index;
	const struct exp_event *e = times_event(c, &index);
	const double rusage = summary_rusage_s(c->log);

	if (e)
		strbuf_addf(text, ", %.3f s of %s by samples",
			    times_seconds(e, c->rec->events.data[index].weight),
			    times_word(c, index));
	if (e && e->unsampled)
		add_unsampled(text, c, e, index);
	if (rusage > 0 && !c->rec->alone) /* includes descendants */
		strbuf_addf(text, ", %.3f s by %s", rusage, accounting_of(c));
	else if (c->target->no_accounting)
		strbuf_addf(text, ", an unknown time by the kernel: %s",
			    c->target->group.path
				    ? "the group was removed with its accounting"
				    : "that of ended processes cannot be separated");
}

/* Not all samples are in a file that was cut, and the times would be of them all. */
void summary_line(const struct summary *c, const char *path, uint64_t bytes)
{
	const struct exp_log *log = c->log;
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s: %" PRIu64 " sample%s%s, ", path, log->samples,
		    log->samples == 1 ? "" : "s",
		    c->cut ? ", of which the file has the first ones" : "");
	exp_log_losses(log, &text);
	if (!c->cut)
		add_times(&text, c);
	if (c->in_parts)
		strbuf_addf(&text, ", recorded for %.3f s of %.3f s",
			    (double)c->recorded_ns * 1e-9,
			    (double)log->duration_ns * 1e-9);
	strbuf_addf(&text, ", %" PRIu64 " thread%s, ", log->threads,
		    log->threads == 1 ? "" : "s");
	add_size(&text, bytes);
	if (c->archived) {
		strbuf_addstr(&text, " and ");
		add_size(&text, c->archived);
		strbuf_addstr(&text, " of archive");
	}
	add_advice(c, &text);
	diag_note("%s", strbuf_str(&text));
	strbuf_release(&text);
}
