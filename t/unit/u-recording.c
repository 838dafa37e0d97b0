/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of samples, from the record to the recording's sums. */
#include "recording/recording.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"

enum { CLOCK_ID = 7, MEMBER_ID = 8, NOMINAL = 1000000, NOW = 1040000, OWED = 5000 };

/* A recording of two events of a CPU; the first one, a clock, has a new interval. */
static char *start(struct recording *rec)
{
	char *dir = scratch_make();
	struct recording_setup setup = { .everyone = true, .mode = STACK_OFF };
	struct source *clock;

	if (exp_writer_open(dir, &setup.writer))
		abort();
	recording_init(rec, &setup);
	recording_expect(rec, 2);
	sources_add(&rec->sources, MEMBER_ID, 1, -1);
	clock = sources_add(&rec->sources, CLOCK_ID, 0, -1);
	clock->pace = (struct pace){
		.nominal = NOMINAL,
		.before = NOMINAL,
		.now = NOW,
		.since_ns = 1000,
		.owed = OWED,
	};
	return dir;
}

static void finish(struct recording *rec, char *dir)
{
	struct exp_writer *writer = rec->writer;

	recording_release(rec);
	if (exp_writer_close(writer))
		abort();
	scratch_remove(dir);
}

/* Kernels up to 6.18 report a clock's interval at opening. */
static void take_clock(struct recording *rec, uint64_t count)
{
	const uint64_t words[] = { count, CLOCK_ID, 500 * count / NOMINAL, MEMBER_ID };
	const struct record r = {
		.type = PERF_RECORD_SAMPLE,
		.at = { .pid = 3, .tid = 3, .id = CLOCK_ID, .time = 2000 },
		.sample = { .period = NOMINAL, .counts = { words, 2, 2 } },
	};

	recording_take_record(rec, &r);
}

static void test_alone(void)
{
	struct recording rec;
	char *dir = start(&rec);

	take_clock(&rec, NOMINAL);
	is_u64(rec.events.data[0].weight, NOW + OWED,
	       "a clock's sample has the weight of its current interval");
	finish(&rec, dir);
}

static void test_leader(bool ticks_idle, uint64_t expected)
{
	struct recording rec;
	char *dir = start(&rec);

	sources_set_group(&rec.sources, 0, ticks_idle);
	take_clock(&rec, NOMINAL);
	is_u64(rec.events.data[0].weight, expected, "also as the leader of a group%s",
	       ticks_idle ? " and ticks on idle CPUs" : ", its count if it is counted");
	is_u64(rec.events.data[1].weight, 500, "a member's weight is its count");
	take_clock(&rec, 3 * NOMINAL);
	is_u64(rec.events.data[1].weight, 1500, "and its count since");
	finish(&rec, dir);
}

/* ---- the remains of ended tasks ---- */

static void take(struct recording *rec, uint32_t type, uint32_t pid, uint64_t time,
		 struct record r)
{
	r.type = type;
	r.at.pid = r.at.tid = pid;
	r.at.time = time;
	recording_take_record(rec, &r);
}

/* PID is forked, executes a program, counts, is sampled if it is LUCKY, and ends. */
static void live(struct recording *rec, uint32_t pid, bool lucky)
{
	const uint64_t words[] = { 70, CLOCK_ID, 30, MEMBER_ID };
	const uint64_t time = 1000 * (uint64_t)pid;
	const struct record sample = {
		.at.id = CLOCK_ID,
		.sample = { .period = NOMINAL, .counts = { words, 2, 2 } },
	};
	const struct record map = { .mmap = { .pid = pid,
					      .tid = pid,
					      .start = 0x1000,
					      .len = 0x1000,
					      .prot = 4,
					      .path = "/bin/cc" } };
	const struct record task = {
		.task = { .pid = pid, .tid = pid, .ppid = 1, .ptid = 1 }
	};
	const struct record comm = {
		.comm = { .pid = pid, .tid = pid, .name = "cc", .exec = true }
	};

	take(rec, PERF_RECORD_FORK, 1, time, task);
	take(rec, PERF_RECORD_COMM, pid, time + 1, comm);
	take(rec, PERF_RECORD_MMAP2, pid, time + 2, map);
	if (lucky)
		take(rec, PERF_RECORD_SAMPLE, pid, time + 3, sample);
	take(rec, PERF_RECORD_EXIT, pid, time + 5, task);
}

/* Without the table that moves to it: when it is there depends on the process's hash key. */
static size_t slots(const struct idmap *map)
{
	return map->now.slots ? map->now.mask + 1 : 0;
}

/* Rows and slots of everything about tasks. */
static size_t kept(const struct recording *rec)
{
	const struct tasks *t = &rec->tasks;

	return t->processes.len + t->threads.len + slots(&t->by_pid) + slots(&t->by_tid) +
	       rec->counts.last.len + slots(&rec->counts.ids) +
	       slots(&rec->counts.threads) + rec->tally.rows.len +
	       slots(&rec->tally.ids) + rec->modules.v.len + slots(&rec->modules.ids) +
	       t->room.held + strtab_count(&rec->in.strings);
}

static void test_turnover(void)
{
	enum { TASKS = 1000000, EARLY = 20000 };
	struct recording rec;
	char *dir = start(&rec);
	size_t early = 0;

	sources_set_group(&rec.sources, 0, false);
	sources_find(&rec.sources, CLOCK_ID)->owner = 1;
	for (uint32_t i = 0; i < TASKS; i++) {
		live(&rec, 2 + i, i % 10 == 0);
		if (i == EARLY)
			early = kept(&rec);
	}
	is_u64(rec.tasks.processes_seen, TASKS + 1, "a million processes came and went");
	is_u64(rec.samples, 2 * TASKS / 10, "some of them were sampled");
	ok(kept(&rec) <= early + 64, "and nothing of them remains: %zu rows, %zu of %d",
	   kept(&rec), early, EARLY);
	finish(&rec, dir);
}

/* A sample of thread TID of process 5; its group has counted WORDS. */
static void sample_thread(struct recording *rec, uint32_t tid, const uint64_t *words)
{
	const struct record r = {
		.type = PERF_RECORD_SAMPLE,
		.at = { .pid = 5, .tid = tid, .id = CLOCK_ID, .time = 2000 },
		.sample = { .period = NOMINAL, .counts = { words, 2, 2 } },
	};

	recording_take_record(rec, &r);
}

/* A thread that is not the leader executes a program, and gets the leader's number. */
static void test_exec(void)
{
	const uint64_t before[] = { 70, CLOCK_ID, 30, MEMBER_ID };
	const uint64_t after[] = { 100, CLOCK_ID, 40, MEMBER_ID };
	const struct record leader = {
		.task = { .pid = 5, .tid = 5, .ppid = 1, .ptid = 1 }
	};
	const struct record thread = {
		.task = { .pid = 5, .tid = 6, .ppid = 5, .ptid = 5 }
	};
	const struct record comm = {
		.comm = { .pid = 5, .tid = 5, .name = "cc", .exec = true }
	};
	struct recording rec;
	char *dir = start(&rec);

	sources_set_group(&rec.sources, 0, false);
	sources_find(&rec.sources, CLOCK_ID)->owner = 1;
	take(&rec, PERF_RECORD_FORK, 1, 1000, leader);
	take(&rec, PERF_RECORD_FORK, 5, 1001, thread);
	sample_thread(&rec, 6, before);
	take(&rec, PERF_RECORD_EXIT, 5, 2001, leader);
	take(&rec, PERF_RECORD_COMM, 5, 2002, comm);
	sample_thread(&rec, 5, after);
	is_u64(rec.events.data[1].weight, 40,
	       "a thread that executes a program continues its counts");
	ok(tasks_find_thread(&rec.tasks, 6)->ended, "and its old number is free");
	finish(&rec, dir);
}

int main(void)
{
	test_turnover();
	test_exec();
	test_alone();
	test_leader(true, NOW + OWED);
	test_leader(false, NOMINAL);
	return done_testing();
}
