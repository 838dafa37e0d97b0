/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's CPU time by the kernel's own accounting, to compare the samples with: from
 * its control group, from /proc, or from wait4.
 */
#ifndef ACCOUNTING_H
#define ACCOUNTING_H

#include <stdbool.h>

#include "recording/recording.h"
#include "sample/cgroup.h"
#include "target/target.h"

struct accounting {
	struct target *target;
	const struct cgroup *cgroup;
	const struct recording *rec;
	const char *root; /* before /proc */
	bool system;      /* the whole machine is recorded */
	bool whole;       /* only the target, from its start to its end */
};

/* Sets the target's times, and their source. */
void accounting_take(const struct accounting *b);

#endif
