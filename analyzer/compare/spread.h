/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much runs of one program differ from one another, learned from all rows of a table.
 *
 * Three runs say little of the spread of one function, so that only the grossest change
 * would stand out; but all functions together say much.  A row's variance is expected to
 * be that of its number of samples and a share, common to all rows, of its own amount.
 * How well the rows keep to this says how many runs the expectation is worth (its degrees
 * of freedom): many where they do, none where each function has a spread of its own.
 * Both are weighed together in the test (Student's, with a moderated variance).
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

enum { SPREAD_SIDES = 2 };

struct spread_row {
	double mean[SPREAD_SIDES];    /* of the runs of a side */
	double counted[SPREAD_SIDES]; /* variance of one run by its number of samples */
	double squares[SPREAD_SIDES]; /* of the runs' distances from the mean, summed */
	bool typical;                 /* has enough samples to learn from */
};

/* All-zero but for RUNS, which are set first: at least three of both sides together. */
struct spread {
	size_t runs[SPREAD_SIDES];
	VEC(struct spread_row) rows;
	double share;   /* squared: of a mean, what runs differ by besides the samples */
	double freedom; /* degrees of it that the expectation is worth */
};

void spread_release(struct spread *spread);

/* Once all rows were added. */
void spread_fit(struct spread *spread);

/* How often the means of ROW would differ that much if nothing had changed. */
double spread_p(const struct spread *spread, size_t row);

#endif
