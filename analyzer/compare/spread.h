/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spread of runs of one program, learned from all rows of a table.
 *
 * Three runs show little of the spread of one function, so that only gross changes would
 * stand out; but all functions together show much.  A row's expected variance is a factor
 * times that of its number of samples, plus a share, common to all rows, of its amount.
 * The factor is below 1 if samples cover the program more evenly than by chance.  The fit
 * of the rows determines how many runs the expectation is worth (its degrees of freedom):
 * many if it is close, none if each row has a spread of its own.  The test weighs both
 * together (Student's, with a moderated variance).
 *
 * The machine's own work, such as interrupts, has heavy tails: it neither teaches nor
 * learns from other rows.  For a row with an improbable spread the expectation counts
 * less (as in robust empirical Bayes).
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

enum { SPREAD_SIDES = 2 };

/* The least credible factor: a few rows may have less by chance. */
#define SPREAD_FACTOR_LEAST 0.35

struct spread_row {
	double mean[SPREAD_SIDES];    /* of the runs of a side */
	double counted[SPREAD_SIDES]; /* variance of one run by its number of samples */
	double squares[SPREAD_SIDES]; /* of the runs' distances from the mean, summed */
	bool typical;                 /* has enough samples to learn from */
	bool machine;                 /* the machine's own work */
};

/* All-zero except RUNS, set first: at least three of both sides together. */
struct spread {
	size_t runs[SPREAD_SIDES];
	VEC(struct spread_row) rows;
	double factor;  /* of the samples' variance; 1 if share is not 0 */
	double share;   /* squared, of a mean: the spread of runs besides the samples' */
	double freedom; /* degrees of it that the expectation is worth */
};

void spread_release(struct spread *spread);

/* Once all rows were added. */
void spread_fit(struct spread *spread);

/* How often the means of ROW would differ that much if nothing had changed. */
double spread_p(const struct spread *spread, size_t row);

#endif
