/* SPDX-License-Identifier: Apache-2.0 */
/* Samples in order of time, by thread and metric: for exports with timelines. */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/vec.h"

struct moment {
	uint64_t time_ns, weight; /* the weight is not scaled */
	uint32_t node;            /* of the experiment */
	uint32_t number : 31;     /* orders moments with the same time */
	uint32_t counted : 1;     /* as a sample of the metric, not only by its weight */
};

struct timeline {
	VEC(struct moment) moments;
};

/*
 * One source's: the timeline of thread T and metric M is lines[T × metrics + M].  A
 * thread with several names uses only its last row.
 */
struct moments {
	struct timeline *lines;
	size_t count;
};

/*
 * Reads the samples that the model's filter admits; FRAMES maps their stacks to
 * functions.  Overwrites OUT, which the caller releases.
 */
void moments_read(struct moments *out, const struct model *model, size_t source,
		  const struct frame_map *frames);
void moments_release(struct moments *moments);

#endif
