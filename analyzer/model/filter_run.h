/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies a filter to one source.  Parts that depend only on the stack are decided
 * before, once for each stack node; the rest is evaluated for each sample.
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
	/* by node of the filter; NULL: evaluated each time */
	uint8_t **truths; /* by stack node */
	uint8_t **labels; /* by thread, event or string */
};

/* Overwrites OUT, which the caller releases before MODEL changes. */
void filter_run_init(struct filter_run *out, const struct filter *filter,
		     const struct model *model, uint32_t source,
		     const struct frame_map *frames);
void filter_run_release(struct filter_run *run);

/* Of an expression; samples come in order. */
int64_t filter_value(const struct filter_run *run, const struct exp_samples *samples,
		     size_t index);

/* Whether that is not 0. */
bool filter_admits(const struct filter_run *run, const struct exp_samples *samples,
		   size_t index);

#endif
