/* SPDX-License-Identifier: Apache-2.0 */
/* Millions of processes, threads and names: what is kept, and the limits. */
#include "tasks_world.h"

#include <stdio.h>

#include "tap.h"

/* ---- only rows remain of ended tasks ---- */

/* A server starts and ends millions of threads: slots are reused, rows are not. */
static void test_many_threads(void)
{
	struct world w;

	world_open(&w);
	tasks_exec(&w.tasks, 10, "server", 0);
	for (uint32_t tid = 11; tid < 10011; tid++) {
		tasks_fork(&w.tasks, 10, 10, tid, tid);
		if (tid % 100 == 0)
			hit(&w, 10, tid);
		tasks_exit(&w.tasks, tid);
	}
	is_u64(w.tasks.threads_seen, 10000, "ten thousand threads");
	ok(w.tasks.threads.len < 1100, "reuse the slots of threads that ended long ago");
	is_u64(tasks_process(&w.tasks, 10)->live, 1, "only the leader lives");
	world_read(&w);
	is_u64(w.exp->threads.len, 100, "each sampled thread has a row");
	world_close(&w);
}

/* A name is kept at its first sample. */
static void test_many_names(void)
{
	struct world w;
	char name[16];
	uint32_t before;

	world_open(&w);
	tasks_exec(&w.tasks, 5, "server", 0);
	before = strtab_count(&w.in.strings);
	for (unsigned i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		tasks_rename(&w.tasks, 5, 5, name);
		if (i % 1000 == 7)
			hit(&w, 5, 5);
	}
	is_u64(strtab_count(&w.in.strings), before + 10, "ten of ten thousand names");
	tasks_rename(&w.tasks, 5, 5, "longer than the kernel's names are");
	hit(&w, 5, 5);
	world_read(&w);
	is_u64(w.exp->threads.len, 11, "each has a row, and the long one");
	is_str(name_of(&w, w.exp->threads.data[1].name), "name 1007",
	       "the name at that time");
	is_str(name_of(&w, w.exp->threads.data[10].name),
	       "longer than the kernel's names are", "a long name is complete");
	world_close(&w);
}

/* Ended processes, sampled or not, leave their slots to others; lineage stays. */
static void test_many_processes(void)
{
	enum { COUNT = 20000, SEEN = 100 };
	struct world w;
	size_t wrong = 0;

	world_open(&w);
	tasks_exec(&w.tasks, 1, "make", 0);
	for (uint32_t pid = 2; pid < 2 + COUNT; pid++) {
		tasks_fork(&w.tasks, pid, 1, pid, pid);
		if (pid % SEEN == 0)
			hit(&w, pid, pid);
		tasks_exit(&w.tasks, pid);
	}
	ok(w.tasks.processes.len < 1100, "slots: processes that live or ended recently");
	ok(tasks_know(&w.tasks, 1 + COUNT), "a process that just ended is known");
	ok(!tasks_know(&w.tasks, 2), "a process that ended long ago is not");
	ok(w.tasks.by_pid.len < 1100 && w.tasks.by_tid.len < 1100,
	   "nor is its number kept");
	is_u64(w.tasks.processes_seen, COUNT + 1, "all processes are counted");
	world_read(&w);
	is_u64(w.exp->processes.len, COUNT / SEEN + 1, "each sampled process has a row");
	for (uint32_t i = 1; i < w.exp->processes.len; i++)
		wrong += w.exp->processes.data[i].parent != 1 ||
			 w.exp->processes.data[i].pid != i * SEEN;
	is_u64(wrong, 0, "below its parent");
	world_close(&w);
}

/* A held process keeps its row after its number has gone to another one. */
static void test_held(void)
{
	struct world w;
	uint32_t held, row;

	world_open(&w);
	tasks_fork(&w.tasks, 100, 1, 100, 5);
	tasks_rename(&w.tasks, 100, 100, "held");
	held = tasks_index(&w.tasks, 100);
	tasks_hold(&w.tasks, held);
	tasks_exit(&w.tasks, 100);
	for (uint32_t pid = 1000; pid < 4000; pid++) {
		tasks_fork(&w.tasks, pid, 1, pid, pid);
		tasks_exit(&w.tasks, pid);
	}
	tasks_fork(&w.tasks, 100, 1, 100, 9);
	ok(tasks_index(&w.tasks, 100) != held, "the number means another process");
	row = tasks_thread_id(&w.tasks, tasks_thread_in(&w.tasks, held, 100));
	tasks_let_go(&w.tasks, held);
	world_read(&w);
	is_str(name_of(&w, w.exp->threads.data[row].name), "held",
	       "the held process has its name");
	is_u64(w.exp->processes.data[w.exp->threads.data[row].process].start_ns, 5,
	       "and its start");
	world_close(&w);
}

/* Each process forks one and ends, very deep; only the last is sampled. */
static void test_long_line(void)
{
	enum { DEPTH = 300000 };
	struct world w;

	world_open(&w);
	for (uint32_t pid = 2; pid < DEPTH; pid++) {
		tasks_fork(&w.tasks, pid, pid - 1, pid, pid);
		tasks_exit(&w.tasks, pid - 1);
	}
	hit(&w, DEPTH - 1, DEPTH - 1);
	world_read(&w);
	is_u64(w.exp->processes.len, DEPTH - 1, "a long line of ancestors");
	is_u64(w.exp->processes.data[DEPTH - 2].parent, DEPTH - 2,
	       "each has its own parent");
	world_close(&w);
}

/* ---- limits ---- */

/* Records of forks are small, but the copied mappings are not, so there is a limit. */
static void test_many_forks(void)
{
	enum { EACH = 1 << 14 };
	struct space_room *room;
	struct world w;
	size_t held;

	world_open(&w);
	room = &w.tasks.room;
	hit(&w, 1, 1);
	for (uint32_t i = 0; i < EACH; i++)
		map(&w, 1, 0x1000 * (i + 1), i);
	for (uint32_t pid = 2; pid < 1000; pid++)
		tasks_fork(&w.tasks, pid, 1, pid, 0);
	ok(room->held == EACH && tasks_process(&w.tasks, 999)->space.len == EACH,
	   "a thousand processes share their parent's mappings");
	map(&w, 5, 0x3800, 76);
	ok(module_at(&w, 5, 0x3800) == 76 && module_at(&w, 5, 0x3000) == 2,
	   "one of them adds a mapping");
	ok(module_at(&w, 1, 0x3800) == 2 && module_at(&w, 6, 0x3800) == 2,
	   "the others do not have it");
	held = room->held;
	room->most = held;
	map(&w, 5, 0x3400, 77);
	ok(w.refused == 1 && !module_at(&w, 5, 0x3400) && module_at(&w, 5, 0x3000) == 2,
	   "without room a mapping is refused, but those below it are gone");
	map(&w, 5, 0x6000, 77);
	ok(w.refused == 1 && module_at(&w, 5, 0x6000) == 77,
	   "a mapping that replaces one is accepted");
	tasks_cut(&w.tasks, tasks_process(&w.tasks, 6), 0x1000, 0x2000);
	ok(room->emptied == 1 && !tasks_process(&w.tasks, 6)->space.len,
	   "a process that cannot copy shared mappings loses them");
	tasks_exit(&w.tasks, 5);
	is_u64(room->held, EACH, "the end of a process makes room");
	tasks_cut(&w.tasks, tasks_process(&w.tasks, 7), 0x1000, 0x2000);
	ok(room->emptied == 1 && !module_at(&w, 7, 0x1000) &&
		   module_at(&w, 1, 0x1000) == 0,
	   "the next process uses it");
	for (uint32_t pid = 1; pid < 1000; pid++)
		tasks_exit(&w.tasks, pid);
	is_u64(room->held, 0, "nothing is held once all have ended");
	world_close(&w);
}

/* Ends were lost, or too many threads live: new ones take the slots of others in turn. */
static void test_too_many_threads(void)
{
	enum { MOST = 5000, MORE = 3000 };
	struct world w;
	unsigned known = 0;

	world_open(&w);
	w.tasks.threads_max = MOST;
	map(&w, 1, 0x1000, 1);
	for (uint32_t tid = 1; tid <= MOST; tid++)
		tasks_thread(&w.tasks, 1, tid);
	is_u64(w.tasks.given_up, 0, "the limit is reached");
	for (uint32_t pid = 10001; pid <= 10000 + MORE; pid++)
		tasks_fork(&w.tasks, pid, 1, pid, pid);
	is_u64(w.tasks.given_up, MORE, "beyond it threads are given up, and counted");
	ok(tasks_know(&w.tasks, 1), "they may live, so their number is known");
	is_u64(w.tasks.threads.len, MOST, "the number of slots stays");
	for (uint32_t pid = 10001; pid <= 10000 + MORE; pid++)
		known += tasks_find_thread(&w.tasks, pid) != NULL;
	is_u64(known, MORE, "new threads are known");
	for (uint32_t tid = 1; tid <= MOST; tid++)
		known += tasks_find_thread(&w.tasks, tid) != NULL;
	is_u64(known, MOST, "so are the old ones that keep their slots");
	is_u64(module_at(&w, 1, 0x1000), 1, "their process keeps its mappings");
	hit(&w, 1, 1);
	ok(tasks_find_thread(&w.tasks, 1) != NULL,
	   "a given-up thread that runs on is a new one");
	tasks_exit(&w.tasks, 10001);
	known = (unsigned)w.tasks.given_up;
	tasks_fork(&w.tasks, 20000, 1, 20000, 1);
	is_u64(w.tasks.given_up, known, "the slot of an ended thread is taken first");
	world_close(&w);
}

static void test_too_many_names(void)
{
	struct world w;
	char name[16];

	world_open(&w);
	w.tasks.names.most = 3;
	for (uint32_t i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "name %u", i % 5);
		tasks_rename(&w.tasks, 1, 1, name);
		hit(&w, 1, 1);
	}
	tasks_rename(&w.tasks, 1, 1, "a name that is longer than the kernel's");
	hit(&w, 1, 1);
	world_read(&w);
	is_str(name_of(&w, w.exp->threads.data[2].name), "name 2",
	       "the last name within the limit");
	is_str(name_of(&w, w.exp->threads.data[3].name), TASK_OTHER_NAME,
	       "a further name");
	is_str(name_of(&w, w.exp->threads.data[5].name), "name 0", "a known name");
	is_str(name_of(&w, w.exp->threads.data[6].name), TASK_OTHER_NAME, "a long name");
	is_u64(w.tasks.names.unnamed, 3, "others are counted");
	world_close(&w);
}

static void test_too_many_stacks(void)
{
	enum { DEEP = 4000, THREADS = 400 };
	struct unwind_frames frames = { .end = UNWIND_END_ROOT };
	struct world w;
	size_t bytes = 0, have = 0;

	world_open(&w);
	for (uint64_t i = 0; i < DEEP; i++)
		*vec_push(&frames.v) = (struct unwind_frame){ .address = i, .cfa = i };
	for (uint32_t tid = 1; tid <= THREADS; tid++) {
		struct thread *th = tasks_thread(&w.tasks, 1, tid);

		for (unsigned i = 0; i < SPLICE_CHAINS; i++) {
			splice_apply(&th->splice, &frames);
			tasks_limit_stacks(&w.tasks, th);
		}
		have = splice_bytes(&th->splice);
	}
	vec_for_each(const struct thread, th, &w.tasks.threads)
		bytes += splice_bytes(&th->splice);
	is_u64(w.tasks.stack_bytes, bytes, "the memory of all stacks is known");
	ok(bytes <= TASKS_STACKS_MAX && bytes > TASKS_STACKS_MAX / 2, "and limited");
	ok(have >= SPLICE_CHAINS * DEEP * sizeof(struct unwind_frame),
	   "the last thread still has its own");
	unwind_frames_release(&frames);
	world_close(&w);
}

int main(void)
{
	test_many_threads();
	test_many_names();
	test_many_processes();
	test_held();
	test_long_line();
	test_many_forks();
	test_too_many_threads();
	test_too_many_names();
	test_too_many_stacks();
	return done_testing();
}
