/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unified hierarchy of control groups (version 2), alone or beside hierarchies of
 * version 1: cgroups(7).  ROOT precedes /proc.
 */
#ifndef CGROUP2_H
#define CGROUP2_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where it is mounted, the caller's to free; NULL: nowhere. */
char *cgroup2_mount(const char *root);

/* Whether DIRECTORY, or what is below it, is of a hierarchy of version 1. */
bool cgroup1_has(const char *root, const char *directory);

/* Whether a hierarchy of version 1 has that controller: proc(5), /proc/PID/cgroup. */
bool cgroup1_has_controller(const char *root, const char *controller);

/* Our own group in it, "/…", the caller's to free; NULL: unknown. */
char *cgroup2_own(const char *root);

/* The same of a thread.  It is seen from our namespace: cgroup_namespaces(7). */
char *cgroup2_of(const char *root, pid_t pid, pid_t tid);

/* Whether GROUP is WHOLE or below it. */
bool cgroup2_is_within(const char *group, const char *whole);

/*
 * The CPU time of the processes of the group with the directory FD, including ended ones:
 * cpu.stat, which every group has (cgroup-v2.rst, "CPU Interface Files").  Microseconds
 * there, nanoseconds here.  False if it cannot be read.
 */
bool cgroup2_cpu(int fd, uint64_t *user_ns, uint64_t *system_ns);

#endif
