/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that the kernel does not let us follow any further.
 *
 * One that executes a program with rights of its own (setuid, setgid), or one that may
 * not be read, loses its events (begin_new_exec in fs/exec.c).  No record says so; but
 * the kernel tells that the program is executed, and then, before anything of it is
 * mapped, that the task has ended, though it has not.  Events of CPUs and control groups
 * go on.
 */
#ifndef UNTRACEABLE_H
#define UNTRACEABLE_H

#include <stddef.h>
#include <stdint.h>

#include "process/tasks.h"

enum { UNTRACEABLE_NAMES = 8 };

struct untraceable {
	uint64_t tasks;
	uint32_t names[UNTRACEABLE_NAMES]; /* ids of strings, of the first that differ */
	size_t names_len;
	uint32_t told_pid; /* whose loss the user was told of beforehand; 0: none */
};

/* The kernel says that P has ended: counts it if it has only just executed a program. */
void untraceable_exit(struct untraceable *g, struct tasks *tasks, struct process *p);

#endif
