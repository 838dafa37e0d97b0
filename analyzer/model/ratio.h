/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derived metrics: quotients of two recorded ones, such as instructions per cycle.
 *
 * A ratio is never summed.  It is computed from a row's two sums, whatever the row is: a
 * function, a line, a thread, one side of a comparison.  Without a divisor it has no
 * value, which differs from 0.
 *
 * One table lists the ratios.  The names of a part in our and in other programs'
 * recordings identify it, and both parts must have the same level of privilege: insts.u
 * over cycles.u is IPC.u.
 */
#ifndef RATIO_H
#define RATIO_H

#include <stdbool.h>

#include "model/metric.h"
#include "model/model.h"
#include "base/strbuf.h"
#include "model/value.h"

/* The possible numerators and denominators. */
enum ratio_part {
	PART_INSTS,
	PART_CYCLES,
	PART_REF_CYCLES,
	PART_TIME, /* counts in seconds, whatever its recorded unit */
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
	int digits; /* displayed behind the point */
};

/*
 * The metric that is PART at LEVELS ("", "u" or "k"), by the best of its names; a TIME has
 * a rate.  MODEL_NONE: there is none.
 */
uint32_t ratio_metric(const struct model *model, enum ratio_part part,
		      const char *levels);

/*
 * Fills MODEL's ratios: those with both parts in every experiment that has one of them.
 * Call after adding an experiment.
 */
void ratios_find(struct model *model);

/*
 * The ratio of two sums of one row.  False if the divisor is 0, and OUT is undefined.
 * OUT's percent is 0, and its samples are those of the part with fewer.
 *
 * The interval combines those of both parts as if they were independent and their
 * logarithms normally distributed (the squares of the bounds' distances are added).
 * Parts sampled at the same instants, as in a group, vary together; then it is too wide,
 * never too narrow.
 */
bool ratio_estimate(const struct model *model, const struct ratio *ratio,
		    struct value top, struct value bottom, struct estimate *out);

/* The ratio of the two totals, in the same way. */
bool ratio_total(const struct model *model, const struct ratio *ratio,
		 struct estimate *out);

/* The same of two estimates; FACTOR converts their units to the ratio's. */
bool ratio_of_estimates(double factor, const struct estimate *top,
			const struct estimate *bottom, struct estimate *out);

/* The factor from the quotient of the parts' amounts to the ratio. */
double ratio_factor(const struct model *model, const struct ratio *ratio);

/*
 * Whether NAME is a possible ratio, with a level or without; then ERR says which part
 * this recording lacks.
 */
bool ratio_explain(const struct model *model, const char *name, struct strbuf *err);

#endif
