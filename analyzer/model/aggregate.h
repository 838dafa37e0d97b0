/* SPDX-License-Identifier: Apache-2.0 */
/* The one pass over an experiment's samples. */
#ifndef AGGREGATE_H
#define AGGREGATE_H

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

#endif
