/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one pass over an experiment's samples: weights by event and stack node, by event
 * and thread, by event and CPU, by event and second.  Whatever is asked later is answered
 * from these sums, so that neither time nor memory of a view depends on the number of
 * samples.
 *
 * Rows are by event: the value of event E and node N is node[E × nodes + N].
 */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/read.h"
#include "model/filter_run.h"
#include "base/progress.h"
#include "model/value.h"

/*
 * CPU numbers that a damaged file could have; all above fall into the last, with what
 * an imported recording does not tell.
 */
#define AGGREGATE_CPUS_MAX 8192

/* Seconds likewise, of all events together: 48 days of one. */
#define AGGREGATE_SECONDS_MAX (1 << 22)

struct totals {
	size_t events, nodes, threads, cpus, seconds;
	struct value *node, *thread, *cpu, *second;
	struct value *whole;     /* by event */
	uint64_t damaged_blocks; /* of samples, passed over */
	uint64_t last_ns;        /* time of the last sample */
};

/*
 * Of the samples that FILTER admits; NULL: of all.  PROGRESS may be NULL.  Overwrites
 * OUT, which is the caller's to release.
 */
void totals_read(struct totals *out, struct experiment *exp,
		 const struct filter_run *filter, struct progress *progress);

/* Whether there are samples without any stack. */
bool totals_has_empty_stacks(const struct totals *totals);

void totals_release(struct totals *totals);

#endif
