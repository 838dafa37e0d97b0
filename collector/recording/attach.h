/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The initial state of a recording, from /proc: processes, threads, their names and
 * mappings.  The kernel's records report only later changes.
 */
#ifndef ATTACH_H
#define ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

#include "experiment/log.h"
#include "recording/recording.h"

/* Adds PID's command line to LOG. */
void attach_command(const char *root, pid_t pid, struct exp_log *log);

/*
 * Makes PID, its threads and its mappings known to REC.  Called again after the events
 * were started, it adds what changed before.
 */
void attach_process(struct recording *rec, const char *root, pid_t pid);

/*
 * The same for every process of the machine.  Their users decide how long that takes (each
 * may have 65530 mappings), so where SIGNALS_END the recording it stops as soon as one of
 * those signals is pending.
 */
void attach_all(struct recording *rec, const char *root, bool signals_end);

/* Adds the paths of the control groups that exist: later ones have records. */
void attach_groups(struct recording *rec, const char *root);

#endif
