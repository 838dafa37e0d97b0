/* SPDX-License-Identifier: Apache-2.0 */
/* The way down from the root that more than half of a metric takes, function by function. */
#ifndef HEAVY_PATH_H
#define HEAVY_PATH_H

#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/vec.h"

struct heavy_path {
	VEC(uint32_t) ids; /* of the frame map, root first; empty: there is no such way */
	uint64_t weight;   /* of the samples that go all this way */
	uint64_t whole;    /* of all samples */
};

/* Overwrites OUT, which is the caller's to release. */
void heavy_path_find(struct heavy_path *out, const struct model *model,
		     const struct frame_map *frames, uint32_t metric);
void heavy_path_release(struct heavy_path *path);

#endif
