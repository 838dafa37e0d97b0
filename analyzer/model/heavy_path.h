/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path down from the root with more than half of a metric, recursion folded
 * (tree_fold.h), and where it branches.
 *
 * All stacks begin with the same functions, which say nothing about a program: the path
 * begins with the last of those.
 */
#ifndef HEAVY_PATH_H
#define HEAVY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "base/vec.h"

/* A part's id: the last one of the path itself. */
#define HEAVY_ITSELF UINT32_MAX

struct heavy_node {
	uint32_t id; /* of the frame map */
	uint64_t weight;
};

struct heavy_path {
	VEC(struct heavy_node) nodes; /* callers first; empty: there is none */
	bool has_trunk; /* callers common to almost all stacks are left out */
	/*
	 * the largest parts of the last node's weight: its callees, and itself; empty: it
	 * does not branch
	 */
	VEC(struct heavy_node) parts;
	uint64_t whole; /* of all samples */
};

/*
 * A descent in all experiments at once, without a tree of their stacks.  Folds no rounds
 * longer than PERIOD.  Overwrites OUT, which the caller releases.
 */
void heavy_path_find(struct heavy_path *out, const struct model *model,
		     const struct frame_map *frames, uint32_t metric, unsigned period);
void heavy_path_release(struct heavy_path *path);

#endif
