/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists processes and threads: proc(5).  ROOT precedes /proc.  Those that begin or end
 * meanwhile may be in a list or not.
 */
#ifndef PROC_LIST_H
#define PROC_LIST_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"

typedef VEC(pid_t) pid_vec;

/* Whether PID is a process of collect's user. */
bool proc_is_own(const char *root, pid_t pid);

/* Each adds to OUT.  0 or a negative errno: -ENOENT if there is no such process. */
int proc_list_processes(const char *root, pid_vec *out)
	__attribute__((warn_unused_result));
int proc_list_threads(const char *root, pid_t pid, pid_vec *out)
	__attribute__((warn_unused_result));

/* PID's living children.  Not every kernel lists them: CONFIG_PROC_CHILDREN. */
int proc_list_children(const char *root, pid_t pid, pid_vec *out)
	__attribute__((warn_unused_result));

#endif
