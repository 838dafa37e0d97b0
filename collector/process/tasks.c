/* SPDX-License-Identifier: Apache-2.0 */
#include "process/tasks.h"

/* What by_pid holds for a number that no process has: above any index. */
#define NO_INDEX (IDMAP_NONE - 1)

/*
 * What the kernel calls a thread in its last instants, when its number was taken back;
 * they go to the process's first thread.
 */
#define TASK_RELEASED UINT32_MAX

enum { ENDED_KEPT = 1024 }; /* ended threads whose slots are still theirs */

void tasks_init(struct tasks *t, struct intern *in)
{
	*t = (struct tasks){ .in = in };
}

void tasks_release(struct tasks *t)
{
	vec_for_each(struct process, p, &t->processes)
		space_release(&p->space);
	vec_for_each(struct thread, th, &t->threads) {
		splice_release(&th->splice);
		upper_free(th->upper);
	}
	vec_release(&t->processes);
	vec_release(&t->threads);
	idmap_release(&t->by_pid);
	idmap_release(&t->by_tid);
}

uint32_t tasks_generation(struct tasks *t)
{
	return ++t->last_generation;
}

/* NUMBER, of a process or a thread, means another one from now on. */
static void renumber(struct tasks *t, struct idmap *map, uint32_t number, uint32_t index)
{
	idmap_set(map, number, 0, index);
	t->sampled.known = false;
}

/* A new row for PID, which takes the number over from an older one. */
static struct process *add_process(struct tasks *t, uint32_t pid, uint64_t time_ns)
{
	struct process *p = vec_push(&t->processes);

	*p = (struct process){ .pid = pid, .id = TASK_NO_ID, .start_ns = time_ns };
	p->space.generation = tasks_generation(t);
	renumber(t, &t->by_pid, pid, (uint32_t)t->processes.len - 1);
	return p;
}

bool tasks_know(const struct tasks *t, uint32_t pid)
{
	return idmap_get(&t->by_pid, pid, 0) < t->processes.len;
}

void tasks_forget(struct tasks *t, uint32_t pid)
{
	if (tasks_know(t, pid))
		renumber(t, &t->by_pid, pid, NO_INDEX);
}

struct process *tasks_process(struct tasks *t, uint32_t pid)
{
	uint32_t index = idmap_get(&t->by_pid, pid, 0);

	if (index < t->processes.len)
		return &t->processes.data[index];
	t->processes_seen++;
	return add_process(t, pid, 0);
}

/* The thread that has, or had last, that number; NULL for none. */
static struct thread *find_thread(const struct tasks *t, uint32_t tid)
{
	uint32_t index = idmap_get(&t->by_tid, tid, 0);

	if (index >= t->threads.len || t->threads.data[index].tid != tid)
		return NULL;
	return &t->threads.data[index];
}

static void drop_mappings(struct tasks *t, struct process *p)
{
	t->copied -= p->copied;
	p->copied = 0;
	space_release(&p->space);
}

static void copy_mappings(struct tasks *t, struct process *p, const struct process *from)
{
	if (from->space.v.len > TASKS_COPIED_MAX - t->copied) {
		t->bare++;
		return;
	}
	space_copy(&p->space, &from->space);
	p->copied = (uint32_t)from->space.v.len;
	t->copied += p->copied;
}

/*
 * Marks the thread of that number as ended, if there is one.  The mappings go with the
 * last thread of a process.
 */
static void end_thread(struct tasks *t, uint32_t tid)
{
	struct thread *th = find_thread(t, tid);
	struct process *p;
	uint32_t index;

	if (!th || th->ended)
		return;
	index = (uint32_t)(th - t->threads.data);
	th->ended = true;
	upper_free(th->upper);
	th->upper = NULL;
	p = &t->processes.data[th->process];
	if (!--p->live)
		drop_mappings(t, p);
	if (t->ended++)
		t->threads.data[t->last_ended].next_ended = index;
	else
		t->first_ended = index;
	t->last_ended = index;
}

/*
 * The slot of an ended thread is used again, for servers start millions; but not at once,
 * for an ending thread is sampled until the last.
 */
static struct thread *new_slot(struct tasks *t)
{
	struct thread *th;

	if (t->ended <= ENDED_KEPT) {
		th = vec_push(&t->threads);
		*th = (struct thread){ 0 };
		return th;
	}
	th = &t->threads.data[t->first_ended];
	t->first_ended = th->next_ended;
	t->ended--;
	splice_clear(&th->splice);
	return th;
}

static struct thread *add_thread(struct tasks *t, uint32_t process, uint32_t tid)
{
	struct thread *th = new_slot(t);

	th->tid = tid;
	th->ended = false;
	th->process = process;
	th->name = t->processes.data[process].name;
	th->id = TASK_NO_ID;
	t->processes.data[process].live++;
	renumber(t, &t->by_tid, tid, (uint32_t)(th - t->threads.data));
	return th;
}

static struct thread *thread_of(struct tasks *t, uint32_t pid, uint32_t tid)
{
	uint32_t process = (uint32_t)(tasks_process(t, pid) - t->processes.data);
	struct thread *th = find_thread(t, tid);

	if (th && th->process == process)
		return th;
	end_thread(t, tid);
	t->threads_seen++;
	return add_thread(t, process, tid);
}

struct thread *tasks_thread(struct tasks *t, uint32_t pid, uint32_t tid)
{
	struct thread *th;

	if (tid == TASK_RELEASED)
		tid = pid;
	if (t->sampled.known && t->sampled.pid == pid && t->sampled.tid == tid)
		return &t->threads.data[t->sampled.thread];
	th = thread_of(t, pid, tid);
	t->sampled.known = true;
	t->sampled.pid = pid;
	t->sampled.tid = tid;
	t->sampled.thread = (uint32_t)(th - t->threads.data);
	return th;
}

void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, uint32_t tid,
		uint64_t time_ns)
{
	uint32_t parent = (uint32_t)(tasks_process(t, ppid) - t->processes.data);
	uint32_t process = parent;

	if (pid != ppid) {
		struct process *p = add_process(t, pid, time_ns);
		const struct process *from = &t->processes.data[parent];

		p->parent = parent + 1;
		p->name = from->name;
		copy_mappings(t, p, from);
		process = (uint32_t)(p - t->processes.data);
		t->processes_seen++;
	}
	end_thread(t, tid);
	add_thread(t, process, tid);
	t->threads_seen++;
}

void tasks_inherit_name(struct tasks *t, uint32_t tid, uint32_t ptid)
{
	struct thread *th = find_thread(t, tid);
	const struct thread *parent = find_thread(t, ptid);

	if (th && parent)
		th->name = parent->name;
}

void tasks_unmap(struct tasks *t, uint32_t pid)
{
	struct process *p = tasks_process(t, pid);

	drop_mappings(t, p);
	p->space.generation = tasks_generation(t);
}

/*
 * The thread that goes on has the process's number as its own, whichever thread called;
 * it starts as a new row too, for it is another program's.
 */
void tasks_exec(struct tasks *t, uint32_t pid, const char *name, uint64_t time_ns)
{
	struct process *p = tasks_process(t, pid);
	uint32_t parent = p->parent;

	end_thread(t, pid);
	if (p->id != TASK_NO_ID) {
		drop_mappings(t, p);
		p = add_process(t, pid, time_ns);
		p->parent = parent;
	}
	p->start_ns = time_ns;
	drop_mappings(t, p);
	p->space.generation = tasks_generation(t);
	p->name = intern_string(t->in, name);
	p->bare = true;
	add_thread(t, (uint32_t)(p - t->processes.data), pid);
}

void tasks_rename(struct tasks *t, uint32_t pid, uint32_t tid, const char *name)
{
	struct thread *th = tasks_thread(t, pid, tid);
	uint32_t id = intern_string(t->in, name);

	if (th->name != id)
		th->id = TASK_NO_ID;
	th->name = id;
	if (pid == tid)
		tasks_process(t, pid)->name = id;
}

void tasks_exit(struct tasks *t, uint32_t tid)
{
	end_thread(t, tid);
}

static void write_process(struct tasks *t, struct process *p)
{
	uint32_t parent = p->parent ? t->processes.data[p->parent - 1].id + 1 : 0;

	p->id = t->ids++;
	exp_write_row(t->in->writer, EXP_PROCESSES,
		      (uint64_t[]){ p->pid, parent, p->name, p->start_ns });
}

/* Ancestors have their rows first, in a line that may be longer than we could recurse. */
static uint32_t process_id(struct tasks *t, uint32_t index)
{
	const struct process *p = t->processes.data;
	VEC(uint32_t) line = { 0 };

	for (uint32_t i = index + 1; i && p[i - 1].id == TASK_NO_ID; i = p[i - 1].parent)
		*vec_push(&line) = i - 1;
	while (line.len)
		write_process(t, &t->processes.data[line.data[--line.len]]);
	vec_release(&line);
	return p[index].id;
}

uint32_t tasks_thread_id(struct tasks *t, struct thread *thread)
{
	uint32_t process;

	if (thread->id != TASK_NO_ID)
		return thread->id;
	process = process_id(t, thread->process);
	thread->id = t->thread_ids++;
	exp_write_row(t->in->writer, EXP_THREADS,
		      (uint64_t[]){ process, thread->tid, thread->name });
	return thread->id;
}
