/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time that the kernel's own books have of the target, against which the samples
 * are held: those of its control group, of /proc, or what wait4 gave.
 */
#ifndef BOOKS_H
#define BOOKS_H

#include <stdbool.h>

#include "recording/recording.h"
#include "sample/cgroup.h"
#include "target/target.h"

struct books {
	struct target *target;
	const struct cgroup *cgroup;
	const struct recording *rec;
	const char *root; /* before /proc */
	bool system;      /* the whole machine is recorded */
	bool whole;       /* the target and nothing else, from its start to its end */
};

/* Sets the target's times, and by what they are known. */
void books_take(const struct books *b);

#endif
