/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the sums of groups are spread over ranks, such as those of an MPI job.
 *
 * A rank is one experiment, or all that share a label `rank`.  The sums of one rank are
 * kept at a time, so memory does not grow with their number.
 */
#ifndef RANK_SUMS_H
#define RANK_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/frame_map.h"
#include "model/metric.h"
#include "model/model.h"
#include "model/value.h"

struct rank_value {
	struct value sum, least, most;
	uint32_t most_of; /* the first rank with MOST */
};

struct rank_sums {
	size_t groups;     /* the row of <Total> is behind the last one */
	VEC(char *) ranks; /* their names: the label, or the experiment's number */
	uint32_t *counted; /* by metric: the ranks that counted it */
	struct rank_value
		*of[FLAVORS]; /* [metric × (groups + 1) + group]; NULL: attributed */
};

/* The groups are the ids of FRAMES.  Overwrites OUT, which the caller releases. */
void rank_sums_build(struct rank_sums *out, const struct model *model,
		     const struct frame_map *frames);
void rank_sums_release(struct rank_sums *sums);

static inline const struct rank_value *rank_sums_of(const struct rank_sums *sums,
						    enum flavor flavor, uint32_t metric,
						    size_t group)
{
	return &sums->of[flavor][metric * (sums->groups + 1) + group];
}

#endif
