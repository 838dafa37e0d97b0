/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a count of samples may be off: the two-sided 95 % interval of a Poisson mean.
 *
 * The bounds are the exact ones (Garwood: quantiles of chi-square), from a table for
 * small counts and by Wilson and Hilferty's cube approximation above, which is right to
 * 0.5 % of the bound there.
 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdint.h>

struct interval {
	double low, high;
};

struct interval poisson_interval(uint64_t count);

#endif
