/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sums of one experiment's samples: weights by event and stack node, by event and
 * thread, by event and CPU, by event and second.  All views use these, so neither their
 * time nor their memory depends on the number of samples.
 *
 * Rows are by event: the value of event E and node N is node[E × nodes + N].
 */
#ifndef TOTALS_H
#define TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "model/value.h"

/*
 * The limit of CPU numbers, which a damaged file could exceed.  Larger ones count as the
 * last, and so do the unknown ones of imported recordings.
 */
#define TOTALS_CPUS_MAX 8192

/* The limit of seconds, of all events together: 48 days of one event. */
#define TOTALS_SECONDS_MAX (1 << 22)

struct totals {
	size_t events, nodes, threads, cpus, seconds;
	struct value *node, *thread, *cpu, *second;
	struct value *whole;     /* by event */
	uint64_t damaged_blocks; /* of samples, skipped */
	uint64_t last_ns;        /* time of the last sample */
};

/* All zero, with room for so many CPUs and seconds. */
void totals_init(struct totals *out, const struct experiment *exp, size_t cpus,
		 size_t seconds);

/* Increases the *COUNT rows for each event of a sum to at least NEED. */
void totals_widen(size_t events, struct value **rows, size_t *count, size_t need);

/* Whether there are samples without any stack. */
bool totals_has_empty_stacks(const struct totals *totals);

void totals_release(struct totals *totals);

#endif
