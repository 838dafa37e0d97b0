/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes that a program leaves running: which of the recorded ones still run.
 * Records of ends may be lost, and numbers reused, so each is looked up in /proc, which
 * ROOT precedes.
 */
#ifndef DAEMONS_H
#define DAEMONS_H

#include <stdbool.h>
#include <stdint.h>

#include "process/proc_list.h"
#include "process/tasks.h"

/* Adds those of TASKS to PIDS.  START_NS: of the recording, CLOCK_MONOTONIC. */
void daemons_find(const struct tasks *tasks, uint64_t start_ns, const char *root,
		  pid_vec *pids);

/* Kills those that are in our own process group, where a terminal's signals arrive. */
void daemons_kill(const pid_vec *pids, const char *root);

#endif
