/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which looks at a sleeping thread count.  The thread is a child that sleeps in a pipe; its
 * switches are made up around the time at which it was really read.
 */
#include "recording/sleepers.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "experiment/write.h"
#include "process/helper.h"
#include "recording/attach.h"
#include "recording/recording.h"
#include "scratch.h"
#include "tap.h"

#define MS UINT64_C(1000000)

struct world {
	struct recording rec;
	struct waiting waiting;
	struct sleepers sleepers;
	char *dir;
	pid_t child;
};

static pid_t start_child(void)
{
	int fds[2];
	char c;
	pid_t pid;

	if (pipe(fds))
		abort();
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(read(fds[0], &c, 1) == 1);
	}
	return pid; /* the pipe remains open here */
}

static void await_sleep(pid_t pid)
{
	char *path = xasprintf("/proc/%d/wchan", (int)pid);
	struct strbuf text = { 0 };

	for (int i = 0; i < 3000; i++) {
		strbuf_clear(&text);
		if (!file_read(path, 100, &text) && strstr(strbuf_str(&text), "pipe"))
			break;
		poll(NULL, 0, 10);
	}
	strbuf_release(&text);
	free(path);
}

static void begin(struct world *w)
{
	static const uint32_t events[EXP_STATES];
	struct recording_setup setup = {
		.everyone = true,
		.mode = STACK_CFI,
		.root = "",
		.start_ns = (uint64_t)helper_now_ns() - 10 * MS,
	};

	w->dir = scratch_make();
	w->child = start_child();
	await_sleep(w->child);
	if (exp_writer_open(w->dir, &setup.writer))
		abort();
	recording_init(&w->rec, &setup);
	recording_expect(&w->rec, 1);
	waiting_init(&w->waiting, &(struct waiting_setup){
					  .in = &w->rec.in,
					  .tasks = &w->rec.tasks,
					  .times = &w->rec.times,
					  .sampled = WAITING_NO_EVENT,
					  .faulted = WAITING_NO_EVENT,
					  .events = events,
				  });
	w->rec.waiting = &w->waiting;
	sleepers_init(&w->sleepers, &w->rec, 1);
	w->rec.sleepers = &w->sleepers;
	attach_process(&w->rec, "", w->child);
}

static void finish(struct world *w)
{
	struct exp_writer *writer = w->rec.writer;

	kill(w->child, SIGKILL);
	waitpid(w->child, NULL, 0);
	sleepers_release(&w->sleepers);
	waiting_release(&w->waiting);
	recording_release(&w->rec);
	if (exp_writer_close(writer))
		abort();
	scratch_remove(w->dir);
}

/* At TIME, by the clock. */
static void take_switch(struct world *w, bool out, uint64_t time)
{
	const uint32_t tid = (uint32_t)w->child;

	recording_take_record(&w->rec,
			      &(struct record){
				      .type = PERF_RECORD_SWITCH,
				      .at = { .pid = tid, .tid = tid, .time = time },
				      .switched = { .out = out },
			      });
}

/* Looks until there is an answer, which is not settled yet. */
static bool look(struct world *w)
{
	struct sleepers *s = &w->sleepers;

	for (int i = 0; i < 3000 && !s->answers_len; i++) {
		sleepers_look(s, (uint64_t)helper_now_ns(), 0);
		poll(NULL, 0, 10);
		sleepers_take(s);
	}
	return s->answers_len == 1 && !s->answer[0].error;
}

static uint64_t ns_in(const struct world *w, enum exp_state state)
{
	return w->waiting.sums[state].ns;
}

/* It waits from 5 ms after the start on. */
static void leave_cpu(struct world *w)
{
	take_switch(w, false, w->rec.start_ns + 4 * MS);
	take_switch(w, true, w->rec.start_ns + 5 * MS);
}

static void test_kept(void)
{
	struct world w;
	uint64_t to;

	begin(&w);
	leave_cpu(&w);
	ok(look(&w), "a thread that sleeps is looked at");
	to = w.sleepers.answer[0].to_ns;
	sleepers_look(&w.sleepers, to, to - 1);
	is_u64(w.sleepers.kept, 0, "records are not there yet");
	take_switch(&w, false, to + MS);
	is_u64(ns_in(&w, EXP_STATE_PIPE), to + MS - w.rec.start_ns - 5 * MS,
	       "it got a CPU after that: the wait is known");
	is_u64(w.waiting.stacked_ns, ns_in(&w, EXP_STATE_PIPE), "with its stack");
	finish(&w);
}

/* Whether a thread is to be looked at whose switch has its stack, with that state. */
static bool wants_look(enum exp_state state)
{
	const struct switches_reason reason = { 1, state, 0 };
	struct world w;
	bool wants;

	begin(&w);
	take_switch(&w, false, w.rec.start_ns + 4 * MS);
	switches_stack(&w.waiting.switches, (uint32_t)w.child, &reason);
	take_switch(&w, true, w.rec.start_ns + 5 * MS);
	wants = w.sleepers.queue.len > w.sleepers.first;
	finish(&w);
	return wants;
}

static void test_stacked(void)
{
	ok(!wants_look(EXP_STATE_LOCK), "one whose switch has all is not looked at");
	ok(wants_look(EXP_STATE_PAGEFAULT),
	   "but one that waits for a page of code or data");
}

static void test_goes_on(void)
{
	struct world w;
	uint64_t to;

	begin(&w);
	leave_cpu(&w);
	ok(look(&w), "one that goes on sleeping");
	to = w.sleepers.answer[0].to_ns;
	sleepers_look(&w.sleepers, to + MS, to);
	is_u64(w.sleepers.kept, 1, "is known by the records until then");
	take_switch(&w, false, to + 50 * MS);
	ok(ns_in(&w, EXP_STATE_PIPE) > 50 * MS, "and has its cause in the end");
	finish(&w);
}

static void test_woke(void)
{
	struct world w;
	uint64_t from, to;

	begin(&w);
	leave_cpu(&w);
	ok(look(&w), "one that woke up");
	from = w.sleepers.answer[0].from_ns;
	to = w.sleepers.answer[0].to_ns;
	take_switch(&w, false, from + (to - from) / 2);
	take_switch(&w, true, to + 3 * MS);
	sleepers_look(&w.sleepers, to + 4 * MS, to + 4 * MS);
	take_switch(&w, false, to + 8 * MS);
	is_u64(w.sleepers.kept, 0, "in the middle of the look: it does not count");
	is_u64(ns_in(&w, EXP_STATE_PIPE), 0, "for neither wait");
	ok(ns_in(&w, EXP_STATE_OTHER) > 0, "whose cause is not known");
	finish(&w);
}

/* The switch out is made up to be later than the look began. */
static void test_ran_before(void)
{
	struct world w;
	uint64_t from, to;

	begin(&w);
	leave_cpu(&w);
	ok(look(&w), "one that ran");
	from = w.sleepers.answer[0].from_ns;
	to = w.sleepers.answer[0].to_ns;
	take_switch(&w, false, from - MS);
	take_switch(&w, true, from + (to - from) / 2);
	take_switch(&w, false, to + 8 * MS);
	is_u64(ns_in(&w, EXP_STATE_PIPE), 0, "when the look began: it does not count");
	finish(&w);
}

static void test_found(void)
{
	struct world w;
	uint64_t to;

	begin(&w);
	waiting_find_all(&w.waiting, 0);
	sleepers_add_all(&w.sleepers);
	ok(look(&w), "one that slept before the recording");
	to = w.sleepers.answer[0].to_ns;
	sleepers_look(&w.sleepers, to + MS, to);
	waiting_stop(&w.waiting, to + MS - w.rec.start_ns);
	waiting_finish(&w.waiting);
	is_u64(ns_in(&w, EXP_STATE_PIPE), to + MS - w.rec.start_ns,
	       "and sleeps to its end: all that time is known");
	finish(&w);
}

/* Records are lost while it sleeps, and it has no record since. */
static void test_recovered(void)
{
	struct world w;
	uint64_t from = 0, lost_ns;

	begin(&w);
	leave_cpu(&w);
	lost_ns = w.rec.start_ns + 8 * MS;
	recording_take_record(&w.rec, &(struct record){ .type = PERF_RECORD_LOST,
							.at = { .time = lost_ns },
							.lost = 1 });
	sleepers_look(&w.sleepers, (uint64_t)helper_now_ns(), lost_ns - 1);
	ok(!w.sleepers.reader.sent && w.sleepers.queue.len == w.sleepers.first,
	   "what it does in a loss is not looked at");
	for (int i = 0; i < 3000 && !w.sleepers.answers_len; i++) {
		sleepers_look(&w.sleepers, (uint64_t)helper_now_ns(), lost_ns + 2 * MS);
		poll(NULL, 0, 10);
		sleepers_take(&w.sleepers);
	}
	if (ok(w.sleepers.answers_len == 1, "and is when that is behind"))
		from = w.sleepers.answer[0].to_ns + MS;
	take_switch(&w, false, from);
	is_u64(ns_in(&w, EXP_STATE_UNKNOWN), 3 * MS, "the loss stays unknown");
	is_u64(ns_in(&w, EXP_STATE_PIPE), from - lost_ns, "what follows has its cause");
	finish(&w);
}

static void test_cost(void)
{
	struct world w;

	begin(&w);
	leave_cpu(&w);
	w.sleepers.left_ns = -1e12;
	for (int i = 0; i < 5; i++)
		sleepers_look(&w.sleepers, (uint64_t)helper_now_ns(), 0);
	ok(!w.sleepers.reader.sent, "nothing is read while no CPU time is left for it");
	w.sleepers.left_ns = 1e7;
	ok(look(&w), "and again when there is");
	finish(&w);
}

/* A round that takes 0.1 ms of CPU time. */
static void test_share(void)
{
	static const struct {
		size_t cpus;
		int ms;
	} rows[] = { { 1, 11 }, { 2, 6 }, { 4, 3 }, { 256, 3 } };
	struct world w;

	begin(&w);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sleepers s;

		sleepers_init(&s, &w.rec, rows[i].cpus);
		s.round_ns = 1e5;
		is_i64(sleepers_rest_ms(&s), rows[i].ms, "1 %% of %zu CPUs",
		       rows[i].cpus);
		sleepers_release(&s);
	}
	finish(&w);
}

static void test_exhausted(void)
{
	struct world w;

	begin(&w);
	leave_cpu(&w);
	ok(sleepers_rest_ms(&w.sleepers) < INT_MAX, "rounds are short for sleepers");
	w.sleepers.reader.failures = SLEEPER_READERS;
	sleepers_look(&w.sleepers, (uint64_t)helper_now_ns(), 0);
	is_u64(w.sleepers.dropped, 1, "which nobody can read: they are counted");
	is_u64(w.sleepers.queue.len - w.sleepers.first, 0, "and not kept");
	is_i64(sleepers_rest_ms(&w.sleepers), INT_MAX, "nor are rounds short for them");
	finish(&w);
}

int main(void)
{
	test_exhausted();
	test_kept();
	test_stacked();
	test_goes_on();
	test_woke();
	test_ran_before();
	test_found();
	test_recovered();
	test_cost();
	test_share();
	return done_testing();
}
