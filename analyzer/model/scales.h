/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters that were multiplexed differently.  Sums of weights are of one scale, so the
 * events of a metric get the scale of the first: the weights of the others' samples are
 * multiplied by the quotient when they are read.  Weights are whole numbers, and may be as
 * small as 1: the unit of such a metric is first divided into parts so small that rounding
 * does not matter.
 */
#ifndef SCALES_H
#define SCALES_H

#include "model/model.h"

/*
 * Before SOURCE is added, whose sums are known, without scales, and whose events have
 * metrics.  The sums are then of the metrics' scales, and so are the model's.
 */
void scales_unify(struct model *model, struct source *source);

/* The mean scale of what one group of the sources counted of METRIC. */
double scales_mean(const struct model *model, uint32_t metric, uint32_t group);

#endif
