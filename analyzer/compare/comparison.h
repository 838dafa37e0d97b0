/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two groups of runs, row by row, in one metric or ratio.  The rows are the
 * groups of any sums: functions, lines, nodes of the call tree…; counterparts.h matches
 * the two sides.  Amounts are means of a group's runs.
 *
 * With several runs a group, a difference is tested against their spread (spread.h): both
 * the amount and, since the machine's speed affects all rows alike, the amount relative
 * to the rest of the run or to the row's own spread.  With single runs, the numbers of
 * samples and their shares are tested (exact binomial tests).  Over all rows that could
 * differ the expected share of false alarms is 5 % (Benjamini and Hochberg); <Total> has
 * a test of its own.
 *
 * A ratio is the quotient of a side's two means, never a mean of quotients.  Its
 * logarithms are compared (Welch's test for several runs a side, else a normal one), with
 * the two parts assumed independent.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sums.h"
#include "model/metric.h"
#include "tables/metric_spec.h"
#include "model/model.h"
#include "compare/comparison_rows.h"
#include "base/vec.h"

#define COMPARISON_FALSE_ALARMS 0.05
#define COMPARISON_TOTAL_ALARMS 0.01

enum change { CHANGE_NOISE, CHANGE_MORE, CHANGE_LESS };

/* Stands for the row of <Total>. */
#define COMPARED_TOTAL UINT32_MAX

struct compared {
	uint32_t row; /* a group of the sums; COMPARED_TOTAL: <Total> */
	struct estimate sides[SIDES];
	bool absent[SIDES]; /* a ratio without a divisor, and without a delta */
	double delta;       /* other - base, in the metric's unit */
	double p, q;
	bool tested; /* enough samples to show a change */
	/* how often the machine's speed alone explains it; 0: no explanation needed */
	double unless;
	enum change change;
};

struct comparison {
	/* <Total> first, then the rows with any amount, the largest change first */
	VEC(struct compared) rows;
};

/*
 * ITEM is a value.  SUMS as for comparison_rows_init.  OUT is overwritten, and the caller
 * releases it.
 */
void comparison_build(struct comparison *out, const struct model *model,
		      const struct sums *sums, const struct metric_item *item);
void comparison_release(struct comparison *comparison);

#endif
