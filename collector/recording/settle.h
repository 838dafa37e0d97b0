/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: what was counted but not sampled becomes rows of <Unsampled>,
 * so that the rows add up to what was counted.
 */
#ifndef RECORDING_SETTLE_H
#define RECORDING_SETTLE_H

#include <stdint.h>

#include "collector/recording/recording.h"

/* What an event counted for the target in all, and how much of it can have no sample. */
struct recording_count {
	uint64_t counted, most;
	uint64_t least; /* of groups: up to this, the missing part is not worth a row */
};

/*
 * COUNTS has one of each event.  Writes rows of <Unsampled> where the missing part is
 * known.
 *
 * Counters of tasks: one row for each process name, since each process starts a period of
 * its own.  Counters of a group go on across processes: there a sample is missing where a
 * ring was full, where the clock's timer came late (in a virtual machine that had to
 * wait), or because the last period is not over.  Nobody knows whose it was, so each name
 * gets its share.
 */
void recording_settle_tasks(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts);
void recording_settle_group(struct recording *rec, uint32_t target_pid,
			    const struct recording_count *counts);

#endif
