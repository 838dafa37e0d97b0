/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A control group (v2) made for one run, below our own: events tied to it count only its
 * processes, on every CPU; cgroups(7).
 *
 * The target is put into it before it executes its program, and its children are born in
 * it.  Nothing else changes for them: no controller is enabled.  After the run the
 * remaining processes move to where they would have been, and the group is removed.  The
 * next collect removes the group of a killed one.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup {
	char *path, *parent; /* directories; NULL: none was made */
	char *name;          /* in the hierarchy, as in /proc/PID/cgroup */
	int fd;              /* of path */
};

#define CGROUP_NONE                                                                      \
	{                                                                                \
		.fd = -1                                                                 \
	}

/*
 * Makes it.  ROOT precedes /proc.  0 or a negative errno: there is no unified hierarchy,
 * or no right to change it.
 */
int cgroup_make(struct cgroup *g, const char *root) __attribute__((warn_unused_result));

/* Moves PID into it.  0 or a negative errno. */
int cgroup_add(const struct cgroup *g, pid_t pid) __attribute__((warn_unused_result));

/* cgroup2_cpu; false also if there is no group. */
bool cgroup_cpu(const struct cgroup *g, uint64_t *user_ns, uint64_t *system_ns);

/* Empties and removes it. */
void cgroup_release(struct cgroup *g);

#endif
