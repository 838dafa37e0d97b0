/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One event, tried out on ourselves: opened, run for a moment, its samples read.  That
 * tells what no file in /proc does: whether samples really come, and what is in them.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "sample/sys.h"

/* What the samples had.  Sizes are those of the largest. */
struct trial {
	bool opened;
	unsigned samples, kernel, user; /* where they were taken */
	unsigned regs;                  /* samples with user registers */
	size_t chain_len, stack_len, branches;
	bool lost_room; /* opened, but there was no memory for a ring */
};

/*
 * Opens ATTR, which need not say more than the event, its period and the wanted
 * sample_type, for the calling thread, and spends some milliseconds of CPU time in user
 * code and in the kernel.  0 where at least one sample was read.  -ENODATA: it opened and
 * none came; else the negative errno of what failed.
 */
int trial_run(const struct sys *sys, const struct perf_event_attr *attr,
	      struct trial *out) __attribute__((warn_unused_result));

/* Opens ATTR for TASK on CPU, with FLAGS, and closes it.  0 or a negative errno. */
int trial_open(const struct sys *sys, const struct perf_event_attr *attr, pid_t task,
	       int cpu, unsigned long flags) __attribute__((warn_unused_result));

#endif
