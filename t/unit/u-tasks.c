/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and threads by a real machine's records, and their rows in the experiment. */
#include "tasks_world.h"

#include "tap.h"

/* ---- processes ---- */

static void test_fork(void)
{
	struct world w;
	uint32_t before;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "make", 0);
	map(&w, 10, 0x1000, 1);
	before = tasks_process(&w.tasks, 10)->space.generation;
	tasks_fork(&w.tasks, 11, 10, 11, 500);
	is_u64(module_at(&w, 11, 0x1000), 1, "a child has its parent's mappings");
	is_u64(tasks_process(&w.tasks, 11)->space.generation, before,
	       "and their generation");
	map(&w, 11, 0x1000, 2);
	is_u64(module_at(&w, 10, 0x1000), 1, "its later mappings are its own");
	ok(tasks_process(&w.tasks, 11)->space.generation != before,
	   "and change its generation");
	hit(&w, 11, 11);
	world_read(&w);
	is_u64(w.exp->processes.len, 2, "the parent has a row before the child's");
	if (w.exp->processes.len == 2) {
		is_i64(w.exp->processes.data[0].pid, 10, "the parent");
		is_i64(w.exp->processes.data[1].pid, 11, "the child");
		is_u64(w.exp->processes.data[1].parent, 1, "its parent");
		is_u64(w.exp->processes.data[1].start_ns, 500, "its start");
		is_str(name_of(&w, w.exp->processes.data[1].name), "make",
		       "it has its parent's name until it gets another");
	}
	world_close(&w);
}

/* Two rings report it while one takes over from the other. */
static void test_reported_twice(void)
{
	struct world w;

	world_open(&w);
	hit(&w, 10, 10);
	tasks_fork(&w.tasks, 11, 10, 11, 5000);
	map(&w, 11, 0x1000, 1);
	hit(&w, 11, 11);
	tasks_fork(&w.tasks, 11, 10, 11, 7000);
	is_u64(w.tasks.processes_seen, 2, "a fork that is reported twice is one");
	is_u64(module_at(&w, 11, 0x1000), 1, "and the child keeps its mappings");
	tasks_exit(&w.tasks, 11);
	tasks_fork(&w.tasks, 11, 10, 11, 9000);
	is_u64(w.tasks.processes_seen, 3, "after its end the number is another's");
	world_close(&w);
}

/* A process without a sample gets no row. */
static void test_exec(void)
{
	struct world w;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "sh", 0);
	hit(&w, 10, 10);
	tasks_fork(&w.tasks, 11, 10, 11, 100); /* vfork looks the same */
	map(&w, 11, 0x1000, 1);
	tasks_exec(&w.tasks, 11, "cc", 200);
	is_u64(module_at(&w, 11, 0x1000), 0, "an exec drops the mappings");
	is_u64(hit(&w, 11, 11), 1, "a second thread");
	map(&w, 11, 0x2000, 2);
	tasks_exec(&w.tasks, 11, "as", 300);
	is_u64(module_at(&w, 11, 0x2000), 0, "so does the second one");
	hit(&w, 11, 11);
	tasks_exec(&w.tasks, 11, "ld", 400);
	world_read(&w);
	is_u64(w.exp->processes.len, 3, "each sampled program has a row");
	if (w.exp->processes.len == 3) {
		is_str(name_of(&w, w.exp->processes.data[0].name), "sh", "sh");
		is_str(name_of(&w, w.exp->processes.data[1].name), "cc", "cc");
		is_u64(w.exp->processes.data[1].start_ns, 200, "its start is its exec");
		is_str(name_of(&w, w.exp->processes.data[2].name), "as", "as");
		ok(w.exp->processes.data[2].pid == 11 &&
			   w.exp->processes.data[2].parent == 1,
		   "pid and parent stay");
	}
	is_u64(w.exp->threads.len, 3, "a thread each");
	is_u64(w.tasks.processes_seen, 2, "but two processes");
	is_u64(w.tasks.processes.len, 4, "and no slot for a program without samples");
	world_close(&w);
}

/* The thread that executes takes the leader's number; the others end. */
static void test_exec_in_thread(void)
{
	struct world w;
	uint32_t old;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "old", 0);
	tasks_fork(&w.tasks, 10, 10, 12, 1);
	old = hit(&w, 10, 12);
	hit(&w, 10, 10);
	tasks_exit(&w.tasks, 12);
	tasks_exec(&w.tasks, 10, "new", 5);
	ok(hit(&w, 10, 10) != old, "a new row after the exec");
	world_read(&w);
	is_u64(w.exp->threads.len, 3, "three threads have rows");
	is_u64(w.exp->threads.data[2].process, 1, "the last belongs to the new program");
	world_close(&w);
}

/* ---- threads ---- */

static void test_leader_first(void)
{
	struct world w;
	uint32_t late;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "prog", 0);
	map(&w, 10, 0x1000, 1);
	tasks_fork(&w.tasks, 10, 10, 11, 1);
	late = hit(&w, 10, 11);
	tasks_exit(&w.tasks, 10);
	is_u64(module_at(&w, 10, 0x1000), 1, "the leader's end leaves the mappings");
	is_u64(hit(&w, 10, 11), late, "and its threads continue");
	tasks_exit(&w.tasks, 11);
	is_u64(module_at(&w, 10, 0x1000), 0, "the last thread's end removes them");
	tasks_exit(&w.tasks, 11);
	tasks_exit(&w.tasks, 4711);
	is_u64(tasks_process(&w.tasks, 10)->live, 0, "ends without a start are ignored");
	world_close(&w);
}

static void test_reused_tid(void)
{
	struct world w;
	uint32_t first, second;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "a", 0);
	tasks_exec(&w.tasks, 20, "b", 0);
	tasks_fork(&w.tasks, 10, 10, 30, 1);
	first = hit(&w, 10, 30);
	tasks_exit(&w.tasks, 30);
	tasks_fork(&w.tasks, 20, 20, 30, 2);
	second = hit(&w, 20, 30);
	ok(first != second, "a reused number is another thread");
	is_u64(tasks_process(&w.tasks, 10)->live, 1,
	       "the first process has one thread less");
	/* the previous thread's end was lost */
	tasks_fork(&w.tasks, 10, 10, 30, 3);
	ok(hit(&w, 10, 30) != second, "also if the end was lost");
	is_u64(tasks_process(&w.tasks, 20)->live, 1, "and the old process has one less");
	world_read(&w);
	is_u64(w.exp->threads.len, 3, "three rows");
	is_i64(w.exp->threads.data[1].tid, 30, "with one number");
	is_u64(w.exp->threads.data[1].process, 1, "the second in its own process");
	world_close(&w);
}

static void test_reused_pid(void)
{
	struct world w;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "first", 0);
	hit(&w, 10, 10);
	tasks_exit(&w.tasks, 10);
	tasks_fork(&w.tasks, 10, 1, 10, 99);
	hit(&w, 10, 10);
	world_read(&w);
	is_u64(w.exp->processes.len, 3, "a reused pid is another process");
	is_u64(w.exp->threads.data[1].process, 2, "with a thread of its own");
	world_close(&w);
}

/* Samples stay with the name at their time; but it is one thread. */
static void test_rename(void)
{
	struct world w;
	uint32_t before;
	uint64_t seen;

	world_open(&w);
	tasks_exec(&w.tasks, 5, "server", 0);
	tasks_fork(&w.tasks, 5, 5, 6, 1);
	before = hit(&w, 5, 6);
	seen = w.tasks.threads_seen;
	tasks_rename(&w.tasks, 5, 6, "server");
	is_u64(hit(&w, 5, 6), before, "the same name is the same row");
	tasks_rename(&w.tasks, 5, 6, "worker");
	tasks_rename(&w.tasks, 5, 6, "idle");
	ok(hit(&w, 5, 6) != before, "another name is another row");
	tasks_rename(&w.tasks, 5, 6, "server");
	hit(&w, 5, 6);
	is_u64(w.tasks.threads_seen, seen, "of the same thread");
	world_read(&w);
	is_u64(w.exp->threads.len, 3, "each renaming makes a row");
	for (size_t i = 0; i < w.exp->threads.len; i++) {
		is_str(name_of(&w, w.exp->threads.data[i].name),
		       i == 1 ? "idle" : "server", "the name at that time");
		is_u64(w.exp->threads.data[i].number, 1, "of one thread");
		is_u64(w.exp->threads.data[i].last, 2, "with a last name");
	}
	world_close(&w);
}

/* A process has its leader's last name, wherever its first sample came. */
static void test_process_names(void)
{
	struct world w;

	world_open(&w);
	tasks_exec(&w.tasks, 5, "early", 0);
	tasks_exec(&w.tasks, 6, "late", 0);
	tasks_exec(&w.tasks, 7, "other", 0);
	hit(&w, 5, 5);
	for (uint32_t pid = 5; pid <= 6; pid++) {
		tasks_rename(&w.tasks, pid, pid, "worker");
		hit(&w, pid, pid);
	}
	tasks_fork(&w.tasks, 7, 7, 8, 1);
	tasks_rename(&w.tasks, 7, 8, "helper");
	hit(&w, 7, 8);
	tasks_exec(&w.tasks, 6, "program", 9);
	hit(&w, 6, 6);
	world_read(&w);
	is_u64(w.exp->processes.len, 4, "a program makes a row, a name does not");
	is_str(name_of(&w, w.exp->processes.data[0].name), "worker",
	       "renamed after the first sample");
	is_str(name_of(&w, w.exp->processes.data[1].name), "worker", "or before it");
	is_str(name_of(&w, w.exp->processes.data[2].name), "other",
	       "another thread's name is not the process's");
	is_str(name_of(&w, w.exp->processes.data[3].name), "program",
	       "nor does another program have the old one");
	world_close(&w);
}

/* By a kernel that does not say whether a new name means a new program. */
static void test_rename_program(void)
{
	struct world w;
	uint32_t before;

	world_open(&w);
	tasks_fork(&w.tasks, 10, 1, 10, 1);
	tasks_rename_program(&w.tasks, 10, "sh", 2);
	map(&w, 10, 0x1000, 1);
	before = hit(&w, 10, 10);
	tasks_rename_program(&w.tasks, 10, "sh", 3);
	is_u64(hit(&w, 10, 10), before, "the same name is the same row");
	tasks_rename_program(&w.tasks, 10, "cc", 4);
	ok(hit(&w, 10, 10) != before, "another name may be another program");
	is_u64(module_at(&w, 10, 0x1000), 1, "the mappings stay");
	tasks_fork(&w.tasks, 10, 10, 11, 5);
	before = hit(&w, 10, 11);
	tasks_rename_program(&w.tasks, 10, "main", 6);
	hit(&w, 10, 10);
	is_u64(hit(&w, 10, 11), before, "but not while another thread lives");
	tasks_exit(&w.tasks, 11);
	tasks_rename_program(&w.tasks, 10, "as", 7);
	hit(&w, 10, 10);
	is_u64(w.tasks.processes_seen, 2, "it is one process");
	world_read(&w);
	is_u64(w.exp->processes.len, 4, "its parent and each name have a row");
	is_u64(w.exp->threads.len, 5, "and threads");
	if (w.exp->processes.len == 4 && w.exp->threads.len == 5) {
		const struct exp_process *p = w.exp->processes.data;
		const struct exp_thread *th = w.exp->threads.data;

		is_str(name_of(&w, p[1].name), "sh", "sh");
		is_str(name_of(&w, p[2].name), "main", "cc, which was renamed");
		is_u64(p[2].start_ns, 4, "its start is the renaming");
		is_str(name_of(&w, p[3].name), "as", "as");
		ok(p[3].pid == 10 && p[3].parent == 1, "pid and parent stay");
		is_str(name_of(&w, th[3].name), "main", "a leader's own name");
		is_u64(th[3].process, 2, "in the process as it was");
		is_u64(th[4].process, 3, "the next program's");
		is_u64(th[4].born_ns, 7, "with a birth of its own");
	}
	world_close(&w);
}

/*
 * Threads start in one order and are sampled in another: numbers are by start, as the
 * test's own sort has them.  A reused number and an exec are further threads.
 */
static void test_numbers(void)
{
	enum { THREADS = 40 };
	uint32_t row[THREADS + 2];
	struct world w;

	world_open(&w);
	tasks_thread(&w.tasks, 9, 9);
	for (uint32_t i = 1; i < THREADS; i++)
		tasks_fork(&w.tasks, 9, 9, 1000 - i, 10 * i);
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t which = i * 17 % THREADS;

		row[which] = hit(&w, 9, which ? 1000 - which : 9);
	}
	tasks_exit(&w.tasks, 999);
	tasks_fork(&w.tasks, 9, 9, 999, 5000);
	row[THREADS] = hit(&w, 9, 999);
	tasks_exec(&w.tasks, 9, "other", 6000);
	row[THREADS + 1] = hit(&w, 9, 9);
	world_read(&w);
	is_u64(w.exp->threads.len, THREADS + 2, "each has a row");
	for (uint32_t i = 0; i < THREADS + 2; i++)
		ok(w.exp->threads.data[row[i]].number == i + 1 &&
			   w.exp->threads.data[row[i]].last == row[i],
		   "number %u by start", i + 1);
	world_close(&w);
}

/* ---- unreported tasks ---- */

static void test_unknown(void)
{
	struct world w;
	uint32_t id;

	world_open(&w);
	id = hit(&w, 4000000000u, 4000000001u);
	is_u64(hit(&w, 4000000000u, 4000000001u), id,
	       "an unreported task is created once");
	tasks_rename(&w.tasks, 7, 8, "worker");
	hit(&w, 7, 8);
	tasks_rename(&w.tasks, 7, 7, "boss");
	hit(&w, 7, 7);
	tasks_fork(&w.tasks, 70, 60, 70, 1);
	is_u64(tasks_process(&w.tasks, 70)->live, 1,
	       "a child of an unknown parent lives");
	world_read(&w);
	is_i64(w.exp->processes.data[0].pid, 4000000000, "numbers of 32 bits");
	is_i64(w.exp->threads.data[0].tid, 4000000001, "without a sign");
	is_str(name_of(&w, w.exp->threads.data[1].name), "worker", "a thread's name");
	is_str(name_of(&w, w.exp->threads.data[2].name), "boss", "the leader's");
	is_str(name_of(&w, w.exp->processes.data[1].name), "boss",
	       "the process's, though it came after its row");
	world_close(&w);
}

/* The kernel released both numbers before the last sample. */
static void test_released(void)
{
	struct world w;
	uint32_t id;

	world_open(&w);
	tasks_fork(&w.tasks, 5, 4, 5, 1);
	tasks_exit(&w.tasks, 5);
	id = hit(&w, UINT32_MAX, UINT32_MAX);
	is_u64(hit(&w, UINT32_MAX, UINT32_MAX), id,
	       "all such samples belong to one task");
	is_u64(w.tasks.processes_seen, 2, "it counts as no process");
	is_u64(w.tasks.threads_seen, 1, "and as no thread");
	world_read(&w);
	is_str(name_of(&w, w.exp->processes.data[0].name), "<ended>",
	       "and its name says so");
	world_close(&w);
}

/* An ended thread's slot is reused, but its group is not the next one's. */
static void test_groups(void)
{
	struct world w;
	struct thread *th;
	uint32_t before, left = 0;

	world_open(&w);
	th = tasks_thread(&w.tasks, 7, 7);
	ok(tasks_enter_group(th, 100), "a thread's first group is to be written");
	before = tasks_thread_id(&w.tasks, th);
	ok(!tasks_enter_group(th, 100), "a second sample there is not");
	is_u64(tasks_thread_id(&w.tasks, th), before, "nor does it have another row");
	ok(tasks_enter_group(th, 200), "another group is");
	ok(tasks_thread_id(&w.tasks, th) != before, "in another row");
	tasks_rename(&w.tasks, 7, 7, "another");
	ok(tasks_enter_group(th, 200), "so is the same after a new name");
	tasks_thread_id(&w.tasks, th);
	for (uint32_t tid = 1000; tid < 9000; tid++) {
		tasks_fork(&w.tasks, 7, 7, tid, 1);
		th = tasks_find_thread(&w.tasks, tid);
		left += th->cgroup != 0 || !tasks_enter_group(th, 300);
		tasks_thread_id(&w.tasks, th);
		tasks_exit(&w.tasks, tid);
	}
	ok(w.tasks.threads.len < 8000, "slots are reused");
	is_u64(left, 0, "without their groups");
	world_read(&w);
	world_close(&w);
}

int main(void)
{
	test_fork();
	test_reported_twice();
	test_exec();
	test_exec_in_thread();
	test_leader_first();
	test_reused_tid();
	test_reused_pid();
	test_rename();
	test_process_names();
	test_rename_program();
	test_numbers();
	test_unknown();
	test_released();
	test_groups();
	return done_testing();
}
