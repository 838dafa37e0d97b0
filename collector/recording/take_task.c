/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and processes: birth, end, name, another program. */
#include "recording/take.h"

void take_fork(struct recording *rec, const struct record *r)
{
	struct thread *th;

	bool left_out = rec->alone && r->task.pid != r->task.ppid;

	if (r->task.pid != r->task.ppid)
		command_lines_settle(&rec->command_lines, r->task.pid, r->at.time);
	if (left_out || !ours(rec, r->task.ppid)) {
		tasks_forget(&rec->tasks, r->task.pid);
		return;
	}
	meet(rec, r->task.ppid);
	if (rec->waiting)
		waiting_reused(rec->waiting, r->task.tid, time_of(rec, r));
	tasks_fork(&rec->tasks, r->task.pid, r->task.ppid, r->task.tid, time_of(rec, r));
	tasks_inherit_name(&rec->tasks, r->task.tid, r->task.ptid);
	th = tasks_find_thread(&rec->tasks, r->task.tid);
	th->heir = stagger_book_fork(&rec->stagger, r->task.ptid,
				     heir_of(rec, r->task.ptid), r->at.time);
	if (rec->waiting)
		waiting_fork(rec->waiting, r->task.tid, time_of(rec, r));
	/* perf synthesized the record for a process that executed its program long ago */
	if (r->misc & PERF_RECORD_MISC_FORK_EXEC && r->task.pid != r->task.ppid)
		tasks_unmap(&rec->tasks, r->task.pid);
}

/*
 * The kernel reports a thread's end before its last switches and samples.  If nothing was
 * recorded of it so far, these must not make it a thread that lives.
 */
static struct thread *thread_that_ends(struct recording *rec, const struct record *r)
{
	struct thread *th = tasks_find_thread(&rec->tasks, r->task.tid);

	return th ? th : tasks_thread(&rec->tasks, r->task.pid, r->task.tid);
}

void take_exit(struct recording *rec, const struct record *r)
{
	struct thread *th;

	if (!ours(rec, r->task.pid))
		return;
	if (r->task.tid == r->task.pid) {
		untraceable_exit(&rec->untraceable, &rec->tasks,
				 tasks_process(&rec->tasks, r->task.pid));
		command_lines_settle(&rec->command_lines, r->task.pid, r->at.time);
	}
	th = thread_that_ends(rec, r);
	stagger_book_exit(&rec->stagger, th->born_ns, time_of(rec, r));
	group_counts_end(&rec->counts, r->task.tid);
	if (rec->waiting)
		waiting_exit(rec->waiting, r->task.tid, time_of(rec, r));
	th->ended_ns = time_of(rec, r);
	tasks_exit(&rec->tasks, r->task.tid);
}

/* A thread that is not the leader takes its number, and its own counters with it. */
static void take_exec(struct recording *rec, const struct record *r)
{
	uint32_t pid = r->comm.pid, executor = tasks_executor(&rec->tasks, pid);

	if (rec->before_exec)
		rec->before_exec(rec->before_exec_ctx, pid, r->at.time);
	note_exec(rec, pid);
	command_lines_settle(&rec->command_lines, pid, r->at.time);
	if (rec->waiting)
		waiting_leave(rec->waiting, pid, executor, time_of(rec, r));
	tasks_exec(&rec->tasks, pid, r->comm.name, time_of(rec, r));
	if (rec->waiting)
		waiting_exec(rec->waiting, pid, time_of(rec, r), r->at.cpu);
	if (executor == pid)
		return;
	group_counts_move(&rec->counts, executor, pid);
	tasks_exit(&rec->tasks, executor);
}

void take_comm(struct recording *rec, const struct record *r)
{
	if (!ours(rec, r->comm.pid))
		return;
	meet(rec, r->comm.pid);
	if (r->comm.exec) {
		take_exec(rec, r);
	} else if (rec->execs_unmarked && r->comm.pid == r->comm.tid) {
		tasks_rename_program(&rec->tasks, r->comm.pid, r->comm.name,
				     time_of(rec, r));
	} else {
		tasks_rename(&rec->tasks, r->comm.pid, r->comm.tid, r->comm.name);
	}
}
