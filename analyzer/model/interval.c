/* SPDX-License-Identifier: Apache-2.0 */
#include "model/interval.h"

#include <math.h>

/* By count.  The approximation of the low bound needs ten samples to come near enough. */
static const struct interval small_counts[] = {
	{ 0.00000, 3.68888 },  { 0.02532, 5.57164 },  { 0.24221, 7.22469 },
	{ 0.61867, 8.76727 },  { 1.08987, 10.24159 }, { 1.62349, 11.66833 },
	{ 2.20189, 13.05947 }, { 2.81436, 14.42268 }, { 3.45383, 15.76319 },
	{ 4.11537, 17.08480 },
};

#define SMALL_COUNTS (sizeof(small_counts) / sizeof(small_counts[0]))

/* The quantile of chi-square with 2 × N degrees of freedom, halved; Z of the normal one.
 */
static double quantile(double n, double z)
{
	double root = 1 - 1 / (9 * n) + z / (3 * sqrt(n));

	return n * root * root * root;
}

struct interval poisson_interval(uint64_t count)
{
	const double z = 1.959964; /* 97.5 % */
	double n = (double)count;

	if (count < SMALL_COUNTS)
		return small_counts[count];
	return (struct interval){ .low = quantile(n, -z), .high = quantile(n + 1, z) };
}
