/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: what the counters, or the kernel's accounting of CPU time, have
 * beyond the samples becomes rows of <Unsampled>, so that the rows add up to what was
 * counted.
 */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"
#include "recording/recording.h"
#include "sample/evlist.h"
#include "sample/ladder.h"

struct unsampled {
	const struct ladder *ladder;
	const struct evlist *evlist; /* stopped */
	struct recording *rec;
	const struct target *target;
	bool whole; /* our child, waited for, and recorded from its start to its end */
};

void unsampled_write(const struct unsampled *u);

/* What an event counted for the target in all, and how much of it can have no sample. */
struct unsampled_count {
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
void unsampled_write_tasks(struct recording *rec, uint32_t target_pid,
			   const struct unsampled_count *counts);
void unsampled_write_group(struct recording *rec, uint32_t target_pid,
			   const struct unsampled_count *counts);

#endif
