/* SPDX-License-Identifier: Apache-2.0 */
/* When events stop and go on, and what of the samples is kept. */
#include "control/control.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "experiment/read.h"
#include "experiment/write.h"
#include "fake.h"
#include "fake_events.h"
#include "scratch.h"
#include "tap.h"

enum { START = 1000, PID = 77 };

struct world {
	struct control control;
	struct evlist evlist;
	struct ladder ladder;
	struct sockets sockets;
	struct recording rec;
	char *dir;
};

static struct span how_long; /* -t, if not 0 */

static void start(struct world *w, const struct control_setup *how,
		  enum evlist_scope scope)
{
	static const pid_t tasks[] = { PID };
	struct recording_setup recording = { .everyone = true,
					     .start_ns = START,
					     .from_ns = how_long.from,
					     .to_ns = how_long.to };
	struct strbuf err = { 0 };
	struct evlist_setup setup = {
		.sys = &fake_sys,
		.ladder = &w->ladder,
		.mode = STACK_FP,
		.scope = scope,
		.tasks = tasks,
		.ntasks = 1,
		.on_exec = true,
		.pauses = true,
		.paused = how->paused,
	};
	struct control_setup control = *how;

	fake_boot();
	fake_ladder(&w->ladder, 2);
	if (evlist_open(&w->evlist, &setup, &err))
		abort();
	w->dir = scratch_make();
	if (exp_writer_open(w->dir, &recording.writer))
		abort();
	recording_init(&w->rec, &recording);
	w->sockets = (struct sockets){ .sys = &fake_sys };
	control.evlist = &w->evlist;
	control.rec = &w->rec;
	control.sockets = &w->sockets;
	control_init(&w->control, &control);
	control_begin(&w->control, START);
	fake.enabled = fake.disabled = 0;
	strbuf_release(&err);
}

static void finish(struct world *w)
{
	if (exp_writer_close(w->rec.writer))
		abort();
	recording_release(&w->rec);
	evlist_release(&w->evlist);
	ladder_release(&w->ladder);
	scratch_remove(w->dir);
}

static bool goes_on_at(const struct world *w, uint64_t time_ns)
{
	return spans_have(&w->rec.times, time_ns - START);
}

static void ask(struct world *w, enum control_kind kind, uint64_t time_ns,
		uint64_t taken_ns)
{
	fake.now = time_ns + 5;
	control_request(&w->control, kind, EXP_POINT_SIGNAL, time_ns, taken_ns, NULL);
}

static void test_pause(enum evlist_scope scope)
{
	const unsigned events = 2 * fake_cpus();
	struct regions regions = { .end_ns = UINT64_MAX };
	struct world w = { 0 };

	start(&w, &(struct control_setup){ .regions = &regions }, scope);
	is_u64(fake.open, 3 * fake_cpus(), "beside the events there are trackers");
	ask(&w, CONTROL_PAUSE, 2000, 1500);
	ok(fake.disabled == events && w.control.paused, "a pause stops all events");
	ok(goes_on_at(&w, 1999) && !goes_on_at(&w, 2000), "from its instant on");
	ask(&w, CONTROL_PAUSE, 2100, 1500);
	is_u64(fake.disabled, events, "pauses do not nest");
	ask(&w, CONTROL_RESUME, 3000, 1500);
	ok(fake.enabled == events && !w.control.paused, "then they go on");
	ok(!goes_on_at(&w, 3004) && goes_on_at(&w, 3005), "from when they run again");
	ask(&w, CONTROL_PAUSE, 4000, 4500);
	ok(goes_on_at(&w, 4499) && !goes_on_at(&w, 4500),
	   "what was written before the request was read stays");
	ask(&w, CONTROL_TOGGLE, 5000, 0);
	ok(goes_on_at(&w, 5005), "a toggle resumes");
	ask(&w, CONTROL_TOGGLE, 6000, 0);
	ok(!goes_on_at(&w, 6000), "and pauses");
	ask(&w, CONTROL_END, 7000, 0);
	is_u64(regions.end_ns, 7000, "an end is one of regions");
	ask(&w, CONTROL_RESUME, 8000, 0);
	ok(w.control.ended && !goes_on_at(&w, 8005), "after the end nothing resumes it");
	finish(&w);
}

/* What was lost in a full ring may be from after the instant of a pause. */
static void test_full(enum control_kind kind)
{
	struct world w = { 0 };
	struct ring *ring;

	start(&w, &(struct control_setup){ .paused = false }, SCOPE_CGROUP);
	ring = &w.evlist.rings[fake_cpus() - 1];
	ring->page->data_head = ring->size / 2;
	ask(&w, CONTROL_PAUSE, 2000, 1500);
	ok(!w.rec.blurred, "nothing was lost: samples show what was counted in a pause");
	ask(&w, CONTROL_RESUME, 3000, 1500);
	ring->page->data_head = ring->size;
	ok(!w.rec.blurred, "a ring may be full while samples are kept");
	ask(&w, kind, 4000, 1500);
	ok(w.rec.blurred, "a ring was full: what was counted in a pause is unknown");
	finish(&w);
}

static void test_begins_paused(void)
{
	struct world w = { 0 };

	start(&w, &(struct control_setup){ .paused = true }, SCOPE_TASK);
	ok(!fake.last.enable_on_exec && fake.last.disabled,
	   "events do not start with the program");
	ok(!goes_on_at(&w, 5000), "and nothing is recorded");
	ask(&w, CONTROL_RESUME, 2000, 0);
	ok(!goes_on_at(&w, 2004) && goes_on_at(&w, 2005), "until it is resumed");
	finish(&w);
}

/* Pauses before -t's begin, and from before it to later. */
static void test_wanted(bool paused)
{
	struct regions regions = { .end_ns = UINT64_MAX };
	const struct control_setup how = { .paused = paused, .regions = &regions };
	struct world w = { 0 };

	how_long = (struct span){ 1000, 5000 };
	start(&w, &how, SCOPE_TASK);
	if (!paused)
		ask(&w, CONTROL_PAUSE, START + 100, 0);
	ask(&w, CONTROL_RESUME, START + 200, 0);
	ok(!goes_on_at(&w, START + 999) && goes_on_at(&w, START + 1000),
	   "what is resumed before -t's begin begins there");
	ask(&w, CONTROL_PAUSE, START + 300, 0);
	ok(!goes_on_at(&w, START + 1000), "not if it is paused again");
	ask(&w, CONTROL_RESUME, START + 2000, 0);
	ok(!goes_on_at(&w, START + 2004) && goes_on_at(&w, START + 2005) &&
		   goes_on_at(&w, START + 4999) && !goes_on_at(&w, START + 5000),
	   "later it begins at once, and ends at -t's end");
	control_stop(&w.control, START + 5500);
	is_u64(regions.end_ns, START + 5000, "so do regions");
	how_long = (struct span){ 0 };
	finish(&w);
}

static bool counts_at(struct world *w, uint64_t time_ns)
{
	control_round(&w->control, time_ns);
	return w->sockets.counting;
}

/* What counts for the whole machine has no samples: it counts when these would be kept. */
static void test_sockets(void)
{
	struct world w = { 0 };

	how_long = (struct span){ 1000000, 5000000 };
	start(&w, &(struct control_setup){ 0 }, SCOPE_TASK);
	is_i64(control_rest_ms(&w.control, START, 100), 1,
	       "a round waits for -t's begin");
	is_i64(control_rest_ms(&w.control, START + 1000000, 100), 100, "and no longer");
	ok(!counts_at(&w, START + 999999) && counts_at(&w, START + 1000000),
	   "a counter of the whole machine counts from there on");
	ask(&w, CONTROL_PAUSE, START + 2000000, 0);
	ok(!counts_at(&w, START + 2500000), "not in a pause");
	ask(&w, CONTROL_RESUME, START + 3000000, 0);
	ok(w.sockets.counting && counts_at(&w, START + 3500000), "but after it");
	ask(&w, CONTROL_PAUSE, START + 4000000, 0);
	control_stop(&w.control, START + 5000000);
	ok(!counts_at(&w, START + 5000001), "nor after the end");
	finish(&w);
	memset(&w, 0, sizeof(w));
	start(&w, &(struct control_setup){ .paused = true }, SCOPE_TASK);
	ok(!counts_at(&w, START + 2000000), "nor before what begins paused is resumed");
	ask(&w, CONTROL_RESUME, START + 900000, 0);
	ok(!w.sockets.counting, "nor when it is resumed before -t's begin,");
	ok(!counts_at(&w, START + 999999) && counts_at(&w, START + 1000000),
	   "but from there on");
	how_long = (struct span){ 0 };
	finish(&w);
}

static struct experiment *read_back(struct world *w)
{
	struct exp_log log = { 0 };
	struct experiment *exp;
	struct strbuf err = { 0 };

	*vec_push(&log.events) = (struct exp_event){ .metric = xstrdup("a") };
	*vec_push(&log.events) = (struct exp_event){ .metric = xstrdup("b") };
	if (exp_writer_flush(w->rec.writer) || exp_log_write(&log, w->dir) ||
	    experiment_open(w->dir, &exp, &err))
		abort();
	exp_log_release(&log);
	strbuf_release(&err);
	return exp;
}

static void test_spans(void)
{
	struct world w = { 0 };
	struct experiment *exp;

	start(&w, &(struct control_setup){ 0 }, SCOPE_CGROUP);
	ask(&w, CONTROL_PAUSE, 2000, 0);
	ask(&w, CONTROL_RESUME, 3000, 0);
	control_end(&w.control, 9000, NULL);
	control_write_spans(&w.control, 9000);
	exp = read_back(&w);
	is_u64(exp->spans.list.len, 2, "both spans are in the experiment");
	ok(exp->spans.list.data[0].from == 0 && exp->spans.list.data[0].to == 1000 &&
		   exp->spans.list.data[1].from == 2005 &&
		   exp->spans.list.data[1].to == 8000,
	   "from the start, until the end");
	is_u64(exp->points.len, 0, "there are no points, as nobody wanted any");
	experiment_free(exp);
	finish(&w);
	memset(&w, 0, sizeof(w));
	start(&w, &(struct control_setup){ 0 }, SCOPE_CGROUP);
	control_end(&w.control, 9000, NULL);
	control_write_spans(&w.control, 9000);
	exp = read_back(&w);
	is_u64(exp->spans.list.len, 0, "without a pause there is no span");
	experiment_free(exp);
	finish(&w);
}

static void test_points(void)
{
	const struct control_setup how = {
		.points = { .root = "/nowhere", .wanted = true, .every_ns = 1000 }
	};
	struct world w = { 0 };
	struct experiment *exp;

	start(&w, &how, SCOPE_CGROUP);
	fake.counts[0] = 10;
	is_i64(control_rest_ms(&w.control, START, 100), 1, "a round waits for a point");
	control_round(&w.control, START + 999);
	is_u64(w.control.points.count, 0, "it is not time yet");
	control_round(&w.control, START + 1000);
	control_round(&w.control, START + 1500);
	fake.counts[0] = 20;
	control_request(&w.control, CONTROL_POINT, EXP_POINT_PROGRAM, START + 1600, 0,
			"named");
	control_request(&w.control, CONTROL_POINT, EXP_POINT_SIGNAL, START + 1550, 0,
			NULL);
	control_round(&w.control, START + 7000);
	control_end(&w.control, START + 9000, NULL);
	exp = read_back(&w);
	is_u64(exp->points.len, 6, "each is written, and the begin, and the end");
	for (size_t i = 0; i < 6 && exp->points.len == 6; i++) {
		static const struct {
			uint64_t time_ns, count;
			enum exp_point_kind kind;
			const char *name;
		} want[] = {
			{ 0, 0, EXP_POINT_BEGIN, "" },
			{ 1000, 10, EXP_POINT_PERIOD, "" },
			{ 1600, 20, EXP_POINT_PROGRAM, "named" },
			{ 1600, 20, EXP_POINT_SIGNAL, "" },
			{ 7000, 20, EXP_POINT_PERIOD, "" },
			{ 9000, 20, EXP_POINT_END, "" },
		};
		const struct exp_point *p = &exp->points.data[i];

		ok(p->time_ns == want[i].time_ns && p->kind == want[i].kind &&
			   !strcmp(experiment_string(exp, p->name), want[i].name) &&
			   p->counts == 2 &&
			   exp->point_counts.data[p->count].count ==
				   want[i].count * fake_cpus(),
		   "point %zu", i);
	}
	experiment_free(exp);
	finish(&w);
}

/* The program goes on, and asks for more. */
static void test_stopped(void)
{
	struct regions regions = { .end_ns = UINT64_MAX };
	const struct control_setup how = {
		.regions = &regions,
		.points = { .root = "/nowhere", .wanted = true, .every_ns = 1000 }
	};
	const struct usage last = { .known = EXP_KNOWN_TIMES, .user_ns = 5 };
	struct world w = { 0 };
	struct experiment *exp;

	start(&w, &how, SCOPE_CGROUP);
	control_round(&w.control, START + 1000);
	ask(&w, CONTROL_PAUSE, START + 1100, 0);
	control_stop(&w.control, START + 1500);
	is_u64(regions.end_ns, START + 1500, "regions end with it");
	ask(&w, CONTROL_RESUME, START + 1600, 0);
	is_u64(fake.enabled, 0, "after -t or -L nothing resumes it");
	ask(&w, CONTROL_POINT, START + 1700, 0);
	control_round(&w.control, START + 3000);
	is_i64(control_rest_ms(&w.control, START + 3000, 100), 100,
	       "no round waits for a point");
	control_end(&w.control, START + 9000, &last);
	exp = read_back(&w);
	is_u64(exp->points.len, 3, "there are no points later than the recording");
	ok(exp->points.data[2].time_ns == 1500 && !exp->points.data[2].user_ns &&
		   exp->points.data[2].kind == EXP_POINT_END,
	   "its end is when it stopped");
	experiment_free(exp);
	finish(&w);
}

/* What a process that has ended used is not known; of one that lives it is. */
static void test_usage(void)
{
	struct tasks tasks = { 0 };
	struct usage usage;

	usage_read(&usage, &tasks, "");
	is_u64(usage.known, 0, "nothing is known of no process");
	*vec_push(&tasks.processes) = (struct process){ .pid = INT32_MAX, .live = 1 };
	*vec_push(&tasks.threads) = (struct thread){ .tid = INT32_MAX };
	usage_read(&usage, &tasks, "");
	is_u64(usage.known, 0, "nor of one that has just ended");
	tasks.processes.data[0].pid = tasks.threads.data[0].tid = (uint32_t)getpid();
	usage_read(&usage, &tasks, "");
	is_u64(usage.known, EXP_KNOWN_TIMES | EXP_KNOWN_SWITCHES,
	       "of one that lives it is");
	vec_release(&tasks.processes);
	vec_release(&tasks.threads);
}

int main(void)
{
	test_usage();
	test_pause(SCOPE_TASK);
	test_pause(SCOPE_CGROUP);
	test_full(CONTROL_PAUSE);
	test_full(CONTROL_END);
	test_begins_paused();
	test_wanted(true);
	test_wanted(false);
	test_sockets();
	test_spans();
	test_points();
	test_stopped();
	return done_testing();
}
