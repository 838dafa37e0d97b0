/* SPDX-License-Identifier: Apache-2.0 */
/* The path down from the root that carries more than half of a metric, by function. */
#ifndef HEAVY_PATH_H
#define HEAVY_PATH_H

#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/vec.h"

struct heavy_path {
	VEC(uint32_t) ids; /* of the frame map, root first; empty: there is none */
	uint64_t weight;   /* of the samples through the whole path */
	uint64_t whole;    /* of all samples */
};

/* Overwrites OUT, which the caller releases. */
void heavy_path_find(struct heavy_path *out, const struct model *model,
		     const struct frame_map *frames, uint32_t metric);
void heavy_path_release(struct heavy_path *path);

#endif
