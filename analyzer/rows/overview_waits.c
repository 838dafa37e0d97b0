/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/overview_waits.h"

#include <stdlib.h>

#include "model/wait_sums.h"
#include "rows/state_columns.h"
#include "tables/fields.h"

/* The most shares to name, and their least percentage. */
enum { NAMED_MAX = 3, NAMED_LEAST = 5 };

static const char *const doings[EXP_STATES + 1] = {
	[EXP_STATE_WAIT] = "waiting for a CPU",
	[EXP_STATE_LOCK] = "waiting for a lock",
	[EXP_STATE_DATAFAULT] = "waiting for pages of data",
	[EXP_STATE_TEXTFAULT] = "waiting for pages of code",
	[EXP_STATE_PAGEFAULT] = "waiting for pages of memory",
	[EXP_STATE_STOPPED] = "stopped",
	[EXP_STATE_SLEEP] = "sleeping",
	[EXP_STATE_DISK] = "waiting for a disk",
	[EXP_STATE_NETWORK] = "waiting for the network",
	[EXP_STATE_PIPE] = "waiting for a pipe or local socket",
	[EXP_STATE_POLL] = "polling several files",
	[EXP_STATE_CHILD] = "waiting for a process",
	[EXP_STATE_TIMER] = "waiting for a timer or signal",
	[EXP_STATE_OTHER] = "waiting for something unknown",
	[EXP_STATE_UNKNOWN] = "in an unknown state",
	[EXP_STATES] = "computing",
};

/* A share of the time. */
struct doing {
	unsigned what; /* a state; EXP_STATES: with a CPU */
	uint64_t ns;
	const struct wait_row *most; /* the place with most of it; or NULL */
};

/* It has waits, but no life. */
static bool has_no_life(const struct thread_time *time)
{
	for (int s = 0; s < EXP_STATES && !time->life_ns; s++)
		if (time->state_ns[s])
			return true;
	return false;
}

/* Whether waits of some threads are set aside or not counted. */
static bool has_others(const struct model *model)
{
	bool any = false;

	for (size_t i = 0; i < model->sources.len; i++) {
		const struct source *source = &model->sources.data[i];
		struct thread_time *times = thread_times(source);

		for (size_t t = 0; t < source->exp->threads.len; t++)
			any |= thread_may_idle(&times[t]) || has_no_life(&times[t]);
		free(times);
	}
	return any;
}

static uint64_t cpu_ns(const struct model *model)
{
	struct thread_time sum = { 0 };

	for (size_t i = 0; i < model->sources.len; i++) {
		const struct source *source = &model->sources.data[i];
		struct thread_time *times = thread_times(source);

		for (size_t t = 0; t < source->exp->threads.len; t++)
			thread_time_add(&sum, &times[t]);
		free(times);
	}
	return sum.cpu_ns;
}

static int by_time(const void *va, const void *vb)
{
	const struct doing *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->what > b->what ? -1 : a->what < b->what;
}

static void find_doings(const struct wait_sums *sums, struct doing doings_of[])
{
	for (unsigned what = 0; what <= EXP_STATES; what++)
		doings_of[what] = (struct doing){ .what = what };
	vec_for_each(const struct wait_row, row, &sums->rows) {
		struct doing *doing = &doings_of[row->state];

		weight_add(&doing->ns, row->durations.sum_ns);
		if (!doing->most || row->durations.sum_ns > doing->most->durations.sum_ns)
			doing->most = row;
	}
}

/* "(mostly below join)": where it was for half of the time or longer. */
static void put_place(struct session *s, const struct doing *doing, struct strbuf *out)
{
	const struct wait_row *most = doing->most;
	const char *mostly;

	if (!most || most->place == WAIT_ALL_PLACES ||
	    most->durations.sum_ns < doing->ns / 2)
		return;
	mostly = most->durations.sum_ns < doing->ns ? "mostly " : "";
	if (most->place == model_artificial(&s->model, "<Unsampled>"))
		strbuf_addf(out, " (%swithout a stack)", mostly);
	else
		strbuf_addf(out, " (%sbelow %s)", mostly,
			    session_function(s, most->place));
}

/* "25 % waiting for a lock (mostly below join)" */
static void put_doing(struct session *s, const struct doing *doing, uint64_t whole,
		      struct strbuf *out)
{
	strbuf_addf(out, "%.0f %% %s", 100 * (double)doing->ns / (double)whole,
		    doings[doing->what]);
	put_place(s, doing, out);
}

static void put_doings(struct session *s, const struct wait_sums *sums,
		       struct strbuf *out)
{
	struct doing found[EXP_STATES + 1];
	const char *before = "";
	uint64_t whole = 0;

	find_doings(sums, found);
	found[EXP_STATES].ns = cpu_ns(&s->model);
	for (unsigned i = 0; i <= EXP_STATES; i++)
		weight_add(&whole, found[i].ns);
	qsort(found, EXP_STATES + 1, sizeof(*found), by_time);
	strbuf_addf(out, "of %.3f s: %s", (double)whole * 1e-9,
		    whole ? "" : "nothing to divide");
	for (unsigned i = 0; i < NAMED_MAX && found[i].ns; i++) {
		if (i && found[i].ns < whole / 100 * NAMED_LEAST)
			break;
		strbuf_addstr(out, before);
		put_doing(s, &found[i], whole, out);
		before = ", ";
	}
	if (sums->idle_threads)
		strbuf_addf(out, "; not counted: %.3f s in which %llu thread%s idled",
			    (double)sums->idle_ns * 1e-9,
			    (unsigned long long)sums->idle_threads,
			    sums->idle_threads > 1 ? "s" : "");
}

void overview_waits(struct session *s, struct table *table)
{
	unsigned states = (1U << EXP_STATES) - 1;
	struct strbuf text = { 0 };
	struct frame_map frames;
	struct wait_sums sums;

	vec_for_each(const struct source, source, &s->model.sources)
		if (!source_has_lives(source))
			return;
	/* a filter selects waits, and nobody knows which time without one */
	if (filter_is_set(&s->model.filter))
		return;
	session_frames(s, &frames);
	if (has_others(&s->model))
		wait_sums_read(&sums, &s->model, &frames, states, false);
	else
		wait_sums_of_nodes(&sums, &s->model, &frames, states);
	put_doings(s, &sums, &text);
	fields_add(table, 1, "Threads' time", "%s", text.data);
	strbuf_release(&text);
	wait_sums_release(&sums);
	frame_map_release(&frames);
}
