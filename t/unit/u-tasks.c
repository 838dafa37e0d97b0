/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and threads as the records of a real machine tell of them, and the rows that
 * reach the experiment. */
#include "process/tasks.h"

#include <stdlib.h>

#include "experiment/log.h"
#include "experiment/read.h"
#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"

struct world {
	char *root;
	struct exp_writer *writer;
	struct intern in;
	struct tasks tasks;
	struct experiment *exp; /* after world_read */
	unsigned refused;       /* mappings */
};

static void world_open(struct world *w)
{
	*w = (struct world){ .root = scratch_make() };
	if (exp_writer_open(w->root, &w->writer))
		exit(99);
	intern_init(&w->in, w->writer);
	tasks_init(&w->tasks, &w->in);
}

/* What was written, read back. */
static void world_read(struct world *w)
{
	struct exp_log log = { 0 };
	struct strbuf err = { 0 };

	if (exp_writer_close(w->writer) || exp_log_write(&log, w->root) ||
	    experiment_open(w->root, &w->exp, &err))
		exit(99);
	w->writer = NULL;
	ok(!w->exp->truncated, "the experiment is whole");
	strbuf_release(&err);
}

static void world_close(struct world *w)
{
	experiment_free(w->exp);
	tasks_release(&w->tasks);
	intern_release(&w->in);
	if (exp_writer_close(w->writer))
		exit(99);
	scratch_remove(w->root);
}

/* A sample of that thread: its row, and by it the process's. */
static uint32_t hit(struct world *w, uint32_t pid, uint32_t tid)
{
	return tasks_thread_id(&w->tasks, tasks_thread(&w->tasks, pid, tid));
}

static void map(struct world *w, uint32_t pid, uint64_t start, uint32_t module)
{
	w->refused += tasks_map(&w->tasks, tasks_process(&w->tasks, pid),
				&(struct mapping){ start, start + 0x1000, 0, module });
}

static uint32_t module_at(struct world *w, uint32_t pid, uint64_t address)
{
	const struct mapping *m = space_find(&tasks_process(&w->tasks, pid)->space,
					     address);

	return m ? m->module : 0;
}

static const char *name_of(const struct world *w, uint32_t string)
{
	return experiment_string(w->exp, string);
}

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
	       "and shares what is known of their stacks");
	map(&w, 11, 0x1000, 2);
	is_u64(module_at(&w, 10, 0x1000), 1, "its own later ones are its own");
	ok(tasks_process(&w.tasks, 11)->space.generation != before,
	   "and part from the parent's");
	hit(&w, 11, 11);
	world_read(&w);
	is_u64(w.exp->processes.len, 2, "the parent has a row before the child's");
	if (w.exp->processes.len == 2) {
		is_i64(w.exp->processes.data[0].pid, 10, "the parent");
		is_i64(w.exp->processes.data[1].pid, 11, "the child");
		is_u64(w.exp->processes.data[1].parent, 1, "whose parent it is");
		is_u64(w.exp->processes.data[1].start_ns, 500, "since when");
		is_str(name_of(&w, w.exp->processes.data[1].name), "make",
		       "called as the parent, until it is told otherwise");
	}
	world_close(&w);
}

/* A process that ran nothing that was seen is not worth a row of its own. */
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
	is_u64(module_at(&w, 11, 0x2000), 0, "also the second one");
	hit(&w, 11, 11);
	tasks_exec(&w.tasks, 11, "ld", 400);
	world_read(&w);
	is_u64(w.exp->processes.len, 3, "a row for each program that was seen to run");
	if (w.exp->processes.len == 3) {
		is_str(name_of(&w, w.exp->processes.data[0].name), "sh", "sh");
		is_str(name_of(&w, w.exp->processes.data[1].name), "cc", "cc");
		is_u64(w.exp->processes.data[1].start_ns, 200, "since its exec");
		is_str(name_of(&w, w.exp->processes.data[2].name), "as", "as");
		ok(w.exp->processes.data[2].pid == 11 &&
			   w.exp->processes.data[2].parent == 1,
		   "with the pid and the parent of before");
	}
	is_u64(w.exp->threads.len, 3, "a thread each");
	is_u64(w.tasks.processes_seen, 2, "but two processes");
	is_u64(w.tasks.processes.len, 4, "and nothing kept of what was not seen");
	world_close(&w);
}

/* The thread that executes takes the leader's number, and the others are gone. */
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
	is_u64(w.exp->threads.len, 3, "three threads were seen");
	is_u64(w.exp->threads.data[2].process, 1, "the last is of the new program");
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
	is_u64(hit(&w, 10, 11), late, "and its threads go on");
	tasks_exit(&w.tasks, 11);
	is_u64(module_at(&w, 10, 0x1000), 0, "the last one takes them along");
	tasks_exit(&w.tasks, 11);
	tasks_exit(&w.tasks, 4711);
	is_u64(tasks_process(&w.tasks, 10)->live, 0, "ends without a begin are nothing");
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
	ok(first != second, "a number that is used again is another thread");
	is_u64(tasks_process(&w.tasks, 10)->live, 1, "the first process has one less");
	/* the end of the one before was lost */
	tasks_fork(&w.tasks, 10, 10, 30, 3);
	ok(hit(&w, 10, 30) != second, "also where its end was lost");
	is_u64(tasks_process(&w.tasks, 20)->live, 1, "and is counted off");
	world_read(&w);
	is_u64(w.exp->threads.len, 3, "three rows");
	is_i64(w.exp->threads.data[1].tid, 30, "of one number");
	is_u64(w.exp->threads.data[1].process, 1, "in its own process");
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
	is_u64(w.exp->processes.len, 3, "a pid that is used again is another process");
	is_u64(w.exp->threads.data[1].process, 2, "with a thread of its own");
	world_close(&w);
}

/* A server starts and ends millions: their slots are used again, their rows are not. */
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
	ok(w.tasks.threads.len < 1100, "in the slots of those that ended long ago");
	is_u64(tasks_process(&w.tasks, 10)->live, 1, "of which the leader lives");
	world_read(&w);
	is_u64(w.exp->threads.len, 100, "rows for those that were seen");
	world_close(&w);
}

/* A name is kept with the first sample under it. */
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
	is_u64(strtab_count(&w.in.strings), before + 10, "ten names of ten thousand");
	tasks_rename(&w.tasks, 5, 5, "longer than the kernel's names are");
	hit(&w, 5, 5);
	world_read(&w);
	is_u64(w.exp->threads.len, 11, "a row for each, and for a long one");
	is_str(name_of(&w, w.exp->threads.data[1].name), "name 1007", "the name of then");
	is_str(name_of(&w, w.exp->threads.data[10].name),
	       "longer than the kernel's names are", "a long name is whole");
	world_close(&w);
}

/* What forks and ends, seen or not, leaves its slot to others; lineage stays. */
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
	ok(w.tasks.processes.len < 1100, "slots of those that live or ended lately");
	ok(tasks_know(&w.tasks, 2), "one that ended long ago is known still");
	ok(!tasks_know(&w.tasks, 2 + COUNT), "another is not");
	is_u64(w.tasks.processes_seen, COUNT + 1, "all are counted");
	world_read(&w);
	is_u64(w.exp->processes.len, COUNT / SEEN + 1, "rows of those that were seen");
	for (uint32_t i = 1; i < w.exp->processes.len; i++)
		wrong += w.exp->processes.data[i].parent != 1 ||
			 w.exp->processes.data[i].pid != i * SEEN;
	is_u64(wrong, 0, "each under its parent");
	world_close(&w);
}

/* A tally's row is of a process that is kept, though its number is another one's. */
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
	ok(tasks_index(&w.tasks, 100) != held, "the number has another process");
	row = tasks_thread_id(&w.tasks, tasks_thread_in(&w.tasks, held, 100));
	tasks_let_go(&w.tasks, held);
	world_read(&w);
	is_str(name_of(&w, w.exp->threads.data[row].name), "held", "the first had it");
	is_u64(w.exp->processes.data[w.exp->threads.data[row].process].start_ns, 5,
	       "and its birth");
	world_close(&w);
}

/* What a thread did under a name stays under it; but it is one thread. */
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
	ok(hit(&w, 5, 6) != before, "another is another");
	tasks_rename(&w.tasks, 5, 6, "server");
	hit(&w, 5, 6);
	is_u64(w.tasks.threads_seen, seen, "of the same thread");
	world_read(&w);
	is_u64(w.exp->threads.len, 3, "a row for each time");
	for (size_t i = 0; i < w.exp->threads.len; i++) {
		is_str(name_of(&w, w.exp->threads.data[i].name),
		       i == 1 ? "idle" : "server", "the name of then");
		is_u64(w.exp->threads.data[i].number, 1, "of one thread");
		is_u64(w.exp->threads.data[i].last, 2, "with a last name");
	}
	world_close(&w);
}

/*
 * Born in an order, sampled in another: numbers are those of a sort of our own.  A number
 * that is used again, and a program that is executed, are further threads.
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
		   "number %u by birth", i + 1);
	world_close(&w);
}

/* ---- what no record told of ---- */

static void test_unknown(void)
{
	struct world w;
	uint32_t id;

	world_open(&w);
	id = hit(&w, 4000000000u, 4000000001u);
	is_u64(hit(&w, 4000000000u, 4000000001u), id, "made up once");
	tasks_rename(&w.tasks, 7, 8, "worker");
	hit(&w, 7, 8);
	tasks_rename(&w.tasks, 7, 7, "boss");
	hit(&w, 7, 7);
	tasks_fork(&w.tasks, 70, 60, 70, 1);
	is_u64(tasks_process(&w.tasks, 70)->live, 1, "a child of an unknown parent");
	world_read(&w);
	is_i64(w.exp->processes.data[0].pid, 4000000000, "numbers of 32 bits");
	is_i64(w.exp->threads.data[0].tid, 4000000001, "without a sign");
	is_str(name_of(&w, w.exp->threads.data[1].name), "worker", "a thread's name");
	is_str(name_of(&w, w.exp->threads.data[2].name), "boss", "the leader's");
	is_str(name_of(&w, w.exp->processes.data[1].name), "",
	       "a name that came after the row is too late for it");
	world_close(&w);
}

/* The kernel took back both numbers before the last sample. */
static void test_released(void)
{
	struct world w;
	uint32_t id;

	world_open(&w);
	tasks_fork(&w.tasks, 5, 4, 5, 1);
	tasks_exit(&w.tasks, 5);
	id = hit(&w, UINT32_MAX, UINT32_MAX);
	is_u64(hit(&w, UINT32_MAX, UINT32_MAX), id, "one task for all of them");
	is_u64(w.tasks.processes_seen, 2, "which is no process");
	is_u64(w.tasks.threads_seen, 1, "and no thread");
	world_read(&w);
	is_str(name_of(&w, w.exp->processes.data[0].name), "<ended>",
	       "and says what it is");
	world_close(&w);
}

/* Each forks one and ends, very deep, before the last is seen. */
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
	is_u64(w.exp->processes.data[DEPTH - 2].parent, DEPTH - 2, "each knows its own");
	world_close(&w);
}

/* Records of forks are small, what they copy is not: there is an end to it. */
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
	   "a thousand processes share the mappings of the one that forked them");
	map(&w, 5, 0x3800, 76);
	ok(module_at(&w, 5, 0x3800) == 76 && module_at(&w, 5, 0x3000) == 2,
	   "one of them maps something");
	ok(module_at(&w, 1, 0x3800) == 2 && module_at(&w, 6, 0x3800) == 2,
	   "which the others have not");
	held = room->held;
	room->most = held;
	map(&w, 5, 0x3400, 77);
	ok(w.refused == 1 && !module_at(&w, 5, 0x3400) && module_at(&w, 5, 0x3000) == 2,
	   "one more is not mapped without room, but what it covers is gone");
	map(&w, 5, 0x6000, 77);
	ok(w.refused == 1 && module_at(&w, 5, 0x6000) == 77,
	   "what takes another's place is");
	tasks_cut(&w.tasks, tasks_process(&w.tasks, 6), 0x1000, 0x2000);
	ok(room->emptied == 1 && !tasks_process(&w.tasks, 6)->space.len,
	   "nor can another change what it shares: it has none");
	tasks_exit(&w.tasks, 5);
	is_u64(room->held, EACH, "with an end there is room again");
	tasks_cut(&w.tasks, tasks_process(&w.tasks, 7), 0x1000, 0x2000);
	ok(room->emptied == 1 && !module_at(&w, 7, 0x1000) &&
		   module_at(&w, 1, 0x1000) == 0,
	   "which the next one has");
	for (uint32_t pid = 1; pid < 1000; pid++)
		tasks_exit(&w.tasks, pid);
	is_u64(room->held, 0, "nothing is held once all have ended");
	world_close(&w);
}

/* Ends were lost, or so many live: the slots of others are taken, one after another. */
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
	is_u64(w.tasks.given_up, 0, "as many as there may be");
	for (uint32_t pid = 10001; pid <= 10000 + MORE; pid++)
		tasks_fork(&w.tasks, pid, 1, pid, pid);
	is_u64(w.tasks.given_up, MORE, "others give way to more, and are counted");
	is_u64(w.tasks.threads.len, MOST, "there are no more of them");
	for (uint32_t pid = 10001; pid <= 10000 + MORE; pid++)
		known += tasks_find_thread(&w.tasks, pid) != NULL;
	is_u64(known, MORE, "the new ones are known");
	for (uint32_t tid = 1; tid <= MOST; tid++)
		known += tasks_find_thread(&w.tasks, tid) != NULL;
	is_u64(known, MOST, "and those of the old that have their slots still");
	is_u64(module_at(&w, 1, 0x1000), 1, "whose process keeps its mappings");
	hit(&w, 1, 1);
	ok(tasks_find_thread(&w.tasks, 1) != NULL, "one that ran on is a new one");
	tasks_exit(&w.tasks, 10001);
	known = (unsigned)w.tasks.given_up;
	tasks_fork(&w.tasks, 20000, 1, 20000, 1);
	is_u64(w.tasks.given_up, known, "the slot of one that ended is taken first");
	world_close(&w);
}

static void test_too_many_names(void)
{
	struct world w;
	char name[16];

	world_open(&w);
	w.tasks.names_max = 3;
	for (uint32_t i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "name %u", i % 5);
		tasks_rename(&w.tasks, 1, 1, name);
		hit(&w, 1, 1);
	}
	tasks_rename(&w.tasks, 1, 1, "a name that is longer than the kernel's");
	hit(&w, 1, 1);
	world_read(&w);
	is_str(name_of(&w, w.exp->threads.data[2].name), "name 2",
	       "the last of the first");
	is_str(name_of(&w, w.exp->threads.data[3].name), TASKS_OTHER_NAME,
	       "a further one");
	is_str(name_of(&w, w.exp->threads.data[5].name), "name 0", "one of before");
	is_str(name_of(&w, w.exp->threads.data[6].name), TASKS_OTHER_NAME, "a long one");
	is_u64(w.tasks.unnamed, 3, "they are counted");
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
	is_u64(w.tasks.stack_bytes, bytes, "what all remember is known");
	ok(bytes <= TASKS_STACKS_MAX && bytes > TASKS_STACKS_MAX / 2, "and has a bound");
	ok(have >= SPLICE_CHAINS * DEEP * sizeof(struct unwind_frame),
	   "the last has its own still");
	unwind_frames_release(&frames);
	world_close(&w);
}

int main(void)
{
	test_fork();
	test_exec();
	test_exec_in_thread();
	test_leader_first();
	test_reused_tid();
	test_reused_pid();
	test_many_threads();
	test_many_names();
	test_many_processes();
	test_held();
	test_rename();
	test_numbers();
	test_unknown();
	test_released();
	test_long_line();
	test_many_forks();
	test_too_many_threads();
	test_too_many_names();
	test_too_many_stacks();
	return done_testing();
}
