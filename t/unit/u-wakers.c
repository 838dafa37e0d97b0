/* SPDX-License-Identifier: Apache-2.0 */
/* Which wakings end waits, and by whom: from records to the experiment. */
#include "recording/wakers.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/read.h"
#include "recording/recording.h"
#include "scratch.h"
#include "tap.h"

#define MS UINT64_C(1000000)

enum {
	PROGRAM = 10,
	SLEEPER = 11,
	WORKER = 12,
	ENDING = 13,
	STRANGER = 20,
	WAKINGS_ID = 7,
	BARE_ID = 8
};

/* As the kernel describes them, with fewer fields. */
static const char format[] =
	"name: sched_waking\nID: 375\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n";

enum {
	FLAGS_AT = 2,
	PID_AT = 24,
	DATA_SIZE = 28,
	IRQS_OFF = 1,
	HARDIRQ = 8,
	SOFTIRQ = 16
};

struct world {
	struct recording rec;
	struct waiting waiting;
	struct waking waking;
	struct wakers wakers;
	char *dir;
};

static void start(struct world *w)
{
	uint32_t events[EXP_STATES];
	struct recording_setup setup = { .mode = STACK_OFF };

	*w = (struct world){ .dir = scratch_make() };
	if (exp_writer_open(w->dir, &setup.writer))
		abort();
	recording_init(&w->rec, &setup);
	w->rec.start_ns = 1; /* times of records are one more than those of waits */
	for (uint32_t state = 0; state < EXP_STATES; state++)
		events[state] = state;
	recording_expect(&w->rec, EXP_STATES);
	sources_add(&w->rec.sources, WAKINGS_ID, EXP_STATES + WAKING_STACKED, -1);
	sources_add(&w->rec.sources, BARE_ID, EXP_STATES + WAKING_BARE, -1);
	waiting_init(&w->waiting, &(struct waiting_setup){ .in = &w->rec.in,
							   .tasks = &w->rec.tasks,
							   .times = &w->rec.times,
							   .events = events });
	w->rec.waiting = &w->waiting;
	ok(waking_format(&w->waking, format), "the format is understood");
	wakers_init(&w->wakers, &w->waking,
		    (uint32_t[WAKING_KINDS]){ [WAKING_BARE] = EXP_STATES + WAKING_BARE,
					      [WAKING_STACKED] = EXP_STATES +
								 WAKING_STACKED },
		    setup.writer);
	w->rec.wakers = &w->wakers;
	for (uint32_t tid = PROGRAM; tid <= ENDING; tid++) {
		tasks_thread(&w->rec.tasks, PROGRAM, tid);
		waiting_fork(&w->waiting, tid, 0);
	}
}

static void take_switch(struct world *w, uint32_t tid, bool out, uint64_t time)
{
	recording_take_record(
		&w->rec,
		&(struct record){
			.type = PERF_RECORD_SWITCH,
			.at = { .pid = PROGRAM, .tid = tid, .cpu = 1, .time = time + 1 },
			.switched = { .out = out },
		});
}

static void end(struct world *w, uint32_t tid, uint64_t time)
{
	recording_take_record(
		&w->rec, &(struct record){
				 .type = PERF_RECORD_EXIT,
				 .at = { .pid = PROGRAM, .tid = tid, .time = time + 1 },
				 .task = { .pid = PROGRAM, .tid = tid },
			 });
}

/* PID's thread TID wakes SLEEPER; of its data the first LEN bytes are there. */
static void wake(struct world *w, uint32_t pid, uint32_t tid, unsigned flags,
		 uint32_t sleeper, size_t len, uint64_t time)
{
	unsigned char data[DATA_SIZE] = { 0 };

	data[FLAGS_AT] = (unsigned char)flags;
	memcpy(data + PID_AT, &sleeper, sizeof(sleeper));
	recording_take_record(
		&w->rec, &(struct record){ .type = PERF_RECORD_SAMPLE,
					   .at = { .pid = pid,
						   .tid = tid,
						   .cpu = 2,
						   .time = time + 1,
						   .id = WAKINGS_ID },
					   .sample = { .raw = data, .raw_len = len } });
}

/* One wait of SLEEPER for 10 ms, in which that happens; it comes in 2 ms after the end. */
static const struct {
	const char *what;
	uint32_t pid, tid;
	unsigned flags;
	uint32_t sleeper;
	size_t len;
	uint64_t at_ms; /* of the wait */
	enum exp_waker_kind kind;
	uint32_t by; /* thread, for EXP_WAKER_OF_RECORDING */
} cases[] = {
	{ "by a thread", PROGRAM, WORKER, 0, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_OF_RECORDING, WORKER },
	{ "with interrupts disabled", PROGRAM, PROGRAM, IRQS_OFF, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_OF_RECORDING, PROGRAM },
	{ "by another program", STRANGER, STRANGER, 0, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_OUTSIDE, 0 },
	{ "in an interrupt on the idle task", 0, 0, HARDIRQ, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_INTERRUPT, 0 },
	{ "in an interrupt on a thread of its own", PROGRAM, WORKER, HARDIRQ, SLEEPER,
	  DATA_SIZE, 8, EXP_WAKER_INTERRUPT, 0 },
	{ "in an interrupt while another one is followed up", PROGRAM, WORKER,
	  HARDIRQ | SOFTIRQ, SLEEPER, DATA_SIZE, 8, EXP_WAKER_INTERRUPT, 0 },
	/* without names of functions: the call of WORKER may have sent a packet */
	{ "after an interrupt, or by a call", PROGRAM, WORKER, SOFTIRQ, SLEEPER,
	  DATA_SIZE, 8, 0, 0 },
	{ "by one that has just ended", PROGRAM, ENDING, 0, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_OF_RECORDING, ENDING },
	{ "by one that ended long ago, or that has its number now", PROGRAM, ENDING, 0,
	  SLEEPER, DATA_SIZE, 8, 0, 0 },
	{ "by a stranger that has its number", STRANGER, ENDING, 0, SLEEPER, DATA_SIZE, 8,
	  EXP_WAKER_OUTSIDE, 0 },
	{ "by a task that was taken back", UINT32_MAX, UINT32_MAX, 0, SLEEPER, DATA_SIZE,
	  8, 0, 0 },
	{ "but that is another one", PROGRAM, WORKER, 0, STRANGER, DATA_SIZE, 8, 0, 0 },
	{ "but it had a CPU then", PROGRAM, WORKER, 0, SLEEPER, DATA_SIZE, 0, 0, 0 },
	{ "but its data end early", PROGRAM, WORKER, 0, SLEEPER, DATA_SIZE - 1, 8, 0, 0 },
	{ "but nobody has that number", PROGRAM, WORKER, 0, UINT32_MAX, DATA_SIZE, 8, 0,
	  0 },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

#define BEGIN(i) ((100 * ((uint64_t)(i) + 1)) * MS)

static void happen(struct world *w, size_t i)
{
	uint64_t from = BEGIN(i), wakes = from + cases[i].at_ms * MS;

	take_switch(w, SLEEPER, false, from - 5 * MS);
	if (!cases[i].at_ms)
		wake(w, cases[i].pid, cases[i].tid, cases[i].flags, cases[i].sleeper,
		     cases[i].len, from - 1);
	take_switch(w, SLEEPER, true, from);
	if (cases[i].by == ENDING)
		end(w, ENDING, from);
	if (cases[i].at_ms)
		wake(w, cases[i].pid, cases[i].tid, cases[i].flags, cases[i].sleeper,
		     cases[i].len, wakes);
	if (cases[i].kind) /* a second one changes nothing */
		wake(w, STRANGER, STRANGER, 0, SLEEPER, DATA_SIZE, wakes + MS);
	take_switch(w, SLEEPER, false, from + 10 * MS);
	take_switch(w, SLEEPER, true, from + 11 * MS);
}

static void write_log(const struct world *w)
{
	struct exp_log log = { 0 };

	for (int state = 0; state < EXP_STATES; state++)
		exp_state_describe(vec_push(&log.events), (enum exp_state)state, "-w on");
	if (exp_log_write(&log, w->dir))
		abort();
	exp_log_release(&log);
}

/* The waits of SLEEPER that begin with case I's: not for a CPU, and then for one. */
static void is_case(const struct experiment *exp, const struct exp_samples *s, size_t i)
{
	const uint64_t end = BEGIN(i) + (cases[i].kind ? cases[i].at_ms : 10) * MS;
	const struct exp_waker *waker = NULL;
	uint64_t cpu_ns = 0;

	for (size_t k = 0; k < s->count; k++) {
		uint64_t from = s->time_ns[k] - s->weight[k];

		if (from == BEGIN(i) && s->time_ns[k] == end &&
		    s->event[k] == EXP_STATE_OTHER)
			waker = experiment_waker(exp, s->waker[k]);
		if (from == end && s->event[k] == EXP_STATE_WAIT)
			cpu_ns = s->waker[k] ? UINT64_MAX : s->weight[k];
	}
	if (!ok(waker != NULL, "%s: the wait ends there", cases[i].what))
		return;
	is_u64(waker->kind, cases[i].kind, "… ended so");
	is_u64(cpu_ns, cases[i].kind ? 2 * MS : 0, "… and it waits for a CPU");
	if (cases[i].by)
		is_u64((uint64_t)exp->threads.data[waker->thread].tid, cases[i].by,
		       "… by that thread");
}

static void test_cases(struct world *w)
{
	struct exp_writer *writer = w->rec.writer;
	struct strbuf err = { 0 };
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	struct experiment *exp;

	for (size_t i = 0; i < CASES; i++)
		happen(w, i);
	is_u64(wakers_samples(&w->wakers, 2, WAKING_STACKED), CASES + 8,
	       "all are counted");
	waiting_release(&w->waiting);
	wakers_release(&w->wakers);
	recording_release(&w->rec);
	if (exp_writer_close(writer))
		abort();
	write_log(w);
	if (experiment_open(w->dir, &exp, &err) || experiment_next(exp, &walk, &s) != 1)
		abort();
	for (size_t i = 0; i < CASES; i++)
		is_case(exp, &s, i);
	/* one for each thread, and each kind */
	is_u64(exp->wakers.len, 1 + 3 + 2, "equal wakers are one");
	exp_walk_release(&walk);
	experiment_free(exp);
	strbuf_release(&err);
	scratch_remove(w->dir);
}

int main(void)
{
	struct waking none = { 0 };
	struct world w;

	start(&w);
	test_cases(&w);
	ok(!waking_format(&none, "field:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"),
	   "a format without flags does not serve");
	return done_testing();
}
