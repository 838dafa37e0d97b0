/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a source that the model's filter admits, one after another. */
#ifndef SAMPLE_WALK_H
#define SAMPLE_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "experiment/read.h"
#include "model/filter_run.h"
#include "model/frame_map.h"
#include "model/model.h"

struct sample_walk {
	struct exp_samples block; /* with this sample at … */
	size_t at;
	struct experiment *exp;
	struct exp_walk blocks;
	struct filter_run filter;
	bool filtered;
};

/*
 * Before the first sample of SOURCE.  FRAMES maps stacks to functions.  Overwrites WALK,
 * which the caller releases before MODEL changes.
 */
void sample_walk_init(struct sample_walk *walk, const struct model *model, size_t source,
		      const struct frame_map *frames);

/* For the next alone: the first from this one on. */
bool sample_walk_find(struct sample_walk *walk);

/* To the next one, over damaged blocks.  False: there are no more. */
static inline bool sample_walk_next(struct sample_walk *walk)
{
	return (++walk->at < walk->block.count && !walk->filtered) ||
	       sample_walk_find(walk);
}
void sample_walk_release(struct sample_walk *walk);

#endif
