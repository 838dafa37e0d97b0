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

#endif
