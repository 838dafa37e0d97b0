/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One metric on two sides, each a group of runs, row by row: the input of comparison.h.
 *
 * A row is a group of some sums; the last one is <Total>.  It has a value for each
 * source, and for each side their mean and its variance: the spread of the runs, but at
 * least the uncertainty from the number of samples.  A side without samples counts like
 * the other.
 */
#ifndef COMPARISON_ROWS_H
#define COMPARISON_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sums.h"
#include "model/metric.h"
#include "model/model.h"
#include "compare/significance.h"
#include "compare/spread.h"
#include "model/value.h"
#include "base/vec.h"

enum { SIDE_BASE, SIDE_OTHER, SIDES };

/* All that was recorded of the metric on a side, regardless of filters; weights unscaled. */
struct recorded {
	uint64_t samples;
	double weight, sampled; /* SAMPLED: without <Unsampled> */
};

struct comparison_rows {
	const struct model *model; /* borrowed */
	uint32_t metric;
	size_t sources;
	size_t runs[SIDES];
	double scale; /* converts a weight to the metric's unit */
	/* the amount per sample of the side, in that unit, without <Unsampled> */
	double each[SIDES];
	bool *waits; /* by row of a sum: it has more than samples, see metric_sum.h */
	double whole[SIDES]; /* the mean total of a run */
	struct recorded recorded[SIDES];
	uint64_t admitted[SIDES]; /* those that the filter admits */
	size_t total;             /* the row of <Total>, the last one */
	VEC(struct value) values; /* [row × sources + source] */
	const bool *machine;      /* of the sums, borrowed; NULL: no row is */
	struct spread spread;     /* of all rows except <Total>; no rows: unknown */
	struct spread relative;   /* the same, of amounts relative to the other rows */
};

/*
 * The rows are the groups of SUMS, whose metrics are separate for each source (see
 * tree_build_apart); sources belong to group 0 or 1.  Overwrites SIDES, which the caller
 * releases.
 */
void comparison_rows_init(struct comparison_rows *sides, const struct model *model,
			  const struct sums *sums, enum flavor flavor, uint32_t metric);
void comparison_rows_release(struct comparison_rows *sides);

/* A row's mean on one side, with the variance of that mean.  Sets SAMPLES too. */
struct mean comparison_rows_mean(const struct comparison_rows *sides, size_t row,
				 size_t side, uint64_t *samples);

/*
 * A row's amount per sample on one side.  A row of a thread or object, and <Total>, also have
 * the counts that no sample stands for, more or less of them on one side than on the other; a
 * row of a function has none.  Without samples, and of sums, which have exact parts: the side's.
 */
double comparison_rows_each(const struct comparison_rows *sides, size_t row, size_t side);

/* Whether a side has several runs, so that their spread is known. */
bool comparison_rows_have_spread(const struct comparison_rows *sides);

/*
 * Whether both single runs consist almost entirely of the row, so that its difference is
 * the total's; or one of several runs does, which leaves no rest to compare with.
 */
bool comparison_rows_nearly_all(const struct comparison_rows *sides, size_t row);

/*
 * How often the row's means would differ that much, given the spread of its own runs
 * (Student's test, with the same variance on both sides).  Requires comparison_rows_have_spread.
 */
double comparison_rows_p_of_own(const struct comparison_rows *sides, size_t row);

/* The same for display: with its interval, and as a percentage of the whole. */
struct estimate comparison_rows_estimate(const struct comparison_rows *sides, size_t side,
					 const struct mean *mean, uint64_t samples);

#endif
