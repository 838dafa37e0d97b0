/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries one event on ourselves: opens it, runs it for a moment, reads its samples.  No
 * file in /proc shows whether samples really come, and what they contain.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "sample/sys.h"

/* The content of the samples.  Sizes are those of the largest. */
struct trial {
	bool opened;
	unsigned samples, kernel, user; /* where they were taken */
	unsigned regs;                  /* samples with user registers */
	size_t chain_len, stack_len, branches;
	bool lost_room; /* it opened, but there was no memory for a ring */
};

/*
 * Opens ATTR, which needs only the event, its period and the sample_type, for the calling
 * thread, and spends some milliseconds of CPU time in user code and in the kernel.  0 if
 * at least one sample was read.  -ENODATA: it opened but none came; else the negative
 * errno of the failure.
 */
int trial_run(const struct sys *sys, const struct perf_event_attr *attr,
	      struct trial *out) __attribute__((warn_unused_result));

/* Opens ATTR for TASK on CPU, with FLAGS, and closes it.  0 or a negative errno. */
int trial_open(const struct sys *sys, const struct perf_event_attr *attr, pid_t task,
	       int cpu, unsigned long flags) __attribute__((warn_unused_result));

#endif
