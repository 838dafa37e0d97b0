/* SPDX-License-Identifier: Apache-2.0 */
#include "process/tasks.h"

#include <stdlib.h>

/* Stands in by_pid for a process without a slot whose threads were given up. */
#define GIVEN_UP_INDEX IDMAP_MAX

/*
 * The kernel's number of a thread in its last instants, after its own was taken back.
 * Its samples go to the process's first thread.  Once the process has no number either,
 * their owner is unknown: they go to a task of their own, which is not counted.
 */
#define TASK_RELEASED UINT32_MAX
#define RELEASED_NAME "<ended>"

enum { ENDED_KEPT = 1024 }; /* ended threads whose slots are still theirs */

void tasks_init(struct tasks *t, struct intern *in)
{
	*t = (struct tasks){
		.in = in,
		.names = { .in = in, .most = TASK_NAMES_MAX },
		.room.most = TASKS_MAPPED_MAX,
		.threads_max = TASKS_THREADS_MAX,
	};
}

static void free_beyond(const struct tasks *t, struct thread *th)
{
	if (th->beyond)
		t->free_beyond(th->beyond);
	th->beyond = NULL;
}

void tasks_release(struct tasks *t)
{
	vec_for_each(struct process, p, &t->processes) {
		space_release(&p->space);
		free(p->command);
	}
	vec_for_each(struct thread, th, &t->threads) {
		splice_release(&th->splice);
		free_beyond(t, th);
	}
	vec_release(&t->processes);
	vec_release(&t->threads);
	idmap_release(&t->by_pid);
	idmap_release(&t->by_tid);
}

/* A generation for a space that changes. */
static uint32_t next_generation(struct tasks *t)
{
	return ++t->last_generation;
}

/* From now on NUMBER, of a process or a thread, means another one. */
static void renumber(struct tasks *t, struct idmap *map, uint32_t number, uint32_t index)
{
	idmap_set(map, number, 0, index);
	t->sampled.known = false;
}

/* It means nothing any more, if it meant that one. */
static void drop_number(struct tasks *t, struct idmap *map, uint32_t number,
			uint32_t index)
{
	if (idmap_get(map, number, 0) != index)
		return;
	idmap_remove(map, number, 0);
	t->sampled.known = false;
}

unsigned tasks_cut(struct tasks *t, struct process *p, uint64_t start, uint64_t end)
{
	return space_cut(&p->space, start, end, next_generation(t));
}

unsigned tasks_map(struct tasks *t, struct process *p, const struct mapping *m)
{
	return space_add(&p->space, m, next_generation(t));
}

/* ---- slots of processes ---- */

static uint32_t index_of(const struct tasks *t, const struct process *p)
{
	return (uint32_t)(p - t->processes.data);
}

static struct process *process_slot(struct tasks *t)
{
	struct process *p;

	if (!t->unused)
		return vec_push(&t->processes);
	p = &t->processes.data[t->unused - 1];
	t->unused = p->next;
	return p;
}

/* A new row for PID, which takes the number over from an older one. */
static struct process *add_process(struct tasks *t, uint32_t pid, uint64_t time_ns)
{
	struct process *p = process_slot(t);

	*p = (struct process){ .pid = pid, .id = TASK_NO_ID, .start_ns = time_ns };
	space_init(&p->space, &t->room);
	p->space.generation = next_generation(t);
	renumber(t, &t->by_pid, pid, index_of(t, p));
	return p;
}

/* PARENT: index + 1, or 0. */
static void set_parent(struct tasks *t, struct process *p, uint32_t parent)
{
	struct process *of = t->processes.data;
	uint32_t own = index_of(t, p) + 1;

	p->parent = parent;
	if (!parent)
		return;
	p->next = of[parent - 1].first_child;
	if (p->next)
		of[p->next - 1].previous = own;
	of[parent - 1].first_child = own;
}

static void leave_parent(struct tasks *t, struct process *p)
{
	struct process *of = t->processes.data;

	if (p->next)
		of[p->next - 1].previous = p->previous;
	if (p->previous)
		of[p->previous - 1].next = p->next;
	else if (p->parent)
		of[p->parent - 1].first_child = p->next;
	p->parent = p->previous = p->next = 0;
}

static uint32_t process_id(struct tasks *t, uint32_t index);

/* From now on its children have its row in the experiment, so it gets one. */
static void orphan_children(struct tasks *t, uint32_t index)
{
	struct process *of = t->processes.data;

	while (of[index].first_child) {
		struct process *child = &of[of[index].first_child - 1];
		uint32_t row = process_id(t, index);

		leave_parent(t, child);
		child->parent_row = row + 1;
	}
}

static void release_if_unused(struct tasks *t, uint32_t index)
{
	struct process *p = &t->processes.data[index];

	if (p->slots || p->holds)
		return;
	orphan_children(t, index);
	leave_parent(t, p);
	space_release(&p->space);
	free(p->command);
	p->command = NULL;
	if (p->given_up && idmap_get(&t->by_pid, p->pid, 0) == index)
		renumber(t, &t->by_pid, p->pid, GIVEN_UP_INDEX);
	drop_number(t, &t->by_pid, p->pid, index);
	p->next = t->unused;
	t->unused = index + 1;
}

void tasks_hold(struct tasks *t, uint32_t process)
{
	t->processes.data[process].holds++;
}

void tasks_let_go(struct tasks *t, uint32_t process)
{
	t->processes.data[process].holds--;
	release_if_unused(t, process);
}

/* ---- by number ---- */

bool tasks_know(const struct tasks *t, uint32_t pid)
{
	uint32_t index = idmap_get(&t->by_pid, pid, 0);

	return index < t->processes.len || index == GIVEN_UP_INDEX;
}

struct process *tasks_known_process(struct tasks *t, uint32_t pid)
{
	uint32_t index = idmap_get(&t->by_pid, pid, 0);

	return index < t->processes.len ? &t->processes.data[index] : NULL;
}

bool tasks_is_current(const struct tasks *t, uint32_t process)
{
	return idmap_get(&t->by_pid, t->processes.data[process].pid, 0) == process;
}

void tasks_found_parent(struct tasks *t, uint32_t pid, uint32_t ppid)
{
	struct process *p = tasks_known_process(t, pid);
	const struct process *of = tasks_known_process(t, ppid);

	if (!p || !of || p->parent || p->parent_row)
		return;
	for (const struct process *a = of;; a = &t->processes.data[a->parent - 1]) {
		if (a == p)
			return;
		if (!a->parent)
			break;
	}
	set_parent(t, p, index_of(t, of) + 1);
}

void tasks_forget(struct tasks *t, uint32_t pid)
{
	idmap_remove(&t->by_pid, pid, 0);
	t->sampled.known = false;
}

struct process *tasks_process(struct tasks *t, uint32_t pid)
{
	struct process *p = tasks_known_process(t, pid);

	if (p)
		return p;
	p = add_process(t, pid, 0);
	if (pid == TASK_RELEASED)
		task_name_set(&t->names, &p->name, RELEASED_NAME);
	else
		t->processes_seen++;
	return p;
}

uint32_t tasks_index(struct tasks *t, uint32_t pid)
{
	return index_of(t, tasks_process(t, pid));
}

struct thread *tasks_find_thread(const struct tasks *t, uint32_t tid)
{
	uint32_t index = idmap_get(&t->by_tid, tid, 0);

	if (index >= t->threads.len || t->threads.data[index].tid != tid)
		return NULL;
	return &t->threads.data[index];
}

/* The mappings go with the last thread of a process. */
static void end_slot(struct tasks *t, uint32_t index)
{
	struct thread *th = &t->threads.data[index];
	struct process *p;

	th->ended = true;
	free_beyond(t, th);
	p = &t->processes.data[th->process];
	if (!--p->live) {
		space_release(&p->space);
		p->space.generation = next_generation(t);
	}
	if (t->ended++)
		t->threads.data[t->last_ended].next_ended = index;
	else
		t->first_ended = index;
	t->last_ended = index;
}

/* Marks the thread of that number as ended, if there is one. */
static void end_thread(struct tasks *t, uint32_t tid)
{
	const struct thread *th = tasks_find_thread(t, tid);

	if (th && !th->ended)
		end_slot(t, (uint32_t)(th - t->threads.data));
}

static uint32_t move_hand(struct tasks *t)
{
	t->hand = (t->hand + 1) % (uint32_t)t->threads.len;
	return t->hand;
}

/*
 * Reuses the slot of an ended thread, as servers start millions; but not at once, as an
 * ending thread is sampled until its last instant.
 */
static struct thread *new_slot(struct tasks *t)
{
	struct thread *th;

	if (t->ended <= ENDED_KEPT && t->threads.len < t->threads_max) {
		th = vec_push(&t->threads);
		*th = (struct thread){ 0 };
		return th;
	}
	if (!t->ended) {
		end_slot(t, move_hand(t));
		t->processes.data[t->threads.data[t->hand].process].given_up = true;
		t->given_up++;
	}
	th = &t->threads.data[t->first_ended];
	drop_number(t, &t->by_tid, th->tid, t->first_ended);
	t->first_ended = th->next_ended;
	t->ended--;
	t->processes.data[th->process].slots--;
	release_if_unused(t, th->process);
	splice_clear(&th->splice);
	return th;
}

static struct thread *add_thread(struct tasks *t, uint32_t process, uint32_t tid,
				 uint64_t born_ns)
{
	struct thread *th;

	/* before a slot is found, which may free another process */
	t->processes.data[process].slots++;
	th = new_slot(t);
	th->tid = tid;
	th->ended = false;
	th->process = process;
	th->name = t->processes.data[process].name;
	th->id = TASK_NO_ID;
	th->heir = 0;
	th->cgroup = 0; /* the slot may have been an ended thread's */
	th->born_ns = born_ns;
	t->processes.data[process].live++;
	renumber(t, &t->by_tid, tid, (uint32_t)(th - t->threads.data));
	return th;
}

struct thread *tasks_thread_in(struct tasks *t, uint32_t process, uint32_t tid)
{
	struct thread *th;

	if (tid == TASK_RELEASED)
		tid = t->processes.data[process].pid;
	th = tasks_find_thread(t, tid);
	if (th && th->process == process)
		return th;
	end_thread(t, tid);
	if (tid != TASK_RELEASED)
		t->threads_seen++;
	return add_thread(t, process, tid, 0);
}

struct thread *tasks_thread(struct tasks *t, uint32_t pid, uint32_t tid)
{
	struct thread *th;

	if (tid == TASK_RELEASED)
		tid = pid;
	if (t->sampled.known && t->sampled.pid == pid && t->sampled.tid == tid)
		return &t->threads.data[t->sampled.thread];
	th = tasks_thread_in(t, tasks_index(t, pid), tid);
	t->sampled.known = true;
	t->sampled.pid = pid;
	t->sampled.tid = tid;
	t->sampled.thread = (uint32_t)(th - t->threads.data);
	return th;
}

/*
 * While one ring takes over from another both report a fork, at slightly different times.
 * The number of a living thread is not given to another.
 */
static bool is_reported(const struct tasks *t, uint32_t tid, uint64_t time_ns)
{
	enum { APART_NS = 1000000 };
	const struct thread *th = tasks_find_thread(t, tid);

	return th && !th->ended && th->born_ns && time_ns >= th->born_ns &&
	       time_ns - th->born_ns < APART_NS;
}

void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, uint32_t tid,
		uint64_t time_ns)
{
	uint32_t parent = tasks_index(t, ppid);
	uint32_t process = parent;

	if (is_reported(t, tid, time_ns))
		return;
	if (pid != ppid) {
		struct process *p = add_process(t, pid, time_ns);
		const struct process *from = &t->processes.data[parent];

		set_parent(t, p, parent + 1);
		p->name = from->name;
		space_copy(&p->space, &from->space);
		process = index_of(t, p);
		t->processes_seen++;
	}
	end_thread(t, tid);
	add_thread(t, process, tid, time_ns);
	t->threads_seen++;
}

void tasks_inherit_name(struct tasks *t, uint32_t tid, uint32_t ptid)
{
	struct thread *th = tasks_find_thread(t, tid);
	const struct thread *parent = tasks_find_thread(t, ptid);

	if (th && parent)
		th->name = parent->name;
}

void tasks_unmap(struct tasks *t, uint32_t pid)
{
	struct process *p = tasks_process(t, pid);

	space_release(&p->space);
	p->space.generation = next_generation(t);
}

/*
 * The remaining thread has the process's number, whichever thread called; it gets a new
 * row too, as it belongs to another program.
 */
void tasks_exec(struct tasks *t, uint32_t pid, const char *name, uint64_t time_ns)
{
	struct process *p = tasks_process(t, pid);
	const struct thread *old = tasks_find_thread(t, pid);
	uint32_t heir = old ? old->heir : 0;
	struct thread *th;

	end_thread(t, pid);
	if (p->id != TASK_NO_ID) {
		uint32_t parent = p->parent, parent_row = p->parent_row;

		space_release(&p->space);
		p = add_process(t, pid, time_ns);
		set_parent(t, p, parent);
		p->parent_row = parent_row;
	}
	p->start_ns = time_ns;
	space_release(&p->space);
	p->space.generation = next_generation(t);
	task_name_set(&t->names, &p->name, name);
	p->bare = true;
	th = add_thread(t, index_of(t, p), pid, time_ns);
	th->heir = heir;
}

uint32_t tasks_executor(const struct tasks *t, uint32_t pid)
{
	const struct thread *leader = tasks_find_thread(t, pid);

	if (!leader || !leader->ended || !t->processes.data[leader->process].live)
		return pid;
	vec_for_each(const struct thread, th, &t->threads)
		if (!th->ended && th->process == leader->process)
			return th->tid;
	return pid;
}

void tasks_name_thread(struct tasks *t, struct thread *th, const char *name)
{
	if (task_name_is(&t->names, &th->name, name))
		return;
	th->id = TASK_NO_ID;
	task_name_set(&t->names, &th->name, name);
}

void tasks_rename(struct tasks *t, uint32_t pid, uint32_t tid, const char *name)
{
	struct thread *th = tasks_thread(t, pid, tid);

	tasks_name_thread(t, th, name);
	if (pid == tid)
		tasks_process(t, pid)->name = th->name;
}

void tasks_rename_program(struct tasks *t, uint32_t pid, const char *name,
			  uint64_t time_ns)
{
	struct thread *th = tasks_thread(t, pid, pid);
	struct process *p = &t->processes.data[th->process];

	if (p->live <= 1 && !task_name_is(&t->names, &p->name, name)) {
		p->id = th->id = TASK_NO_ID;
		p->start_ns = th->born_ns = time_ns;
	}
	tasks_name_thread(t, th, name);
	p->name = th->name;
}

void tasks_limit_stacks(struct tasks *t, struct thread *th)
{
	size_t bytes = splice_bytes(&th->splice);

	t->stack_bytes = t->stack_bytes - th->stack_bytes + bytes;
	th->stack_bytes = bytes;
	while (t->stack_bytes > TASKS_STACKS_MAX) {
		struct thread *other = &t->threads.data[move_hand(t)];

		if (other == th)
			continue;
		t->stack_bytes -= other->stack_bytes;
		other->stack_bytes = 0;
		splice_release(&other->splice);
	}
}

void tasks_exit(struct tasks *t, uint32_t tid)
{
	end_thread(t, tid);
}

static void write_process(struct tasks *t, struct process *p)
{
	uint32_t parent = p->parent ? t->processes.data[p->parent - 1].id + 1
				    : p->parent_row;

	p->id = t->ids++;
	exp_write_row(t->in->writer, EXP_PROCESSES,
		      (uint64_t[]){ p->pid, parent, task_name_id(&t->names, &p->name),
				    p->start_ns });
}

/* Ancestors get their rows first; their line may be too long for recursion. */
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

/* As if it were renamed: rows have one group. */
bool tasks_enter_group(struct thread *thread, uint64_t cgroup)
{
	bool another = thread->cgroup != cgroup;

	if (another && thread->cgroup)
		thread->id = TASK_NO_ID;
	thread->cgroup = cgroup;
	return another || thread->id == TASK_NO_ID;
}

uint32_t tasks_thread_id(struct tasks *t, struct thread *thread)
{
	uint32_t process;

	if (thread->id != TASK_NO_ID)
		return thread->id;
	process = process_id(t, thread->process);
	thread->id = t->thread_ids++;
	exp_write_row(t->in->writer, EXP_THREADS,
		      (uint64_t[]){ process, thread->tid,
				    task_name_id(&t->names, &thread->name),
				    thread->born_ns });
	return thread->id;
}
