/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: what its counters counted and no sample stands for becomes rows
 * <Unsampled>, so that sums are what was counted.
 */
#ifndef RECORDING_SETTLE_H
#define RECORDING_SETTLE_H

#include <stdint.h>

#include "recording.h"

/* What an event counted for the target in all, and how much of it can have no sample. */
struct recording_count {
	uint64_t counted, most;
	uint64_t least; /* so much is always missing, and no row's worth; of groups */
};

/*
 * The end: COUNTS has one of each event.  Writes what no sample stands for, where it can
 * be told, as rows <Unsampled>.
 *
 * Counters of tasks: by the name of each process, which starts a period of its own.
 * Counters of a group go on across processes; a sample is missing where a ring was full
 * or where the clock's timer came late (a virtual machine that had to wait), or since the
 * last period is not over, and nobody knows whose it was: each name has its share of it.
 */
void recording_settle_tasks(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts);
void recording_settle_group(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts);

#endif
