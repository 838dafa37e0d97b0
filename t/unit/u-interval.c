/* SPDX-License-Identifier: Apache-2.0 */
/* The Poisson interval against the definition of its bounds. */
#include "model/interval.h"

#include <math.h>

#include "tap.h"

/* P(X ≤ N) where X is Poisson with the mean M. */
static double at_most(uint64_t n, double m)
{
	double sum = 0;

	for (uint64_t i = 0; i <= n; i++)
		sum += exp((double)i * log(m) - m - lgamma((double)i + 1));
	return sum;
}

/* How much a bound may be off for its tail to hold 2.5 %: tried on both sides. */
static bool is_high(uint64_t n, double high)
{
	return at_most(n, high * 0.99) > 0.025 && at_most(n, high * 1.01) < 0.025;
}

static bool is_low(uint64_t n, double low)
{
	return 1 - at_most(n - 1, low * 0.99) < 0.025 &&
	       1 - at_most(n - 1, low * 1.01) > 0.025;
}

int main(void)
{
	static const uint64_t counts[] = { 1,  2,  3,  4,   5,   6,   7,    8,    9,
					   10, 11, 20, 100, 400, 999, 5000, 30000 };

	ok(poisson_interval(0).low == 0, "nothing seen may be nothing");
	ok(is_high(0, poisson_interval(0).high), "or up to 3.7");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct interval range = poisson_interval(counts[i]);

		ok(is_low(counts[i], range.low), "low bound of %u within 1 %%",
		   (unsigned)counts[i]);
		ok(is_high(counts[i], range.high), "high bound of %u within 1 %%",
		   (unsigned)counts[i]);
	}
	return done_testing();
}
