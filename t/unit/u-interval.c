/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares intervals with the definition of their bounds, and computes how often they
 * cover the truth, summed over all possible counts, so nothing depends on chance.
 */
#include "model/interval.h"

#include <math.h>

#include "random.h"
#include "tap.h"

/* P(X = K) for a Poisson X of mean M. */
static double poisson(uint64_t k, double m)
{
	return exp((double)k * log(m) - m - lgamma((double)k + 1));
}

/* P(X = K) in N trials of probability SHARE. */
static double binomial(uint64_t k, uint64_t n, double share)
{
	return exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
		   lgamma((double)(n - k) + 1) + (double)k * log(share) +
		   (double)(n - k) * log1p(-share));
}

/* P(X < K) and half of P(X = K); N 0: Poisson with that mean, else a share of N. */
static double below(uint64_t k, uint64_t n, double mean)
{
	double sum = 0;

	for (uint64_t i = 0; i <= k; i++)
		sum += (n ? binomial(i, n, mean / (double)n) : poisson(i, mean)) /
		       (i < k ? 1 : 2);
	return sum;
}

/* How far a bound may be off for its tail to have 2.5 %: tried on both sides. */
static bool is_high(uint64_t k, uint64_t n, double high)
{
	double more = high * 1.01;

	if (n && more >= (double)n)
		return high <= (double)n;
	return below(k, n, high * 0.99) > 0.025 && below(k, n, more) < 0.025;
}

/* For a bound below one sample, a hundredth of a sample. */
static bool is_low(uint64_t k, uint64_t n, double low)
{
	double off = fmax(low / 100, 0.01);

	return 1 - below(k, n, fmax(low - off, 1e-9)) < 0.025 &&
	       1 - below(k, n, low + off) > 0.025;
}

static void check_poisson(void)
{
	static const uint64_t counts[] = { 1,  2,  3,  4,   5,   6,   7,    8,    9,
					   10, 11, 20, 100, 400, 999, 5000, 30000 };

	ok(poisson_interval(0).low == 0, "no sample may mean nothing");
	ok(is_high(0, 0, poisson_interval(0).high), "or up to 3.0");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct interval range = poisson_interval(counts[i]);

		ok(is_low(counts[i], 0, range.low), "low bound of %u within 1 %%",
		   (unsigned)counts[i]);
		ok(is_high(counts[i], 0, range.high), "high bound of %u within 1 %%",
		   (unsigned)counts[i]);
	}
}

/* Every count of small totals, and some of large ones. */
static void check_shares(void)
{
	static const uint64_t totals[] = { 1, 2, 10, 30, 100, 1000, 20000 };

	for (size_t t = 0; t < sizeof(totals) / sizeof(totals[0]); t++) {
		uint64_t n = totals[t], step = n > 100 ? n / 50 : 1, wrong = 0;

		for (uint64_t k = 0; k <= n; k += step) {
			struct interval range = share_interval(k, n);

			wrong += !(range.low >= 0 && range.high <= (double)n);
			wrong += k > 0 && k < n && !is_low(k, n, range.low);
			wrong += k < n && !is_high(k, n, range.high);
		}
		is_u64(wrong, 0, "bounds of shares of %u are within 1 %%", (unsigned)n);
	}
	ok(share_interval(1000, 1000).high == 1000, "all samples may be all");
	ok(fabs(share_interval(1000, 1000).low - 997) < 0.1, "or all but 0.3 %%");
	ok(share_interval(0, 0).high == 0, "nothing has no share");
	ok(share_interval(9, 3).high == 3, "no more than all samples");
}

/* How often a share of N samples is within its interval. */
static double coverage(uint64_t n, double share)
{
	double sum = 0;

	for (uint64_t k = 0; k <= n; k++) {
		struct interval range = share_interval(k, n);

		if (range.low <= share * (double)n && share * (double)n <= range.high)
			sum += binomial(k, n, share);
	}
	return sum;
}

/* With one number of samples it jumps with each count, so this takes a hundred numbers. */
static void check_coverage(void)
{
	static const double shares[] = { 0.003, 0.05, 0.25, 0.5, 0.95 };
	enum { TOTALS = 100, FIRST = 1000, STEP = 37 };

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		double sum = 0;

		for (uint64_t t = 0; t < TOTALS; t++)
			sum += coverage(FIRST + t * STEP, shares[i]);
		sum /= TOTALS;
		ok(sum >= 0.94 && sum <= 0.96, "%.1f %% is covered: %.4f",
		   100 * shares[i], sum);
	}
}

/* Up to 2^40, few of them large. */
static double draw_weight(uint64_t *state)
{
	return (double)(random_next(state) >> (24 + random_below(state, 40)));
}

/* A row of COUNT of N samples, each side with a part of what no sample stands for. */
static struct amounts draw_amounts(uint64_t *state, uint64_t n, uint64_t count)
{
	struct amounts a = { .count = (double)count, .all_count = (double)n };
	double unsampled = random_below(state, 2) ? draw_weight(state) : 0;

	for (uint64_t i = 0; i < n; i++) {
		double weight = draw_weight(state);

		a.weight += i < count ? weight : 0;
		a.all_sampled += weight;
	}
	a.all_weight = a.all_sampled + unsampled;
	a.weight += count && random_below(state, 2) ? unsampled : 0;
	a.each = count ? a.weight / a.count : a.all_weight / a.all_count;
	return a;
}

static void check_amounts(void)
{
	uint64_t state = RANDOM_SEED, wrong = 0;

	for (int round = 0; round < 100000; round++) {
		uint64_t n = 1 + random_below(&state, 60);
		uint64_t count = random_below(&state, (uint32_t)n + 1);
		struct amounts a = draw_amounts(&state, n, count);
		struct interval range = amount_interval(share_interval(count, n), &a);

		wrong += !(0 <= range.low && range.low <= a.weight &&
			   a.weight <= range.high && range.high <= a.all_weight);
	}
	is_u64(wrong, 0, "0 <= low <= amount <= high <= all, however samples weigh");
}

/* Samples of the row weigh WEIGHT, and those of the rest 1. */
static void check_amount(double weight, double low, double high)
{
	const struct amounts a = { .count = 20,
				   .weight = 20 * weight,
				   .each = weight,
				   .all_count = 100,
				   .all_weight = 20 * weight + 80,
				   .all_sampled = 20 * weight + 80 };
	struct interval range = amount_interval((struct interval){ 10, 40 }, &a);

	ok(fabs(range.low - low) < 1e-9 && fabs(range.high - high) < 1e-9,
	   "20 of 100 samples weigh %.0f: %.3f to %.3f", weight, range.low, range.high);
}

int main(void)
{
	check_amounts();
	check_amount(1, 10, 40);
	/* of 160, 40 of 130 and 160 of 220 */
	check_amount(4, 160 * 40.0 / 130, 160 * 160.0 / 220);
	check_poisson();
	check_shares();
	check_coverage();
	return done_testing();
}
