/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether two measurements differ by more than chance.  All probabilities are two-sided:
 * how often at least such a difference occurs without a real one.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Two counts of samples: without a difference, the first would be SHARE of their sum.
 * Exact, by the binomial distribution.
 */
double p_of_counts(uint64_t first, uint64_t second, double share);

/* The mean of several runs, and the variance of that mean. */
struct mean {
	double mean, variance;
	size_t runs;
};

/* Welch's test: both variances from runs, and not assumed equal. */
double p_of_means(const struct mean *a, const struct mean *b);

/*
 * How often Student's t with FREEDOM degrees of freedom is that far from 0, either way.
 */
double p_of_student(double t, double freedom);

/* How often one variance is at least RATIO times another: F's upper tail. */
double p_of_variances(double ratio, double freedom, double other_freedom);

/*
 * The smallest share of false alarms at which each of COUNT tests would still be called
 * (Benjamini and Hochberg): Q[i] for P[i].
 */
void false_discovery(const double *p, size_t count, double *q);

/* How many standard deviations a mean of RUNS, at least 2, may be off at 95 %. */
double student_width(size_t runs);

#endif
