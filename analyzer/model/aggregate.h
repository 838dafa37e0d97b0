/* SPDX-License-Identifier: Apache-2.0 */
/* The one pass over an experiment's samples. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include <stdbool.h>

#include "experiment/read.h"
#include "model/filter_run.h"
#include "model/model.h"
#include "base/progress.h"
#include "model/totals.h"

/*
 * Sums the samples that FILTER admits; NULL: all.  PROGRESS may be NULL.
 * Overwrites OUT, which the caller releases.
 */
void totals_read(struct totals *out, struct experiment *exp,
		 const struct filter_run *filter, const struct division *division,
		 struct progress *progress);

/* A sample's own value; a wait counts without a stack too. */
struct value aggregate_value(const struct source *source, const bool *unsampled,
			     const struct exp_samples *s, size_t i);

/*
 * Adds a sample to ROW, which is by metric, and to the metrics made of its own.  UNSAMPLED
 * is that of unsampled_nodes.
 */
void aggregate_sample(struct value *row, const struct source *source,
		      const bool *unsampled, const struct exp_samples *s, size_t i);

#endif
