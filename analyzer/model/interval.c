/* SPDX-License-Identifier: Apache-2.0 */
#include "model/interval.h"

#include <math.h>

/* By count: the approximation needs ten samples to be close enough. */
static const struct interval small_counts[] = {
	{ 0.00000, 2.99573 },  { 0.05002, 4.93186 },  { 0.33533, 6.60796 },
	{ 0.76310, 8.16447 },  { 1.27095, 9.64844 },  { 1.83199, 11.08242 },
	{ 2.43182, 12.47925 }, { 3.06159, 13.84710 }, { 3.71540, 15.19150 },
	{ 4.38907, 16.51643 },
};

#define Z 1.959964 /* 97.5 % of the normal distribution */

#define SMALL_COUNTS (sizeof(small_counts) / sizeof(small_counts[0]))

/* A quantile of the gamma distribution of shape N; Z: the normal one's. */
static double gamma_quantile(double n, double z)
{
	double root = 1 - 1 / (9 * n) + z / (3 * sqrt(n));

	return n * root * root * root;
}

/* The quantiles of shape N + 1/2 are a little narrower than mid-P's bounds. */
struct interval poisson_interval(uint64_t count)
{
	const double low_off = 0.05, high_off = 0.08;
	double n = (double)count + 0.5;

	if (count < SMALL_COUNTS)
		return small_counts[count];
	return (struct interval){ .low = gamma_quantile(n, -Z) - low_off,
				  .high = gamma_quantile(n, Z) + high_off };
}

/* P(X < COUNT) and half of P(X = COUNT) of TOTAL trials; SLOPE: by the share. */
static double tail(double count, double total, double share, double *slope)
{
	double each = exp(total * log1p(-share)), sum = 0, before = 0;

	for (double k = 0; k < count; k++) {
		sum += each;
		before = each;
		each *= (total - k) / (k + 1) * share / (1 - share);
	}
	*slope = -(before * (total - count + 1) / (1 - share) +
		   each * (total - count) / (1 - share)) /
		 2;
	return sum + each / 2;
}

/* From the bound of a Poisson count on, by Newton's method. */
static double bound_of_few(double count, double total, double bound, double target)
{
	enum { ROUNDS = 8 };
	double share = fmin(2 * bound / (2 * total - count + 0.5 + bound), 0.9);

	for (int i = 0; i < ROUNDS && share > 0; i++) {
		double slope, off = tail(count, total, share, &slope) - target;
		double next = share - off / slope;

		share = next <= 0 ? share / 2 : next >= 1 ? (1 + share) / 2 : next;
	}
	return share * total;
}

static struct interval share_of_few(uint64_t count, uint64_t total)
{
	struct interval range = small_counts[count];
	double k = (double)count, n = (double)total;

	range.low = bound_of_few(k, n, range.low, 0.975);
	range.high = bound_of_few(k, n, range.high, 0.025);
	return range;
}

/*
 * A quantile of the beta distribution with COUNT + 1/2 and REST + 1/2, as a share, by
 * Paulson's approximation: Wilson and Hilferty's of both gamma distributions in it.
 */
static double beta_quantile(double count, double rest, double z)
{
	double a = 1 / (9 * (count + 0.5)), b = 1 / (9 * (rest + 0.5));
	double p = (1 - b) * (1 - b) - z * z * b, q = (1 - a) * (1 - b);
	double r = (1 - a) * (1 - a) - z * z * a;
	double root = (q + copysign(sqrt(q * q - p * r), z)) / p;
	double odds = root * root * root * b / a;

	return odds / (1 + odds);
}

static struct interval share_of_many(double count, double total)
{
	double rest = total - count, part = count / total;
	double low_off = 0.05 + 0.03 * part, high_off = 0.08 - 0.03 * part;

	return (struct interval){
		.low = total * beta_quantile(count, rest, -Z) - low_off,
		.high = total * beta_quantile(count, rest, Z) + high_off,
	};
}

/*
 * Behind a sample of the rest.  How much of the row no sample stands for is unknown: nothing
 * or all of what there is.  Between the two it is the mean of all samples.
 */
static double each_of_rest(const struct amounts *a)
{
	double rest = a->all_count - a->count;
	double mean = a->all_sampled / a->all_count;

	if (rest <= 0)
		return mean;
	return fmax((a->all_sampled - a->weight) / rest,
		    fmin((a->all_weight - a->weight) / rest, mean));
}

/* What is known to be, divided as if COUNT samples were the row's. */
static double amount_at(const struct amounts *a, double rest_each, double count)
{
	double own = count * a->each, rest = (a->all_count - count) * rest_each;
	double both = a->weight + (a->all_count - a->count) * rest_each;

	return own > 0 ? both * (own / (own + rest)) : 0;
}

struct interval amount_interval(struct interval samples, const struct amounts *amounts)
{
	double each;

	if (amounts->all_count <= 0)
		return (struct interval){ amounts->weight, amounts->weight };
	each = each_of_rest(amounts);
	/* rounding moves none past what is known */
	return (struct interval){
		.low = fmin(amount_at(amounts, each, samples.low), amounts->weight),
		.high = fmin(
			fmax(amount_at(amounts, each, samples.high), amounts->weight),
			amounts->all_weight),
	};
}

struct interval share_interval(uint64_t count, uint64_t total)
{
	struct interval rest;

	if (!total)
		return (struct interval){ 0, 0 };
	if (count > total)
		count = total;
	if (total - count < SMALL_COUNTS && count > total / 2) {
		rest = share_of_few(total - count, total);
		return (struct interval){ .low = (double)total - rest.high,
					  .high = (double)total - rest.low };
	}
	if (count < SMALL_COUNTS)
		return share_of_few(count, total);
	return share_of_many((double)count, (double)total);
}
