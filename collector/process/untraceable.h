/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that the kernel does not let us follow further.
 *
 * A task that executes a program with rights of its own (setuid, setgid), or an
 * unreadable one, loses its events (begin_new_exec in fs/exec.c).  No record says so; but
 * the kernel reports the exec and then, before any mapping, the end of the task, although
 * it has not ended.  Events of CPUs and control groups continue.
 */
#ifndef UNTRACEABLE_H
#define UNTRACEABLE_H

#include <stddef.h>
#include <stdint.h>

#include "process/tasks.h"

enum { UNTRACEABLE_NAMES = 8 };

struct untraceable {
	uint64_t stopped; /* such tasks */
	uint64_t tasks;   /* … of which the user was not warned before */
	uint32_t pid;     /* of the first */
	uint32_t names[UNTRACEABLE_NAMES]; /* ids of strings, of the first ones */
	size_t names_len;
	uint32_t told_pid; /* the user was warned of its loss before; 0: none */
};

/* The kernel reports P's end: counts it if it has only just executed a program. */
void untraceable_exit(struct untraceable *g, struct tasks *tasks, struct process *p);

/* Whether there are some: if records are LOST, those of a program's mappings may be. */
static inline bool untraceable_is_certain(const struct untraceable *g, uint64_t lost)
{
	return g->stopped && !lost;
}

/*
 * The number of a process that stands for all that were stopped, for what no event counted.  Its
 * name has theirs.  There is one at least.
 */
uint32_t untraceable_process(const struct untraceable *g, struct tasks *tasks,
			     const struct strtab *strings);

#endif
