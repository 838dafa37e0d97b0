/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distribution of any number of durations in bounded memory: each falls into one of
 * the 128 equal parts of its power of two.  A quantile is the mean of those that share a
 * part with it: off by less than 1/128 of it, and exact if they are equal.  Most places
 * have few durations: the first are kept as they are.
 */
#ifndef DURATIONS_H
#define DURATIONS_H

#include <stdint.h>

enum { DURATION_PARTS = 128, DURATION_POWERS = 58, DURATIONS_KEPT = 16 };

struct duration_part {
	uint64_t count, sum_ns;
};

/* All-zero: empty. */
struct durations {
	uint64_t count, sum_ns, longest_ns;
	uint64_t kept[DURATIONS_KEPT]; /* the first; in no part unless there are more */
	struct duration_part **powers; /* DURATION_POWERS; NULL: all are kept */
				       /* each DURATION_PARTS, or NULL: none */
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
