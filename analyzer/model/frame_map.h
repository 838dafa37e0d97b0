/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the frames of an experiment are in a tree: one group each, a function, a line of
 * source or an address, or several where functions were inlined into one another.
 *
 * Frame F of source S is sources[S].ids[first[F]] up to but not including first[F + 1],
 * the outermost first; at least one.
 */
#ifndef FRAME_MAP_H
#define FRAME_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "base/vec.h"

struct frame_ids {
	VEC(uint32_t) first; /* one more than frames */
	VEC(uint32_t) ids;
};

struct frame_map {
	struct frame_ids *sources;
	size_t source_count;
	size_t groups;  /* ids are below */
	bool *folds;    /* by id: what it calls of itself is one with it; NULL: none */
	uint32_t empty; /* of samples without any stack */
};

/* Each frame is its function.  Overwrites OUT, which is the caller's to release. */
void frame_map_functions(struct frame_map *out, struct model *model);

/* For those who make others: sources without frames yet, EMPTY and groups still 0. */
void frame_map_init(struct frame_map *map, const struct model *model);
void frame_map_release(struct frame_map *map);

/* The next frame begins; its ids are pushed then. */
static inline void frame_ids_begin(struct frame_ids *frames)
{
	*vec_push(&frames->first) = (uint32_t)frames->ids.len;
}

/* The function that stands for samples without any stack. */
uint32_t frame_map_no_stack(struct model *model);

#endif
