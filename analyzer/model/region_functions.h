/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by the branch of regions that they ran in: rows of `functions` below `group region`. */
#ifndef REGION_FUNCTIONS_H
#define REGION_FUNCTIONS_H

#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "model/frame_map.h"
#include "model/model.h"

struct region_function {
	uint32_t function; /* MODEL_NONE, of the first row: the regions themselves */
	uint32_t branch;   /* in the model's strings: names joined by a space */
};

struct region_functions {
	VEC(struct region_function) rows;
	struct idmap ids;     /* branch and function → row */
	struct frame_map map; /* whose groups are the rows */
};

/*
 * SHOWN are the functions of frames; stacks are below regions (region_stacks.h).
 * Overwrites OUT, which the caller releases.
 */
void region_functions_make(struct region_functions *out, struct model *model,
			   const struct frame_map *shown);
void region_functions_release(struct region_functions *functions);

#endif
