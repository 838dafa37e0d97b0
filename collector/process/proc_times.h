/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU time and I/O of recorded processes, and what a hypervisor took from them. */
#ifndef PROC_TIMES_H
#define PROC_TIMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "process/proc_stat.h"
#include "process/tasks.h"

/* ROOT precedes /proc.  False if PID has gone or its line cannot be parsed. */
bool proc_times_read(const char *root, pid_t pid, struct proc_times *out);

/*
 * What a process and the children that it waited for read from and wrote to block devices,
 * in bytes: proc(5), /proc/PID/io.
 */
struct proc_io {
	uint64_t read, written;
};

/* False if that may not be read, PID has gone, or this kernel does not count it. */
bool proc_io_read(const char *root, pid_t pid, struct proc_io *out)
	__attribute__((warn_unused_result));

typedef bool proc_times_skip_fn(const void *ctx, pid_t pid);

/*
 * Adds the times of TASKS's living processes and of the children that they waited for,
 * except those that SKIP, called with CTX, is true of.  Returns the number of these
 * processes.
 */
size_t proc_times_living(const struct tasks *tasks, const char *root,
			 proc_times_skip_fn *skip, const void *ctx, uint64_t *user_ns,
			 uint64_t *system_ns);

/*
 * The time that a hypervisor took from all CPUs since the machine started, in ticks of 10
 * ms: proc(5), /proc/stat, "steal".  The clocks of samples continue meanwhile.  0:
 * unknown.
 */
uint64_t proc_times_stolen(const char *root);

#endif
