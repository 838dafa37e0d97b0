/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups of an experiment's frames in a tree: one each, a function, a source line or
 * an address, or several if functions were inlined.
 *
 * Frame F of source S is sources[S].ids[first[F]] up to but not including first[F + 1],
 * the outermost first; at least one.  A node's frame is that of the experiment, unless
 * of_node has another, so ask frame_of_node.
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
	uint32_t *of_node; /* NULL: each node has its own frame */
};

struct frame_map {
	struct frame_ids *sources;
	size_t source_count;
	size_t groups;  /* ids are below */
	bool *folds;    /* by id: calls to itself are one with it; NULL: none */
	uint32_t empty; /* for samples without a stack */
};

/* Each frame is its function.  Overwrites OUT, which the caller releases. */
void frame_map_functions(struct frame_map *out, struct model *model);

/* For building others: sources without frames yet, EMPTY and groups still 0. */
void frame_map_init(struct frame_map *map, const struct model *model);
void frame_map_release(struct frame_map *map);

/* Begins the next frame, before its ids are pushed. */
static inline void frame_ids_begin(struct frame_ids *frames)
{
	*vec_push(&frames->first) = (uint32_t)frames->ids.len;
}

/* Of node N, one of the experiment's NODES. */
static inline uint32_t frame_of_node(const struct frame_ids *frames,
				     const struct exp_node *nodes, size_t n)
{
	return frames->of_node ? frames->of_node[n] : nodes[n].frame;
}

/*
 * Merges the nodes of EXP that are in the same object as their callers with the outermost
 * of these, by OBJECT: that of each id, or 0 to leave it as it is.  All ids of a frame have
 * the same object.
 */
void frame_ids_merge_calls(struct frame_ids *frames, const struct experiment *exp,
			   const uint32_t *object);

/* The function of samples without a stack. */
uint32_t frame_map_no_stack(struct model *model);

#endif
