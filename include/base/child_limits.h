/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits what a forked child keeps of its parent, and what it may use.  For a child that
 * parses hostile files: confine.h limits what it may do.
 */
#ifndef CHILD_LIMITS_H
#define CHILD_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct child_limits {
	uint64_t memory; /* bytes, beyond those that it has already */
	uint64_t cpu_s;  /* SIGXCPU ends it then */
};

/*
 * The limits of LIMITS, and: no core, no writing of regular files, no new descriptor from
 * CHILD_FILES_MAX on.  Builds with sanitizers have no limit of memory, and may write
 * their reports.
 */
enum { CHILD_FILES_MAX = 512 };
void child_limits_set(const struct child_limits *limits);

/* Closes all descriptors but the COUNT in KEEP, which it sorts; -1 stands for none. */
void child_keep_files(int *keep, size_t count);

/* If memory runs out, the kernel ends this process before any other. */
void child_dies_first(void);

#endif
