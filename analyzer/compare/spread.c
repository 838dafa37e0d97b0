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

static bool teaches(const struct spread_row *row)
{
	return row->typical && !row->machine;
}

/* The mean of that over the rows to learn from, and its variation. */
static void sum_ratios(const struct spread *spread, double share, size_t *count,
		       double *mean, double *variance)
{
	double sum = 0, squares = 0;

	*count = 0;
	vec_for_each(const struct spread_row, row, &spread->rows) {
		double ratio;

		if (!teaches(row))
			continue;
		ratio = row_ratio(spread, row, share);
		sum += ratio;
		squares += ratio * ratio;
		++*count;
	}
	*mean = *count ? sum / (double)*count : 0;
	*variance = *count > 1 ? (squares - sum * *mean) / (double)(*count - 1) : 0;
}

/* The share that makes the mean of all ratios 1; 0 if it is less without any. */
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
static double fit_freedom(double d, size_t count, double mean, double variance)
{
	double most = d * (double)(count - 1), scaled, over;

	scaled = mean > 0 ? variance / (mean * mean) : 0;
	over = d * scaled - 2;
	if (over <= 0)
		return most;
	return fmax(0, fmin(most, (2 * (d - 2) + 4 * d * scaled) / over));
}

void spread_fit(struct spread *spread)
{
	enum { ROWS_LEAST = 4 };
	double mean, variance;
	size_t count;

	spread->share = fit_share(spread);
	sum_ratios(spread, spread->share, &count, &mean, &variance);
	spread->factor = 1;
	spread->freedom = 0;
	if (count < ROWS_LEAST)
		return;
	spread->factor = fmin(1, fmax(SPREAD_FACTOR_LEAST, mean));
	spread->freedom = fit_freedom(row_freedom(spread), count, mean, variance);
}

/*
 * How many degrees the expectation is worth for a row with that RATIO to it: all, except
 * for the one row in ten with the largest ratios, where an unlikely ratio leaves fewer.
 */
static double freedom_of(const struct spread *spread, const struct spread_row *row,
			 double ratio)
{
	const double usual = 0.1;
	double tail;

	if (row->machine || spread->freedom <= 0)
		return 0;
	tail = p_of_variances(ratio, row_freedom(spread), spread->freedom);
	return spread->freedom * fmin(1, tail / usual);
}

double spread_p(const struct spread *spread, size_t index)
{
	const struct spread_row *row = &spread->rows.data[index];
	double factor = teaches(row) ? spread->factor : 1;
	double own = row_freedom(spread), here = row_ratio(spread, row, spread->share);
	double freedom = freedom_of(spread, row, here / factor), all = freedom + own;
	double ratio = (freedom * factor + own * here) / all;
	double variance = 0;

	if (!teaches(row)) /* few samples are that even just by chance */
		ratio = fmax(ratio, 1);
	for (size_t side = 0; side < SPREAD_SIDES; side++)
		variance += ratio * expected(row, side, spread->share) /
			    (double)spread->runs[side];
	if (variance <= 0)
		return row->mean[0] == row->mean[1] ? 1 : 0;
	return p_of_student((row->mean[1] - row->mean[0]) / sqrt(variance), all);
}
