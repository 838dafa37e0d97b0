/* SPDX-License-Identifier: Apache-2.0 */
/* The one pass over an experiment's samples. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

#include <stdbool.h>

#include "experiment/read.h"
#include "model/filter_run.h"
#include "base/progress.h"
#include "model/totals.h"

/*
 * Sums the samples that FILTER admits; NULL: all.  PROGRESS may be NULL.  Overwrites OUT,
 * which the caller releases.
 */
void totals_read(struct totals *out, struct experiment *exp,
		 const struct filter_run *filter, struct progress *progress);

/* By node: whether a row there is an unsampled count, no sample.  The caller frees it. */
bool *aggregate_unsampled(const struct experiment *exp);

#endif
