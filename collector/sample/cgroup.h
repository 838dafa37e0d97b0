/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control group (v2) made for one run, below the one that we are in: events that are
 * tied to it count its processes, on every CPU, and nobody else; cgroups(7).
 *
 * The target is put into it before it executes its program, and what it starts is born in
 * it.  Nothing else changes for them: no controller is turned on.  When the run is over,
 * those that are left go back to where they would have been, and the group is removed.
 * What a killed collect left behind is removed by the next one.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup {
	char *path, *parent; /* directories; NULL: none was made */
	int fd;              /* of path */
};

#define CGROUP_NONE                                                                      \
	{                                                                                \
		.fd = -1                                                                 \
	}

/*
 * Makes it.  ROOT is put before /proc.  0 or a negative errno: where there is no unified
 * hierarchy, or no right to change it.
 */
int cgroup_make(struct cgroup *g, const char *root) __attribute__((warn_unused_result));

/* Moves PID into it.  0 or a negative errno. */
int cgroup_add(const struct cgroup *g, pid_t pid) __attribute__((warn_unused_result));

/*
 * The CPU time that its processes have used in it, those that are gone included:
 * cpu.stat, which every group but the root has (cgroup-v2.rst, "CPU Interface Files").
 * Microseconds there, nanoseconds here.  False where it cannot be read, or there is no
 * group.
 */
bool cgroup_cpu(const struct cgroup *g, uint64_t *user_ns, uint64_t *system_ns);

/* Empties and removes it. */
void cgroup_release(struct cgroup *g);

#endif
