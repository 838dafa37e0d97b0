/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter at work on one source.  What depends on the stack alone is decided once a
 * stack node, before; of what is left, each sample is asked.
 */
#ifndef FILTER_RUN_H
#define FILTER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "experiment/read.h"
#include "filter/filter.h"
#include "model/filter_words.h"

struct frame_map;
struct model;

struct filter_run {
	const struct filter *filter; /* borrowed */
	struct filter_source from;
	/* by node of the filter; NULL: it is worked out each time */
	uint8_t **truths; /* by stack node */
	uint8_t **labels; /* by thread, event or string */
};

/* Overwrites OUT, which is the caller's to release before MODEL changes. */
void filter_run_init(struct filter_run *out, const struct filter *filter,
		     const struct model *model, uint32_t source,
		     const struct frame_map *frames);
void filter_run_release(struct filter_run *run);

/* Samples are asked about in their order. */
bool filter_admits(const struct filter_run *run, const struct exp_samples *samples,
		   size_t index);

#endif
