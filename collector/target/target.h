/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target: a program, as a child that waits at a gate until counters are attached;
 * running processes; a control group; or none (the whole machine).  From the gate on, a child has the
 * signals, descriptors, environment and process group that collect was started with.
 */
#ifndef TARGET_H
#define TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "process/proc_list.h"
#include "target/attached.h"
#include "target/group.h"

enum target_usage_of { USAGE_UNKNOWN, USAGE_OF_WAITED, USAGE_OF_PROCESSES };

/* As in the log, struct exp_usage. */
struct target_usage {
	enum target_usage_of of;
	uint64_t minor_faults, major_faults;
	uint64_t voluntary_switches, involuntary_switches;
	bool blocks; /* the next two are known */
	uint64_t input_blocks, output_blocks;
};

struct target {
	pid_t pid;  /* 0: a group, or the whole machine; of several processes the first */
	int gate;   /* -1 once it is open */
	int failed; /* the child writes here if it cannot execute */
	bool in_group; /* it was born in the requested control group */
	bool ended;
	int wait_status; /* of waitpid, once ended; 0 if it is not our child */
	uint64_t user_ns, system_ns;
	uint64_t in_group_ns; /* in the group made for the run; 0: unknown */
	struct target_usage usage;
	/* times include its control group, or surviving processes; else as getrusage(2) */
	bool by_group, by_proc;
	size_t living;            /* processes in /proc at the end, with times there */
	struct attached attached; /* processes that are not our children */
	bool no_accounting;       /* their times cannot be separated from others' */
	struct target_group group;
};

#define TARGET_NONE                                                                      \
	{                                                                                \
		.gate = -1, .failed = -1, .group = TARGET_GROUP_NONE                     \
	}

/*
 * The file that execution of NAME would run, by PATH as execvp(3) goes about it.  0 and
 * *PATH, the caller's to free; or the status that a shell would exit with, and one
 * sentence in ERR: 127 where there is none, 126 where it cannot be executed.
 */
int target_find(const char *name, char **path, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Whether the program in the file PATH gets other rights than ours, or may not be read by
 * us: the kernel ends the events of a task, though not those of a group or of CPUs, when
 * it executes such a one.
 */
bool target_is_untraceable(const char *path);

/* Whether the program in the file PATH is one of 32 bits, which loads no library of 64. */
bool target_is_32_bit(const char *path);

/* How a child starts. */
struct target_birth {
	const sigset_t *mask; /* its signal mask */
	int cgroup; /* its control group's directory, if the kernel can; -1: ours */
};

/*
 * Forks the child, which waits at the gate.  SIGCHLD is no longer ignored by us, so that
 * we see its end.  0 or -errno.
 */
int target_fork(struct target *t, const char *path, char *const argv[],
		const struct target_birth *birth) __attribute__((warn_unused_result));

/*
 * Adds a running process to the target, at first TARGET_NONE.  0, or a negative errno:
 * attached_add's.
 */
int target_attach(struct target *t, pid_t pid) __attribute__((warn_unused_result));

/*
 * Adds to TIDS the threads of the target's processes: of those that run already, and, if
 * FOLLOW, of the processes below them, which are added to the target.
 */
void target_threads(struct target *t, const char *root, bool follow, pid_vec *tids);

/* Whether it is a child of ours. */
bool target_is_child(const struct target *t);

/* Opens the gate.  0, or the errno (negative) with which it could not execute. */
int target_go(struct target *t) __attribute__((warn_unused_result));

/* Takes note of its end, if it has ended; never waits. */
void target_poll(struct target *t);

/* Takes a last look at processes that are not our children, or at the group. */
void target_finish(struct target *t);

/* Whether PID is one of the processes whose times it has. */
bool target_has(const struct target *t, pid_t pid);

/* Whether its end was noted. */
bool target_has_ended(const struct target *t);

/* Sends it SIG. */
void target_signal(const struct target *t, int sig);

/* Waits for its end. */
void target_wait(struct target *t);

/* What collect is to exit with on its behalf: its status, or 128 + its signal. */
int target_exit_status(const struct target *t);

/* Kills a child that is still at the gate, and closes what is open. */
void target_release(struct target *t);

#endif
