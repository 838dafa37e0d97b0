/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One metric on two sides, each a group of runs, function by function: what comparison.h
 * compares.
 *
 * A row is all functions that are the same by name and object, and the last one <Total>.
 * It has a value of each source, and of each side their mean with its variance: what runs
 * differ by, but no less than what the number of samples makes uncertain.  A side without
 * any samples is taken to count like the other.
 */
#ifndef SIDES_H
#define SIDES_H

#include <stddef.h>
#include <stdint.h>

#include "model/analysis.h"
#include "model/metric.h"
#include "model/model.h"
#include "compare/significance.h"
#include "compare/spread.h"
#include "model/value.h"
#include "base/vec.h"

enum { SIDE_BASE, SIDE_OTHER, SIDES };

struct sides {
	const struct model *model; /* borrowed */
	uint32_t metric;
	size_t sources;
	size_t runs[SIDES];
	double *scale;            /* by source: a weight's amount in the metric's unit */
	double each[SIDES];       /* what a sample of the side stands for, in that unit */
	double whole[SIDES];      /* the mean amount of all */
	VEC(uint32_t) function;   /* by row; MODEL_NONE: <Total> */
	VEC(struct value) values; /* [row × sources + source] */
	struct spread spread;     /* of all rows but <Total>; no rows: not known */
};

/*
 * The sums of METRIC in ANALYSIS, which is of sources apart, of group 0 or 1.  Overwrites
 * SIDES, which is the caller's to release; gives the row of <Total>, the last one.
 */
size_t sides_init(struct sides *sides, const struct model *model,
		  const struct analysis *analysis, enum flavor flavor, uint32_t metric);
void sides_release(struct sides *sides);

/* A row's mean on one side, with the variance of that mean; SAMPLES is set, too. */
struct mean sides_mean(const struct sides *sides, size_t row, size_t side,
		       uint64_t *samples);

/* The same as a person sees it: with its interval, and its percent of the whole. */
struct estimate sides_estimate(const struct sides *sides, size_t side,
			       const struct mean *mean, uint64_t samples);

#endif
