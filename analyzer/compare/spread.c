/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/spread.h"

#include <math.h>

#include "compare/significance.h"

void spread_release(struct spread *spread)
{
	vec_release(&spread->rows);
}

/* Degrees of freedom of a single row. */
static double row_freedom(const struct spread *spread)
{
	return (double)(spread->runs[0] + spread->runs[1] - SPREAD_SIDES);
}

static double expected(const struct spread_row *row, size_t side, double share)
{
	return row->counted[side] + share * row->mean[side] * row->mean[side];
}

/* Its variance over the expected one: 1 in the mean of all rows that keep to SHARE. */
static double row_ratio(const struct spread *spread, const struct spread_row *row,
			double share)
{
	double sum = 0;

	for (size_t side = 0; side < SPREAD_SIDES; side++)
		sum += row->squares[side] / expected(row, side, share);
	return sum / row_freedom(spread);
}

/* The typical rows' mean of that, and how they vary around it. */
static void sum_ratios(const struct spread *spread, double share, size_t *count,
		       double *mean, double *variance)
{
	double sum = 0, squares = 0;

	*count = 0;
	vec_for_each(const struct spread_row, row, &spread->rows) {
		double ratio;

		if (!row->typical)
			continue;
		ratio = row_ratio(spread, row, share);
		sum += ratio;
		squares += ratio * ratio;
		++*count;
	}
	*mean = *count ? sum / (double)*count : 0;
	*variance = *count > 1 ? (squares - sum * *mean) / (double)(*count - 1) : 0;
}

/* The share that makes the mean of all ratios 1; 0 where it is less without any. */
static double fit_share(const struct spread *spread)
{
	double low = 0, high = 1, mean, variance;
	size_t count;

	sum_ratios(spread, 0, &count, &mean, &variance);
	for (int i = 0; i < 60 && mean > 1; i++) {
		double middle = (low + high) / 2, here;

		sum_ratios(spread, middle, &count, &here, &variance);
		if (here > 1)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * If the rows' true variances vary as those of FREEDOM degrees do, their ratios are as F
 * is distributed, whose variance is 2 (d + FREEDOM - 2) / (d (FREEDOM - 4)) for a mean of
 * 1; solved for FREEDOM.  All rows together cannot be worth more than they have.
 */
static double fit_freedom(const struct spread *spread)
{
	enum { ROWS_LEAST = 4 };
	double d = row_freedom(spread), mean, variance, most, over;
	size_t count;

	sum_ratios(spread, spread->share, &count, &mean, &variance);
	if (count < ROWS_LEAST)
		return 0;
	most = d * (double)(count - 1);
	over = d * variance - 2;
	if (over <= 0)
		return most;
	return fmin(most, (2 * (d - 2) + 4 * d * variance) / over);
}

void spread_fit(struct spread *spread)
{
	spread->share = fit_share(spread);
	spread->freedom = fit_freedom(spread);
}

double spread_p(const struct spread *spread, size_t index)
{
	const struct spread_row *row = &spread->rows.data[index];
	double own = row_freedom(spread), all = spread->freedom + own;
	double ratio = (spread->freedom + own * row_ratio(spread, row, spread->share)) /
		       all;
	double variance = 0;

	for (size_t side = 0; side < SPREAD_SIDES; side++)
		variance += ratio * expected(row, side, spread->share) /
			    (double)spread->runs[side];
	if (variance <= 0)
		return row->mean[0] == row->mean[1] ? 1 : 0;
	return p_of_student((row->mean[1] - row->mean[0]) / sqrt(variance), all);
}
