/* SPDX-License-Identifier: Apache-2.0 */
/* Which records reach the waits of threads: collector/recording. */
#include "recording/recording.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"

#define MS UINT64_C(1000000)

enum { OURS = 10, STRANGER = 20, STACKS_ID = 7, FAULTS_ID = 8, FAULTS_EVENT = 1 };

struct world {
	struct recording rec;
	struct waiting waiting;
	char *dir;
};

/* The target is the process OURS; ROOT precedes /proc. */
static void start_group(struct world *w, bool everyone, const char *root,
			const char *group)
{
	static const uint32_t events[EXP_STATES];
	struct recording_setup setup = { .everyone = everyone, .mode = STACK_OFF };

	w->dir = scratch_make();
	if (exp_writer_open(w->dir, &setup.writer))
		abort();
	recording_init(&w->rec, &setup);
	w->rec.start_ns = 1; /* times of records are one more than those of waits */
	recording_expect(&w->rec, 1);
	sources_add(&w->rec.sources, STACKS_ID, 0, -1);
	sources_add(&w->rec.sources, FAULTS_ID, FAULTS_EVENT, -1);
	waiting_init(&w->waiting, &(struct waiting_setup){
					  .in = &w->rec.in,
					  .tasks = &w->rec.tasks,
					  .root = root,
					  .group = group,
					  .everyone = everyone,
					  .times = &w->rec.times,
					  .events = events,
					  .faulted = FAULTS_EVENT,
				  });
	w->rec.waiting = &w->waiting;
	tasks_thread(&w->rec.tasks, OURS, OURS);
}

static void start(struct world *w, bool everyone, const char *root)
{
	start_group(w, everyone, root, NULL);
}

static void finish(struct world *w)
{
	struct exp_writer *writer = w->rec.writer;

	waiting_release(&w->waiting);
	recording_release(&w->rec);
	if (exp_writer_close(writer))
		abort();
	scratch_remove(w->dir);
}

/* The thread PID of the process PID gets CPU 1, or leaves it. */
static void take_switch(struct world *w, uint32_t pid, bool out, uint64_t time)
{
	recording_take_record(
		&w->rec,
		&(struct record){
			.type = PERF_RECORD_SWITCH,
			.at = { .pid = pid, .tid = pid, .cpu = 1, .time = time + 1 },
			.switched = { .out = out },
		});
}

/* It is about to leave its CPU. */
static void take_stack(struct world *w, uint32_t pid, uint64_t time)
{
	recording_take_record(&w->rec, &(struct record){
					       .type = PERF_RECORD_SAMPLE,
					       .at = { .pid = pid,
						       .tid = pid,
						       .cpu = 1,
						       .time = time + 1,
						       .id = STACKS_ID },
					       .sample = { .period = 1 },
				       });
}

static void test_strangers(void)
{
	struct world w;

	start(&w, false, NULL);
	take_switch(&w, STRANGER, false, 1 * MS);
	take_switch(&w, STRANGER, true, 2 * MS);
	take_switch(&w, OURS, false, 3 * MS);
	take_switch(&w, OURS, true, 4 * MS);
	is_u64(waiting_of_cpu(&w.waiting, 1).outs, 2,
	       "switches of strangers count: their stacks are recorded too");
	ok(!switches_know(&w.waiting.switches, STRANGER) &&
		   switches_know(&w.waiting.switches, OURS),
	   "but they have no waits");
	finish(&w);
}

static void test_idle(void)
{
	struct world w;

	start(&w, true, NULL);
	w.rec.unborn_pid = OURS;
	take_switch(&w, 0, false, 1 * MS);
	take_stack(&w, 0, 2 * MS);
	take_switch(&w, 0, true, 2 * MS);
	take_stack(&w, STRANGER, 3 * MS);
	take_switch(&w, STRANGER, true, 3 * MS);
	is_u64(waiting_of_cpu(&w.waiting, 1).outs, 1, "the idle task does not count");
	is_u64(w.waiting.stacks, 1, "its stacks are not taken");
	ok(!tasks_know(&w.rec.tasks, 0) && tasks_know(&w.rec.tasks, STRANGER),
	   "nor is it a process");
	finish(&w);
}

static void make_dir(const char *root, const char *below)
{
	char *path = xasprintf("%s%s", root, below);

	if (mkdir(path, 0700))
		abort();
	free(path);
}

/* OURS was there when /proc was read, and ended before its events were started. */
static void test_ended_before(void)
{
	char *root = scratch_make();
	struct world w;

	start(&w, true, root);
	tasks_thread(&w.rec.tasks, STRANGER, STRANGER);
	make_dir(root, "/proc");
	make_dir(root, "/proc/20");
	make_dir(root, "/proc/20/task");
	make_dir(root, "/proc/20/task/20");
	waiting_find_all(&w.waiting, 0);
	ok(!switches_know(&w.waiting.switches, OURS), "it has no waits");
	ok(switches_know(&w.waiting.switches, STRANGER), "one that lives has");
	take_switch(&w, OURS, false, 1 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_UNKNOWN].ns, 99 * MS,
	       "it got a CPU and is gone at the end: unknown, not CPU time");
	is_u64(w.waiting.sums[EXP_STATE_OTHER].ns, 100 * MS, "the other one waits");
	finish(&w);
	scratch_remove(root);
}

/* The ring of CPU 1 was full at the end. */
static void test_hidden(void)
{
	struct world w;

	start(&w, true, NULL);
	take_switch(&w, OURS, false, 10 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_hides(&w.waiting, 1, UINT64_MAX);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_UNKNOWN].ns, 90 * MS,
	       "a switch out may be lost: unknown, not CPU time");
	finish(&w);
}

/* STRANGER's end was lost, and another process gets its number. */
static void test_reused(void)
{
	struct world w;

	start(&w, true, NULL);
	take_switch(&w, STRANGER, false, 10 * MS);
	take_switch(&w, STRANGER, true, 20 * MS);
	recording_take_record(
		&w.rec,
		&(struct record){
			.type = PERF_RECORD_FORK,
			.at = { .pid = OURS, .tid = OURS, .cpu = 1, .time = 1 + 50 * MS },
			.task = { .pid = STRANGER,
				  .ppid = OURS,
				  .tid = STRANGER,
				  .ptid = OURS },
		});
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.lives, 2, "both lived");
	is_u64(w.rec.tasks.thread_ids, 2, "each is a thread of its own");
	finish(&w);
}

/* A record of a thread: of its end, if END, or it gets CPU 1. */
static void take_thread(struct world *w, uint32_t pid, uint32_t tid, bool end,
			uint64_t time)
{
	recording_take_record(
		&w->rec,
		&(struct record){
			.type = end ? PERF_RECORD_EXIT : PERF_RECORD_SWITCH,
			.at = { .pid = pid, .tid = tid, .cpu = 1, .time = time + 1 },
			.task = { .pid = end ? pid : 0, .tid = end ? tid : 0 },
		});
}

/* Its end is the first record of STRANGER, which then leaves its CPU, gets it and leaves it. */
static void test_end_first(void)
{
	struct world w;

	start(&w, true, NULL);
	take_thread(&w, STRANGER, STRANGER, true, 10 * MS);
	take_switch(&w, STRANGER, true, 11 * MS);
	take_switch(&w, STRANGER, false, 12 * MS);
	take_switch(&w, STRANGER, true, 13 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.lives, 0,
	       "a thread whose end is its first record does not live on");
	is_u64(w.waiting.sums[EXP_STATE_OTHER].waits, 0, "nor does it wait");
	finish(&w);
}

/* Who runs when the kernel says that it lost records may be anybody. */
static void test_lost_strangers(void)
{
	struct world w;

	start(&w, true, NULL);
	for (uint32_t pid = OURS; pid <= STRANGER; pid += STRANGER - OURS)
		recording_take_record(&w.rec, &(struct record){
						      .type = PERF_RECORD_LOST,
						      .at = { .pid = pid,
							      .tid = pid,
							      .cpu = 1,
							      .time = 9 * MS },
						      .lost = 3,
					      });
	is_u64(w.rec.lost, 6, "records that were lost while a stranger ran count");
	ok(!tasks_know(&w.rec.tasks, STRANGER) &&
		   !tasks_find_thread(&w.rec.tasks, STRANGER),
	   "but it is none of the target's");
	finish(&w);
}

/* The events of the last thread are open 5 ms after the recording's start. */
static void test_found_later(void)
{
	struct world w;

	start(&w, true, NULL);
	tasks_thread(&w.rec.tasks, STRANGER, STRANGER);
	waiting_find_all(&w.waiting, 5 * MS);
	take_switch(&w, OURS, false, 3 * MS);
	take_switch(&w, STRANGER, false, 7 * MS);
	is_u64(w.waiting.sums[EXP_STATE_OTHER].ns, 2 * MS,
	       "a thread waited from when its switches are recorded, not before");
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_OTHER].waits, 1, "the other one ran");
	finish(&w);
}

/* OURS waits three times: it is woken up, or comes in, or does neither before the end. */
static void test_cut(void)
{
	struct world w;

	start(&w, true, NULL);
	for (uint64_t ms = 10; ms < 70; ms += 20) {
		take_switch(&w, OURS, false, ms * MS);
		take_switch(&w, OURS, true, (ms + 5) * MS);
		if (ms == 10)
			waiting_woken(&w.waiting, OURS, (ms + 10) * MS, 1);
	}
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_OTHER].waits, 3, "three waits");
	is_u64(w.waiting.woken, 1, "of one it is known who ended it");
	is_u64(w.waiting.cut, 1, "nobody ended the last");
	finish(&w);
}

static void put_stat(const char *root, uint32_t pid, uint32_t tid, unsigned flags)
{
	char *path = xasprintf("proc/%u/task/%u/stat", (unsigned)pid, (unsigned)tid);
	char *line = xasprintf("%u (a) S 1 1 1 1 1 %u 1 1 1 1 1 1 1 1 1 1 1 1 1",
			       (unsigned)tid, flags);

	scratch_text(root, path, line);
	free(path);
	free(line);
}

/* The births of later threads with the same number were lost, and some ends too. */
static void test_unborn(void)
{
	enum { WORKER = 11, OTHER = 30, EXITING = 4 };
	char *root = scratch_make();
	struct world w;

	start(&w, true, root);
	take_thread(&w, OURS, WORKER, false, 5 * MS);
	take_thread(&w, OURS, WORKER, false, 10 * MS);
	take_switch(&w, OURS, false, 15 * MS);
	take_thread(&w, OTHER, WORKER, false, 40 * MS);
	is_u64(w.waiting.lives, 1, "it is in another process: the first one ended");
	is_u64(tasks_find_thread(&w.rec.tasks, WORKER)->process,
	       tasks_index(&w.rec.tasks, OTHER), "and the number is the second one's");
	put_stat(root, OTHER, WORKER, EXITING);
	take_thread(&w, OTHER, WORKER, true, 50 * MS);
	is_u64(w.waiting.lives, 2, "that one ends");
	take_thread(&w, OTHER, WORKER, false, 51 * MS);
	ok(!switches_know(&w.waiting.switches, WORKER), "it comes in once more to end");
	put_stat(root, OTHER, WORKER, 0);
	take_thread(&w, OTHER, WORKER, false, 60 * MS);
	ok(switches_know(&w.waiting.switches, WORKER), "a third one does not end");
	put_stat(root, OURS, OURS, EXITING);
	take_thread(&w, OURS, OURS, true, 70 * MS);
	put_stat(root, OURS, OURS, 0);
	take_switch(&w, OURS, false, 80 * MS);
	ok(switches_know(&w.waiting.switches, OURS), "another process has the number");
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.lives, 5, "all lived");
	is_u64(w.rec.tasks.thread_ids, 5, "each is a thread of its own");
	is_u64(w.rec.tasks.ids, 3, "in three processes");
	finish(&w);
	scratch_remove(root);
}

/* OURS has ended, and a process gets its number that may be anybody's child. */
static void test_unborn_stranger(void)
{
	char *root = scratch_make();
	struct world w;

	start(&w, false, root);
	put_stat(root, OURS, OURS, 0);
	take_thread(&w, OURS, OURS, true, 10 * MS);
	take_switch(&w, OURS, false, 20 * MS);
	ok(!switches_know(&w.waiting.switches, OURS) && !tasks_know(&w.rec.tasks, OURS),
	   "a process whose parent is not known is not the target's");
	finish(&w);
	scratch_remove(root);
}

/*
 * OURS and STRANGER run in the group /a/b when the recording begins; at its end OURS is in
 * the group NOW.  Returns the time for which its state is not known, of 90 ms.
 */
static uint64_t unknown_in(const char *group, const char *now)
{
	char *root = scratch_make(), *line = xasprintf("1:cpu:/\n0::%s\n", now);
	struct world w;
	uint64_t unknown;

	start_group(&w, true, root, group);
	tasks_thread(&w.rec.tasks, STRANGER, STRANGER);
	scratch_text(root, "proc/10/task/10/cgroup", "0::/a/b\n");
	scratch_text(root, "proc/20/task/20/cgroup", "0::/a/b/c\n");
	waiting_find_all(&w.waiting, 0);
	take_switch(&w, OURS, false, 10 * MS);
	scratch_text(root, "proc/10/task/10/cgroup", line);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	unknown = w.waiting.sums[EXP_STATE_UNKNOWN].ns;
	finish(&w);
	scratch_remove(root);
	free(line);
	return unknown;
}

/* Events that are tied to a group do not say that a thread leaves it. */
static void test_left_group(void)
{
	is_u64(unknown_in("/a/b", "/a"), 90 * MS, "it left the group: unknown");
	is_u64(unknown_in("/a/b", "/a/bc"), 90 * MS, "a longer name is another group");
	is_u64(unknown_in("/a/b", "/a/b"), 0, "it stayed");
	is_u64(unknown_in("/a/b", "/a/b/d"), 0, "it moved below the group");
	is_u64(unknown_in(NULL, "/a"), 0, "no group is recorded");
	is_u64(unknown_in("/x/a/b", "/a"), 0, "paths of another namespace show nothing");
}

/* An import's tracepoints show when it was woken up, twice. */
static void test_woken(void)
{
	const struct record stop = { .type = PERF_RECORD_SAMPLE,
				     .at = { .pid = OURS, .tid = OURS, .cpu = 1 } };
	struct world w;

	start(&w, true, NULL);
	take_switch(&w, OURS, false, 10 * MS);
	waiting_woken(&w.waiting, OURS, 15 * MS, 1); /* it has a CPU */
	waiting_state(&w.waiting, &stop, 20 * MS, EXP_STATE_STOPPED);
	take_switch(&w, OURS, true, 20 * MS);
	waiting_woken(&w.waiting, OURS, 25 * MS, 1);
	waiting_woken(&w.waiting, OURS, 26 * MS, 2);
	waiting_woken(&w.waiting, STRANGER, 26 * MS, 1); /* nobody knows it */
	take_switch(&w, OURS, false, 28 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_STOPPED].ns, 5 * MS, "it waited until then");
	is_u64(w.waiting.sums[EXP_STATE_WAIT].ns, 3 * MS, "and for a CPU from then on");
	finish(&w);
}

/* The first that is known of a thread: it stops, and goes on. */
static void test_stopped_first(void)
{
	enum { LATE = 12 };
	const struct record stop = { .type = PERF_RECORD_SAMPLE,
				     .at = { .pid = OURS, .tid = LATE, .cpu = 1 } };
	struct world w;

	start(&w, true, NULL);
	waiting_state(&w.waiting, &stop, 20 * MS, EXP_STATE_STOPPED);
	recording_take_record(
		&w.rec,
		&(struct record){
			.type = PERF_RECORD_SWITCH,
			.at = { .pid = OURS, .tid = LATE, .cpu = 1, .time = 20 * MS + 1 },
			.switched = { .out = true },
		});
	take_thread(&w, OURS, LATE, false, 50 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_STOPPED].ns, 30 * MS, "it was stopped");
	finish(&w);
}

/* It leaves a CPU that it got unseen, some time after another one had that. */
static void test_unseen(void)
{
	struct world w;

	start(&w, true, NULL);
	take_switch(&w, OURS, false, 10 * MS);
	ok(!waiting_unseen(&w.waiting, OURS, 12 * MS), "it was seen");
	take_switch(&w, OURS, true, 20 * MS);
	ok(waiting_unseen(&w.waiting, OURS, 24 * MS), "it was not seen");
	take_switch(&w, OURS, true, 30 * MS);
	take_switch(&w, OURS, false, 40 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_UNKNOWN].ns, 6 * MS, "unknown from then on");
	is_u64(w.waiting.sums[EXP_STATE_OTHER].ns, 4 * MS + 10 * MS,
	       "but it waited before, and after");
	finish(&w);
}

/* The recording pauses from 20 to 50 ms, while a thread waits, and runs at the end. */
static void test_paused(void)
{
	struct world w;

	start(&w, true, NULL);
	spans_end(&w.rec.times, 20 * MS);
	spans_add(&w.rec.times, 50 * MS, UINT64_MAX);
	take_switch(&w, OURS, false, 5 * MS);
	take_switch(&w, OURS, true, 10 * MS);
	take_switch(&w, OURS, false, 70 * MS);
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_OTHER].ns, (10 + 20) * MS,
	       "a wait counts before the pause and after it");
	is_u64(w.waiting.sums[EXP_STATE_OTHER].waits, 2, "… as two");
	is_u64(w.waiting.lives, 2, "so does a life");
	finish(&w);
}

/* A major page fault is served: the instruction IP wanted ADDRESS. */
static void take_fault(struct world *w, uint64_t ip, uint64_t address, uint64_t time)
{
	recording_take_record(&w->rec, &(struct record){
					       .type = PERF_RECORD_SAMPLE,
					       .misc = PERF_RECORD_MISC_USER,
					       .at = { .pid = OURS,
						       .tid = OURS,
						       .cpu = 1,
						       .time = time + 1,
						       .id = FAULTS_ID },
					       .sample = { .ip = ip, .address = address },
				       });
}

/* A report comes soon after the wait. */
#define SOON (MS / 20)

/* From OUT to IN it waits in a page fault of the instruction at 0x1000. */
static void fault_wait(struct world *w, uint64_t out, uint64_t in)
{
	const struct switches_reason reason = { SWITCHES_NO_STACK, EXP_STATE_PAGEFAULT,
						0x1000 };

	switches_stack(&w->waiting.switches, OURS, &reason);
	take_switch(w, OURS, true, out);
	take_switch(w, OURS, false, in);
}

static void test_faults(void)
{
	struct world w;

	start(&w, true, NULL);
	take_switch(&w, OURS, false, 10 * MS);
	fault_wait(&w, 11 * MS, 12 * MS);
	take_fault(&w, 0x1000, 0x1000, 12 * MS + SOON);
	fault_wait(&w, 20 * MS, 22 * MS);
	take_fault(&w, 0x1000, 0x9000, 22 * MS + SOON);
	fault_wait(&w, 30 * MS, 34 * MS);
	recording_take_record(&w.rec, &(struct record){
					      .type = PERF_RECORD_SAMPLE,
					      .misc = PERF_RECORD_MISC_USER,
					      .at = { .pid = OURS,
						      .tid = OURS,
						      .cpu = 1,
						      .time = 1 + 34 * MS + SOON / 2,
						      .id = 99 },
				      });
	take_fault(&w, 0x1000, 0x1000, 34 * MS + SOON);
	fault_wait(&w, 40 * MS, 48 * MS);
	recording_take_record(&w.rec,
			      &(struct record){
				      .type = PERF_RECORD_LOST,
				      .at = { .cpu = 3, .time = 1 + 48 * MS + SOON / 2 },
				      .lost = 1,
			      });
	take_fault(&w, 0x1000, 0x1000, 48 * MS + SOON);
	fault_wait(&w, 60 * MS, 76 * MS);
	take_fault(&w, 0x1000, 0x1000, 77 * MS);
	fault_wait(&w, 80 * MS, 90 * MS);
	is_u64(w.waiting.sums[EXP_STATE_TEXTFAULT].ns, 1 * MS, "the instruction itself");
	is_u64(w.waiting.sums[EXP_STATE_DATAFAULT].ns, 2 * MS, "its data");
	is_u64(w.waiting.sums[EXP_STATE_PAGEFAULT].ns, 28 * MS,
	       "not clear if the thread ran, or records were lost, or it comes late");
	recording_stop(&w.rec, 1 + 100 * MS);
	waiting_finish(&w.waiting);
	is_u64(w.waiting.sums[EXP_STATE_PAGEFAULT].ns, 38 * MS, "the last is there, too");
	is_u64(w.waiting.sums[EXP_STATE_PAGEFAULT].addressed, 0,
	       "no lock has the address");
	is_u64(w.rec.samples, 0, "a fault is no sample of the user's");
	finish(&w);
}

int main(void)
{
	test_cut();
	test_found_later();
	test_lost_strangers();
	test_faults();
	test_paused();
	test_left_group();
	test_unborn();
	test_unborn_stranger();
	test_woken();
	test_stopped_first();
	test_unseen();
	test_reused();
	test_hidden();
	test_ended_before();
	test_end_first();
	test_strangers();
	test_idle();
	return done_testing();
}
