/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The uncertainty of a count of samples: two-sided 95 % intervals, in samples.
 *
 * They are mid-P intervals: each tail includes half the probability of the count itself.
 * They cover the truth in 95 % of all cases on average, where Clopper and Pearson's or
 * Garwood's cover it in 97 % or more of counts below 20.  They are exact for counts below
 * ten; above, approximations (Wilson and Hilferty's, Paulson's) are within 1 % of the
 * bound.
 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdint.h>

struct interval {
	double low, high;
};

/* For a count with unknown total. */
struct interval poisson_interval(uint64_t count);

/* For COUNT out of a known TOTAL: between 0 and TOTAL. */
struct interval share_interval(uint64_t count, uint64_t total);

/* Known amounts, in any unit: of a row, and of all that it is part of. */
struct amounts {
	double count, weight; /* of the row: its samples, and what they weigh */
	double each;          /* behind one of its samples, though it may have none */
	double all_count, all_weight;
	double all_sampled; /* all_weight without what no sample stands for */
};

/*
 * An interval of samples as amounts, between 0 and all_weight: a further sample of the row
 * is one less of the rest's, which may weigh more or less.
 */
struct interval amount_interval(struct interval samples, const struct amounts *amounts);

#endif
