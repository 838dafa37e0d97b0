/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two groups of runs beside one another, function by function, in one metric or ratio.
 *
 * A function is the same on both sides by its name and the last part of its object's
 * path; programs that were the targets of their runs are taken for the same, however they
 * are called.  Amounts are means of a group's runs.
 *
 * What differs beyond noise: by the numbers of samples (exact binomial test), and where a
 * group has several runs, also by how runs spread (spread.h; Welch's test for <Total>).
 * Over all functions the expected share of false alarms is 5 % (Benjamini and Hochberg).
 *
 * A ratio is the quotient of a side's two means, never a mean of quotients, and its
 * logarithms are compared (Welch's test of several runs a side, else a normal one), the
 * parts taken for independent.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "model/analysis.h"
#include "model/metric.h"
#include "model/metric_spec.h"
#include "model/model.h"
#include "compare/sides.h"
#include "base/vec.h"

#define COMPARISON_FALSE_ALARMS 0.05

enum change { CHANGE_NOISE, CHANGE_MORE, CHANGE_LESS };

struct compared {
	uint32_t function; /* that stands for it; MODEL_NONE: <Total> */
	struct estimate sides[SIDES];
	bool absent[SIDES]; /* a ratio of nothing, which has no delta either */
	double delta;       /* other - base, in the metric's unit */
	double p, q;
	enum change change;
};

struct comparison {
	VEC(struct compared) rows; /* <Total> first, then the largest change first */
};

/*
 * ITEM is a value.  ANALYSIS: of sources apart.  Sources are of group 0 or 1.  OUT is
 * overwritten, and the caller's to release.
 */
void comparison_build(struct comparison *out, const struct model *model,
		      const struct analysis *analysis, const struct metric_item *item);
void comparison_release(struct comparison *comparison);

#endif
