/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's processes and threads, as records report them, each with its address
 * space, name and row in the experiment.
 *
 * A pid names one process at a time.  A process that executes another program gets a new
 * row with the same pid, and so does its thread.  A thread that is renamed gets a new row
 * too, as its past belongs to the old name; all rows of one thread have the same birth,
 * and threads are numbered.  Rows and names reach the experiment with their first sample.
 *
 * Memory grows with the living tasks, not with all that ever lived: the slot of a process
 * is reused after those of its threads, and their numbers are forgotten then.  If
 * TASKS_THREADS_MAX live, a new one takes the slot of another, which counts as ended.
 */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/strtab.h"
#include "experiment/intern.h"
#include "process/space.h"
#include "process/task_names.h"
#include "unwind/splice.h"
#include "base/vec.h"

struct command_line;
struct beyond; /* the part of a thread's stack beyond copies: collector/stack/beyond.h */

/* The most mappings of all living processes together, some 64 MiB: see space_room. */
enum { TASKS_MAPPED_MAX = 1 << 21 };

/*
 * The most threads at a time, some 500 MB.  The kernel may allow four million, and records
 * of their ends may be lost.
 */
enum { TASKS_THREADS_MAX = 1 << 20 };

/* The most bytes that all threads' earlier stacks may take: a deep one takes 400 kB. */
#define TASKS_STACKS_MAX ((size_t)128 << 20)

struct process {
	uint32_t pid;
	uint32_t parent;     /* index + 1; 0: none, or its slot was reused */
	uint32_t parent_row; /* in that case: in the experiment, + 1; 0: none */
	uint32_t first_child, previous, next; /* index + 1; of the same parent */
	struct task_name name;
	uint32_t id;         /* in the experiment, or TASK_NO_ID */
	uint32_t live;       /* threads */
	uint32_t slots;      /* of threads, including ended ones, that refer to it */
	uint32_t holds;      /* see tasks_hold */
	bool bare;           /* it executes a program that is not mapped yet */
	bool given_up;       /* a thread of it was taken as ended, and may live */
	bool command_wanted; /* see command_lines_want */
	struct command_line *command; /* read, and not yet written; NULL: none */
	uint64_t start_ns;
	struct space space; /* empty once no thread lives */
	/* the batch of records that last changed it, and from which on (recording/ahead.h) */
	uint32_t changed_batch, changed_from;
};

struct thread {
	uint32_t tid;
	bool ended;
	uint32_t next_ended; /* index; the last one's means nothing */
	uint32_t process;    /* index */
	struct task_name name;
	uint32_t id; /* in the experiment, or TASK_NO_ID */
	struct splice splice;
	struct beyond *beyond; /* the stack's, see free_beyond; NULL: nothing */
	size_t stack_bytes;    /* see tasks_limit_stacks */
	uint64_t cgroup;       /* the kernel's id, of its row; 0: not known */
	uint32_t heir;         /* of that generation of random periods; 0: none */
	uint64_t
		born_ns; /* from the recording's start, or its program's; 0: before that */
	uint64_t ended_ns; /* if a record said when */
};

struct tasks {
	struct intern *in; /* borrowed */
	void (*free_beyond)(
		struct beyond *beyond); /* of a thread that ends; NULL: none has any */
	VEC(struct process) processes;
	VEC(struct thread) threads;
	/* ended threads, in the order of their ends; their slots are reused */
	uint32_t first_ended, last_ended, ended;
	uint32_t unused; /* slot of a process, index + 1; its next is another */
	struct idmap by_pid, by_tid;
	struct { /* most samples are of the previous sample's thread */
		uint32_t pid, tid, thread;
		bool known;
	} sampled;
	uint32_t ids, thread_ids; /* rows in the experiment */
	uint64_t processes_seen, threads_seen;
	struct space_room room;  /* of the spaces of all living processes */
	struct task_names names; /* of both */
	uint32_t threads_max;    /* TASKS_THREADS_MAX, except in tests */
	uint32_t hand;           /* index of the thread to give up next */
	uint64_t given_up;       /* threads that counted as ended */
	size_t stack_bytes;
	uint32_t last_generation;
};

void tasks_init(struct tasks *t, struct intern *in);
void tasks_release(struct tasks *t);

/*
 * The tasks go on in another experiment, whose strings and rows begin anew: they were born
 * before it, and get rows with their next samples.  OLD: the strings of the one before.
 */
void tasks_turn(struct tasks *t, const struct strtab *old);

/* Whether records reported that process. */
bool tasks_know(const struct tasks *t, uint32_t pid);

/* The process of that number; NULL: no record reported it. */
struct process *tasks_known_process(struct tasks *t, uint32_t pid);

/* Whether the number of the process with that index is still its own. */
bool tasks_is_current(const struct tasks *t, uint32_t process);

/*
 * Both were found running: makes PID a child of PPID.  Does nothing if either is unknown,
 * PID's parent is known, or PID is an ancestor of PPID.
 */
void tasks_found_parent(struct tasks *t, uint32_t pid, uint32_t ppid);

/* The number now belongs to a process that is not ours. */
void tasks_forget(struct tasks *t, uint32_t pid);

/*
 * The process or thread of that number; created if no record reported it.  One that ended
 * is still found: the kernel samples it until its last instant.  The pointer is valid
 * until the next task appears.
 */
struct process *tasks_process(struct tasks *t, uint32_t pid);
uint32_t tasks_index(struct tasks *t, uint32_t pid); /* of that process */
struct thread *tasks_thread(struct tasks *t, uint32_t pid, uint32_t tid);

/* The latest thread with that number; NULL: none. */
struct thread *tasks_find_thread(const struct tasks *t, uint32_t tid);

/* PID appeared as a copy of PPID; equal ones mean a new thread TID.  Known: nothing. */
void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, uint32_t tid,
		uint64_t time_ns);

/*
 * P maps M, which replaces older mappings in its place.  Returns how many were left out:
 * if there is no room for M, it stays unknown.
 */
unsigned tasks_map(struct tasks *t, struct process *p, const struct mapping *m);

/*
 * P's mappings from START to END become unknown.  Returns how many others were left out
 * for lack of room.
 */
unsigned tasks_cut(struct tasks *t, struct process *p, uint64_t start, uint64_t end);

/* PID loses all its mappings. */
void tasks_unmap(struct tasks *t, uint32_t pid);

/* The thread PTID started TID, which has its name until it gets its own. */
void tasks_inherit_name(struct tasks *t, uint32_t tid, uint32_t ptid);

/*
 * Which thread of PID now executes a program: the leader, or the only one that outlives it
 * and takes its number.  Looks at all threads in that case.
 */
uint32_t tasks_executor(const struct tasks *t, uint32_t pid);

/* PID executes another program, NAME: its mappings are gone. */
void tasks_exec(struct tasks *t, uint32_t pid, const char *name, uint64_t time_ns);

/* From now on TH is called NAME, whatever its process is. */
void tasks_name_thread(struct tasks *t, struct thread *th, const char *name);

/* From now on TID is called NAME, and so is PID if it is that thread. */
void tasks_rename(struct tasks *t, uint32_t pid, uint32_t tid, const char *name);

/*
 * The same for the leader of PID, of which nobody knows whether it executed a program.  If
 * it is the only thread, it may have, and PID and the thread get new rows, as then.  Their
 * mappings stay: those of a program are reported, and replace older ones.
 */
void tasks_rename_program(struct tasks *t, uint32_t pid, const char *name,
			  uint64_t time_ns);

/*
 * Call after TH's splice has changed.  If those of all threads exceed TASKS_STACKS_MAX,
 * other threads drop theirs, one after another.
 */
void tasks_limit_stacks(struct tasks *t, struct thread *th);

/* Keeps the slot of the process with that index, until released as often. */
void tasks_hold(struct tasks *t, uint32_t process);
void tasks_let_go(struct tasks *t, uint32_t process);

/* The thread TID of that process, even if another one has its number now. */
struct thread *tasks_thread_in(struct tasks *t, uint32_t process, uint32_t tid);

/* TID ended. */
void tasks_exit(struct tasks *t, uint32_t tid);

/* Its row in the experiment, which is written at the first call. */
uint32_t tasks_thread_id(struct tasks *t, struct thread *thread);

/*
 * The thread has a sample in the control group with that id.  Returns whether the row of
 * the next tasks_thread_id is the thread's first in this group.
 */
bool tasks_enter_group(struct thread *thread, uint64_t cgroup);

#endif
