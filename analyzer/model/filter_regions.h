/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions for filters.  REGION and DOMAIN hold for a sample if a region around it matches.
 * INSTANCE and RANK are of one of these: the innermost whose own name or branch a REGION of the
 * filter matches; in a filter without REGION, the innermost.
 */
#ifndef FILTER_REGIONS_H
#define FILTER_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/read.h"
#include "filter/filter.h"
#include "model/open_regions.h"

struct filter_regions {
	const struct experiment *exp; /* borrowed */
	struct open_regions open;
	bool *unsampled; /* by stack */
	bool *meant;     /* by path: a REGION matches it; NULL: the filter has none */
	/* by instance, if the filter needs them */
	uint32_t *numbers; /* among those of its branch, in the order of begins, from 1 */
	int32_t *ranks;    /* parts of FILTER_SHARE; below 0: it did not end */
};

/* NULL: FILTER has no word of regions.  The caller frees it by the next. */
struct filter_regions *filter_regions_new(const struct filter *filter,
					  const struct experiment *exp);
void filter_regions_free(struct filter_regions *regions);

/* For OP_LABEL of REGION or DOMAIN: by path; 0 is none.  The caller frees it. */
uint8_t *filter_regions_labels(const struct filter_node *node,
			       const struct experiment *exp);

/*
 * Of sample I: its path; 0: it is in no region.  A count that no sample represents has no
 * time, and so no region.
 */
uint32_t filter_regions_path(const struct filter_regions *regions,
			     const struct exp_samples *samples, size_t i);

/* 0: it is in no such region. */
int64_t filter_regions_number(const struct filter_regions *regions,
			      const struct exp_samples *samples, size_t i);

/* Below 0: it is in no such region, or in one that did not end. */
int64_t filter_regions_rank(const struct filter_regions *regions,
			    const struct exp_samples *samples, size_t i);

#endif
