/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distribution of any number of durations in bounded memory: each falls into one of
 * the 128 equal parts of its power of two.  A quantile is the mean of those that share a
 * part with it: off by less than 1/128 of it, and exact if they are equal.  Some are kept
 * as they are until they are divided together: most places have no more.
 */
#ifndef DURATIONS_H
#define DURATIONS_H

#include <stdint.h>

#include "base/vec.h"

enum {
	DURATION_PARTS = 128,
	DURATION_POWERS = 58,
	DURATION_PARTS_ALL = DURATION_PARTS * DURATION_POWERS,
	DURATION_GROUP = 16, /* parts that get memory together */
	DURATION_GROUPS = DURATION_PARTS_ALL / DURATION_GROUP,
	DURATIONS_KEPT = 32,
};

struct duration_part {
	uint64_t count, sum_ns;
};

struct duration_group {
	struct duration_part part[DURATION_GROUP];
};

/* All-zero: empty. */
struct durations {
	uint64_t count, sum_ns, longest_ns;
	unsigned kept_count;
	uint64_t kept[DURATIONS_KEPT]; /* the last ones, in no part yet */
	uint16_t *group_of; /* by part / DURATION_GROUP, from 1; NULL: all are kept */
	VEC(struct duration_group) groups;
};

void durations_add(struct durations *d, uint64_t ns);

/* Adds all of another. */
void durations_merge(struct durations *d, const struct durations *other);

/*
 * The duration that PERCENT of them do not exceed: the nearest rank.  0 if it is empty.
 */
uint64_t durations_quantile(const struct durations *d, unsigned percent);

void durations_release(struct durations *d);

#endif
