/* SPDX-License-Identifier: Apache-2.0 */
/* Compares significance tests with sums by definition, and with printed tables. */
#include "compare/significance.h"

#include <math.h>

#include "tap.h"

/* P(X = K) in N trials of probability SHARE. */
static double binomial(uint64_t k, uint64_t n, double share)
{
	return exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
		   lgamma((double)(n - k) + 1) + (double)k * log(share) +
		   (double)(n - k) * log1p(-share));
}

static double by_definition(uint64_t first, uint64_t second, double share)
{
	double at_most = 0, at_least = 0, p;

	for (uint64_t k = 0; k <= first + second; k++) {
		at_most += k <= first ? binomial(k, first + second, share) : 0;
		at_least += k >= first ? binomial(k, first + second, share) : 0;
	}
	p = 2 * (at_most < at_least ? at_most : at_least);
	return p < 1 ? p : 1;
}

static bool near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fabs(b);
}

static void check_counts(void)
{
	static const struct {
		uint64_t first, second;
		double share;
	} cases[] = { { 0, 0, 0.5 },      { 0, 1, 0.5 },       { 0, 8, 0.5 },
		      { 5, 5, 0.5 },      { 3, 17, 0.5 },      { 100, 130, 0.5 },
		      { 1000, 1300, .5 }, { 20, 18, 0.25 },    { 7, 40, 0.75 },
		      { 5000, 5200, .5 }, { 90000, 91000, .5 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double p = p_of_counts(cases[i].first, cases[i].second, cases[i].share);
		double want = by_definition(cases[i].first, cases[i].second,
					    cases[i].share);

		ok(near(p, want, 1e-6), "%llu and %llu by %.2f: %g",
		   (unsigned long long)cases[i].first,
		   (unsigned long long)cases[i].second, cases[i].share, p);
	}
}

/* Groups of RUNS runs whose means are T standard errors apart. */
static double welch(double t, double variance_a, double variance_b, size_t runs)
{
	struct mean a = { 10, variance_a, runs };
	struct mean b = { 10 + t * sqrt(variance_a + variance_b), variance_b, runs };

	return p_of_means(&a, &b);
}

static void check_means(void)
{
	ok(near(welch(2.228139, 1, 1, 6), 0.05, 1e-4), "ten degrees of freedom");
	ok(near(welch(4.302653, 1, 1, 2), 0.05, 1e-4), "two degrees");
	ok(near(welch(3.182446, 1, 0, 4), 0.05, 1e-4), "three: only one side varies");
	ok(near(welch(0, 1, 1, 3), 1, 1e-9), "no difference");
	ok(welch(1000, 1, 1, 3) < 1e-9, "a large difference");
	ok(near(student_width(2), 12.7062, 1e-4), "the width of two runs");
	ok(near(student_width(3), 4.30265, 1e-4), "of three");
	ok(near(student_width(11), 2.22814, 1e-4), "of eleven");
}

/* 5 % points of F from tables. */
static void check_variances(void)
{
	ok(near(p_of_variances(3.3258, 5, 10), 0.05, 1e-3), "F of 5 and 10");
	ok(near(p_of_variances(19.000, 2, 2), 0.05, 1e-3), "of 2 and 2");
	ok(near(p_of_variances(2.0323, 8, 100), 0.05, 1e-2), "of 8 and 100");
	ok(p_of_variances(0, 4, 4) > 0.999, "no variance is less than any");
}

static void check_false_discovery(void)
{
	static const double p[] = { 0.04, 0.001, 0.5, 0.03, 0.03 };
	static const double want[] = { 0.05, 0.005, 0.5, 0.05, 0.05 };
	double q[5] = { -1, -1, -1, -1, -1 };

	false_discovery(p, 5, q);
	for (int i = 0; i < 5; i++)
		ok(near(q[i], want[i], 1e-9), "q of %g is %g", p[i], q[i]);
	false_discovery(p, 0, q);
	ok(q[0] >= 0.05 - 1e-9, "without tests nothing changes");
}

int main(void)
{
	check_counts();
	check_means();
	check_variances();
	check_false_discovery();
	return done_testing();
}
