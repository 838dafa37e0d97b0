/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running processes that are recorded: those that the user named, and the processes
 * below them, alive when the recording begins.  Their ends, and their CPU time by the
 * kernel's own accounting.
 */
#ifndef ATTACHED_H
#define ATTACHED_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "process/proc_list.h"
#include "process/proc_times.h"

struct attached_process {
	pid_t pid;
	bool below;      /* another one here is its parent */
	bool newborn;    /* began after the recording */
	bool before_all; /* ended before it, and was waited for */
	uint64_t seen;   /* the look that read its times last */
	clockid_t clock; /* its CPU time */
	uint64_t clock_before, clock_after;
	bool has_times; /* the next two are known: */
	struct proc_times before, after;
	bool has_io; /* the next two are known: */
	struct proc_io io_before, io_after;
};

/* All-zero: none. */
struct attached {
	VEC(struct attached_process) processes;
	VEC(struct pollfd) ends; /* by process: its pidfd; -1: its end was noted */
	struct idmap by_pid;     /* to the index */
	size_t living;
	size_t next;               /* whose times are read next */
	uint64_t looks, looked_ns; /* at their times: how many, and when the last */
	bool begun;
	bool own_only;         /* others' processes may not be recorded */
	bool strangers;        /* some of those were found, and left out */
	bool cut;              /* some ended between a look and the last one */
	bool unknown_children; /* some were there before, and are not recorded */
};

/*
 * Adds a process.  0, or a negative errno: -ESRCH, -EINVAL (that is a thread), -EEXIST,
 * -EDEADLK (it is collect, which would wait for its own end), -EMFILE.
 */
int attached_add(struct attached *a, pid_t pid) __attribute__((warn_unused_result));

/*
 * Adds the processes below those, until a look finds no more.  ROOT precedes /proc.  What
 * ends meanwhile is left out.  Returns how many were added.
 */
size_t attached_add_below(struct attached *a, const char *root);

/* What they used up to now does not count. */
void attached_begin(struct attached *a, const char *root);

/* Notes ends, and the times of those that live: of some at a time, or of ALL. */
void attached_poll(struct attached *a, bool all);

/* Whether PID is a living one of them: the number of an ended one may be another's. */
bool attached_have(const struct attached *a, pid_t pid);

/* Whether all have ended. */
bool attached_have_ended(const struct attached *a);

/*
 * What they used since the beginning, with children that they have waited for.  False
 * if that is unknown: a child's time from before the beginning is in its parent's once the
 * parent has waited for it, and perhaps never.
 */
struct attached_use {
	uint64_t user_ns, system_ns, minor_faults, major_faults;
	bool has_io; /* the next is known of all of them: */
	struct proc_io io;
};

bool attached_used(const struct attached *a, struct attached_use *out);

void attached_release(struct attached *a);

#endif
