/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of counters: the weights of members at a sample, and groups that do not fit on a
 * CPU.
 */
#include "sample/group_counts.h"
#include "sample/group_trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "tap.h"
#include "base/xalloc.h"

/* ---- weights ---- */

struct grown {
	struct strbuf text;
};

static void note(void *ctx, uint64_t id, uint64_t weight)
{
	struct grown *g = ctx;

	strbuf_addf(&g->text, "%llu+%llu ", (unsigned long long)id,
		    (unsigned long long)weight);
}

static const struct sample {
	const char *what;
	uint32_t tid;
	uint64_t words[6]; /* value, id, lost of two */
	const char *want;
} samples[] = {
	{ "the first sample has the counts since the start",
	  0,
	  { 1000, 1, 0, 900, 2, 0 },
	  "1+1000 2+900 " },
	{ "the next one the counts since then",
	  0,
	  { 2003, 1, 0, 1900, 2, 5 },
	  "1+1003 2+1000 " },
	{ "an unchanged counter makes no sample",
	  0,
	  { 3000, 1, 0, 1900, 2, 5 },
	  "1+997 " },
	{ "each thread begins at zero", 7, { 50, 1, 0, 60, 2, 0 }, "1+50 2+60 " },
	{ "and has counts of its own", 7, { 51, 1, 0, 62, 2, 0 }, "1+1 2+2 " },
	{ "so do the others", 0, { 3001, 1, 0, 1902, 2, 5 }, "1+1 2+2 " },
	{ "a thread's number is reused: its counters start again",
	  7,
	  { 10, 1, 0, 20, 2, 0 },
	  "1+10 2+20 " },
};

static void test_weights(void)
{
	struct group_counts counts = { 0 };
	struct grown g = { 0 };

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct record_counts of = { .words = samples[i].words,
					    .len = 2,
					    .width = 3 };

		strbuf_clear(&g.text);
		group_counts_take(&counts, &of, true, 1, samples[i].tid, note, &g);
		is_str(strbuf_str(&g.text), samples[i].want, "%s", samples[i].what);
	}
	strbuf_clear(&g.text);
	group_counts_take(&counts,
			  &(struct record_counts){
				  .words = samples[0].words, .len = 1, .width = 1 },
			  false, 99, 0, note, &g);
	is_str(strbuf_str(&g.text), "99+1000 ",
	       "an unnamed counter belongs to the event");
	group_counts_end(&counts, 7);
	group_counts_end(&counts, 8);
	strbuf_clear(&g.text);
	group_counts_take(&counts,
			  &(struct record_counts){
				  .words = samples[4].words, .len = 2, .width = 3 },
			  true, 1, 7, note, &g);
	is_str(strbuf_str(&g.text), "1+51 2+62 ", "a thread's counts end with it");
	is_u64(counts.last.len, 5, "and its place is reused");
	group_counts_end(&counts, 0);
	strbuf_clear(&g.text);
	group_counts_take(&counts,
			  &(struct record_counts){
				  .words = samples[5].words, .len = 2, .width = 3 },
			  true, 1, 0, note, &g);
	is_str(strbuf_str(&g.text), "",
	       "the end of a thread without a number ends no other");
	group_counts_release(&counts);
	strbuf_release(&g.text);
}

/* ---- trials ---- */

static const char *const names[] = { "cycles", "insts", "brmisp", "loads" };

static void ladder_make(struct ladder *ladder, size_t first, size_t end)
{
	*ladder = (struct ladder){ 0 };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct rung *r = vec_push(&ladder->rungs);

		*r = (struct rung){ 0 };
		event_clock(1000000, &r->event);
		free(r->event.asked);
		r->event.asked = xstrdup(names[i]);
		r->event.type = PERF_TYPE_RAW;
		r->event.config = 2 + i;
		r->event.clock = false;
		r->event.group = i >= first && i < end;
		r->event.member = i > first && i < end;
	}
}

static const struct trial_row {
	const char *what;
	size_t first, end, group_max;
	bool held;
	int any_error, error;
	const char *want; /* a part */
} trials[] = {
	{ "no group", .group_max = 1, .held = true, .any_error = EBUSY, .want = "" },
	{ "a group that fits", .first = 1, .end = 4, .group_max = 3, .want = "" },
	{ "a group that is too large", .end = 4, .group_max = 2, .error = -EINVAL,
	  .want = "{cycles,insts,brmisp,loads} can never be counted together: beside the "
		  "2 before it this CPU has no register left for brmisp; name that after "
		  "the brace" },
	{ "a group whose register is in use", .first = 1, .end = 3, .held = true,
	  .error = -EBUSY,
	  .want = "{insts,brmisp} cannot be counted together now: another user holds the "
		  "counters; stop it, or free the watchdog's with: sudo sysctl "
		  "kernel.nmi_watchdog=0" },
	{ "a CPU without such a counter", .first = 1, .end = 3, .any_error = ENOENT,
	  .error = -ENOENT,
	  .want = "{insts,brmisp} cannot be counted together: insts: " },
};

static void test_trials(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;

	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++) {
		const struct trial_row *t = &trials[i];

		fake_boot();
		fake.group_max = t->group_max;
		fake.pinned_held = t->held;
		fake.any_error = t->any_error;
		ladder_make(&ladder, t->first, t->end);
		strbuf_clear(&err);
		is_i64(group_trial(&fake_sys, &ladder, &err), t->error, "%s", t->what);
		ok(strstr(strbuf_str(&err), t->want), "%s: %s", t->what,
		   strbuf_str(&err));
		ok(!fake.open && !fake.wrong, "%s: everything is closed", t->what);
		ladder_release(&ladder);
	}
	strbuf_release(&err);
}

/* A group keeps its counters: no clock replaces one, and the trial opens all. */
static void test_climb(void)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct ladder ladder, made;

	fake_boot();
	ladder_make(&made, 0, 3);
	vec_for_each(const struct rung, rung, &made.rungs)
		*vec_push(&list) = rung->event;
	is_i64(ladder_climb(&ladder, &fake_sys, &list, 0, false, &err), 0, "a group: %s",
	       strbuf_str(&err));
	is_u64(fake.grouped, 2, "opens as one");
	ladder_release(&ladder);
	fake.group_max = 2;
	is_i64(ladder_climb(&ladder, &fake_sys, &list, 0, false, &err), -EINVAL,
	       "a group that is too large: %s", strbuf_str(&err));
	ladder_release(&ladder);
	fake.counter_error = ENOENT;
	is_i64(ladder_climb(&ladder, &fake_sys, &list, 0, false, &err), -ENOENT,
	       "cycles of a group are not replaced by the clock");
	ok(!fake.open && !fake.wrong, "everything is closed");
	ladder_release(&ladder);
	ladder_release(&made);
	vec_release(&list);
	strbuf_release(&err);
}

int main(void)
{
	test_weights();
	test_trials();
	test_climb();
	return done_testing();
}
