/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived metrics: quotients of two that were recorded, such as instructions per cycle.
 *
 * A ratio is never summed.  It is computed for a row from that row's two sums, whatever
 * the row is: a function, a line, a thread, one side of a comparison.  Where there is
 * nothing to divide by it has no value at all, which is another thing than 0.
 *
 * Which ratios there are is one table.  A part of a ratio is known by the names that it
 * has in ours and in other programs' recordings, and both parts must be of one level of
 * privilege: insts.u over cycles.u is IPC.u.
 */
#ifndef RATIO_H
#define RATIO_H

#include <stdbool.h>

#include "model/metric.h"
#include "model/model.h"
#include "base/strbuf.h"
#include "model/value.h"

/* What can be above or below the line. */
enum ratio_part {
	PART_INSTS,
	PART_CYCLES,
	PART_REF_CYCLES,
	PART_TIME, /* counts in seconds, whatever it was recorded in */
	PART_L1D_MISSES,
	PART_L1D_LOAD_MISSES,
	PART_L1D_LOADS,
	PART_L2_MISSES,
	PART_LLC_MISSES,
	PART_LLC_REFS,
	PART_DTLB_MISSES,
	PART_ITLB_MISSES,
	PART_BRANCHES,
	PART_BRANCH_MISSES,
	PART_STALLED_FE,
	PART_STALLED_BE,
	PARTS,
};

struct ratio_kind {
	const char *name, *label, *unit; /* unit: "", "GHz", "%" */
	enum ratio_part top, bottom;
	double factor;
	int digits; /* that a person sees behind the point */
};

/*
 * Fills MODEL's ratios: those whose parts both were recorded, in every experiment that
 * has one of them.  To be called whenever an experiment was added.
 */
void ratios_find(struct model *model);

/*
 * The ratio of two sums of one row.  False where the one below is 0, and OUT means
 * nothing.  Of OUT the percent is 0, samples are those of the part that has fewer.
 *
 * The interval is made of those of both parts as if they were independent and as if the
 * logarithm of each were spread like a normal one (the bounds' distances are added as
 * squares).  Parts that were sampled at the same instants, as in a group, are nearer to
 * one another than that; then it is too wide, never too narrow.
 */
bool ratio_estimate(const struct model *model, const struct ratio *ratio,
		    struct value top, struct value bottom, struct estimate *out);

/* The ratio of the two totals, in the same way. */
bool ratio_total(const struct model *model, const struct ratio *ratio,
		 struct estimate *out);

/* The same of two estimates whose units FACTOR makes those of the ratio. */
bool ratio_of_estimates(double factor, const struct estimate *top,
			const struct estimate *bottom, struct estimate *out);

/* What makes of the amounts of the parts the amount of the ratio. */
double ratio_factor(const struct model *model, const struct ratio *ratio);

/* "insts" over "cycles", as a recording could have them. */
const char *ratio_part_name(enum ratio_part part);

/*
 * Whether NAME is that of a ratio that could be, with a level or without; then ERR tells
 * what of it this recording lacks.
 */
bool ratio_explain(const struct model *model, const char *name, struct strbuf *err);

#endif
