/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a recording: counts, or accounted CPU time, beyond the samples become rows
 * of <Unsampled>, so the rows add up to the count.
 */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include <stdbool.h>
#include <stdint.h>

#include "finish/accounting.h"
#include "target/target.h"
#include "recording/recording.h"
#include "sample/evlist.h"
#include "sample/ladder.h"

struct unsampled {
	const struct ladder *ladder;
	const struct evlist *evlist; /* stopped */
	struct recording *rec;
	const struct target *target;
	bool whole;           /* our child, waited for, and recorded from start to end */
	struct cpu_time most; /* of accounting_most */
};

void unsampled_write(const struct unsampled *u);

/* An event's total count for the target, and the part that may be unsampled. */
struct unsampled_count {
	uint64_t counted, most;
	uint64_t least; /* a smaller missing part is not worth a row */
	uint64_t tails; /* counters of tasks: after the threads' last samples */
};

/* Whose that may be. */
struct unsampled_owner {
	uint32_t target; /* of what has no sample at all; 0: it is not written */
	bool has_stopped;
	uint32_t stopped; /* if so, of what is beyond the tails: see untraceable.h */
};

/*
 * COUNTS has one for each event.  Writes rows of <Unsampled> if the missing part is
 * known.
 *
 * Counters of tasks start a period of their own in each process, whose rest is missing.
 * Those of a group continue across processes: there a sample is missing if a ring was full,
 * if the clock's timer was late (in a virtual machine that had to wait), or because the
 * last period is incomplete.  Its process is unknown, so each name gets its share by its
 * samples, unless it is OWNER's.
 */
void unsampled_write_counts(struct recording *rec, const struct unsampled_owner *owner,
			    const struct unsampled_count *counts);

#endif
