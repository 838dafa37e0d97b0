/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel has accounted to the processes of a recording that live. */
#ifndef USAGE_H
#define USAGE_H

#include <stdint.h>

#include "process/tasks.h"

struct usage {
	unsigned known; /* EXP_KNOWN_* */
	/* of their threads, and of the children that they waited for */
	uint64_t user_ns, system_ns, minor_faults, major_faults;
	/* context switches, of the threads that live */
	uint64_t voluntary, involuntary;
};

/* Of more processes or threads, nothing is read: it would take too long. */
enum { USAGE_PROCESSES_MAX = 1024, USAGE_THREADS_MAX = 4096 };

/* ROOT precedes /proc. */
void usage_read(struct usage *out, const struct tasks *tasks, const char *root);

#endif
