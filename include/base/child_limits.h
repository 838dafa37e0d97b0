/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits the descriptors, memory and time of a forked child that parses hostile files.
 * confine.h limits its system calls.
 */
#ifndef CHILD_LIMITS_H
#define CHILD_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct child_limits {
	uint64_t memory; /* bytes, beyond those it has now */
	uint64_t cpu_s;  /* SIGXCPU ends it then */
};

/*
 * Sets LIMITS, and allows no core, no writing of regular files, and no new descriptor
 * from CHILD_FILES_MAX on.  Builds with sanitizers have no memory limit, and may write
 * their reports.
 */
enum { CHILD_FILES_MAX = 512 };
void child_limits_set(const struct child_limits *limits);

/* Closes all descriptors except the COUNT in KEEP, which it sorts; -1 stands for none. */
void child_keep_files(int *keep, size_t count);

/* If memory runs out, the kernel ends this process before any other. */
void child_dies_first(void);

#endif
