/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes and threads of the target, as records tell of them, with what is kept of
 * each: its address space, its name, its row in the experiment.
 *
 * A pid names one process at a time; when it executes another program it becomes another
 * row, with the same pid; so does a thread that gets another name, for what it did before
 * was done under the old one.  Rows reach the experiment with their first sample.
 */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "stack/intern.h"
#include "process/space.h"
#include "unwind/splice.h"
#include "stack/upper.h"
#include "base/vec.h"

#define TASK_NO_ID UINT32_MAX

/* The most mappings that forks may copy, 64 MiB: a record of 56 bytes copies a whole
 * space.
 */
enum { TASKS_COPIED_MAX = 1 << 21 };

struct process {
	uint32_t pid;
	uint32_t parent; /* index + 1, or 0 */
	uint32_t name;   /* id of string */
	uint32_t id;     /* in the experiment, or TASK_NO_ID */
	uint32_t live;   /* threads */
	uint32_t copied; /* mappings that it has from the one that forked it */
	bool bare;       /* it executes a program of which nothing was mapped yet */
	uint64_t start_ns;
	struct space space; /* empty once no thread lives */
};

struct thread {
	uint32_t tid;
	bool ended;
	uint32_t next_ended; /* index; the last one's means nothing */
	uint32_t process;    /* index */
	uint32_t name;       /* id of string */
	uint32_t id;         /* in the experiment, or TASK_NO_ID */
	struct splice splice;
	struct upper *upper; /* what lies beyond copies of its stack; NULL: nothing */
};

struct tasks {
	struct intern *in; /* borrowed */
	VEC(struct process) processes;
	VEC(struct thread) threads;
	/* ended threads, in the order in which they ended; their slots are used again */
	uint32_t first_ended, last_ended, ended;
	struct idmap by_pid, by_tid;
	struct { /* most samples are of the thread that the one before was of */
		uint32_t pid, tid, thread;
		bool known;
	} sampled;
	uint32_t ids, thread_ids; /* rows in the experiment */
	uint64_t processes_seen, threads_seen;
	size_t copied; /* mappings, of all that live: up to TASKS_COPIED_MAX */
	uint64_t bare; /* processes that got none, there being too many */
	uint32_t last_generation;
};

void tasks_init(struct tasks *t, struct intern *in);
void tasks_release(struct tasks *t);

/* Whether records told of that process. */
bool tasks_know(const struct tasks *t, uint32_t pid);

/* The number was given to a process that is none of ours. */
void tasks_forget(struct tasks *t, uint32_t pid);

/*
 * The process or thread of that number; one that no record told of is made up.  One that
 * ended is still found: the kernel samples it until the last.  The pointer is good until
 * the next task appears.
 */
struct process *tasks_process(struct tasks *t, uint32_t pid);
struct thread *tasks_thread(struct tasks *t, uint32_t pid, uint32_t tid);

/* PID appeared as a copy of PPID; equal ones mean a new thread TID. */
void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, uint32_t tid,
		uint64_t time_ns);

/* PID has none of the mappings that it had. */
void tasks_unmap(struct tasks *t, uint32_t pid);

/* TID was started by the thread PTID, whose name it has until it gets its own. */
void tasks_inherit_name(struct tasks *t, uint32_t tid, uint32_t ptid);

/* PID executes another program, NAME: its mappings are gone. */
void tasks_exec(struct tasks *t, uint32_t pid, const char *name, uint64_t time_ns);

/* TID is called NAME from now on, and PID where it is that thread. */
void tasks_rename(struct tasks *t, uint32_t pid, uint32_t tid, const char *name);

/* TID ended. */
void tasks_exit(struct tasks *t, uint32_t tid);

/* Its row in the experiment, which is written at the first call. */
uint32_t tasks_thread_id(struct tasks *t, struct thread *thread);

/* A generation for a space that changes. */
uint32_t tasks_generation(struct tasks *t);

#endif
