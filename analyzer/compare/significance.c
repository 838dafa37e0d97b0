/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* ---- the incomplete beta function, on which all of this rests ---- */

/* Its continued fraction by Lentz's method; converges where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	enum { ROUNDS_MAX = 100000 };
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < ROUNDS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + even / (fabs(c) < tiny ? tiny : c);
		f *= c * d;
		d = 1 + odd * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + odd / (fabs(c) < tiny ? tiny : c);
		f *= c * d;
		if (fabs(c * d - 1) < 1e-13)
			break;
	}
	return f;
}

/* Regularized: from 0 at X = 0 to 1 at X = 1. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* ---- tests ---- */

double p_of_counts(uint64_t first, uint64_t second, double share)
{
	double a = (double)first, b = (double)second, at_most, at_least, p;

	at_most = second ? beta(b, a + 1, 1 - share) : 1;
	at_least = first ? beta(a, b + 1, share) : 1;
	p = 2 * (at_most < at_least ? at_most : at_least);
	return p < 1 ? p : 1;
}

double p_of_student(double t, double freedom)
{
	return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double p_of_variances(double ratio, double freedom, double other_freedom)
{
	double part = other_freedom / (other_freedom + freedom * ratio);

	return beta(other_freedom / 2, freedom / 2, part);
}

double p_of_means(const struct mean *a, const struct mean *b)
{
	double variance = a->variance + b->variance, freedom;

	if (variance <= 0)
		return a->mean == b->mean ? 1 : 0;
	freedom = variance * variance /
		  (a->variance * a->variance / (double)(a->runs - 1) +
		   b->variance * b->variance / (double)(b->runs - 1));
	return p_of_student((a->mean - b->mean) / sqrt(variance), freedom);
}

double student_width(size_t runs)
{
	double low = 0, high = 13; /* 12.7 for two runs */

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (p_of_student(middle, (double)(runs - 1)) > 0.05)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* ---- many tests at once ---- */

struct ranked_p {
	double p;
	size_t index;
};

static int by_p(const void *va, const void *vb)
{
	const struct ranked_p *a = va, *b = vb;

	if (a->p != b->p)
		return a->p < b->p ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

void false_discovery(const double *p, size_t count, double *q)
{
	struct ranked_p *ranked = xcalloc(count + 1, sizeof(*ranked));
	double least = 1;

	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked_p){ p[i], i };
	qsort(ranked, count, sizeof(*ranked), by_p);
	for (size_t i = count; i; i--) {
		double here = ranked[i - 1].p * (double)count / (double)i;

		least = here < least ? here : least;
		q[ranked[i - 1].index] = least;
	}
	free(ranked);
}
