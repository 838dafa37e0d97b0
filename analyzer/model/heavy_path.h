/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path down from the root with more than half of a metric, and where it branches.
 *
 * All stacks begin with the same functions, which say nothing about a program: the path
 * begins with the last of those.
 */
#ifndef HEAVY_PATH_H
#define HEAVY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tree.h"
#include "base/vec.h"

struct heavy_node {
	uint32_t node;
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

/* TREE is best a folded one (tree_fold.h).  Overwrites OUT, which the caller releases. */
void heavy_path_find(struct heavy_path *out, const struct tree *tree, uint32_t metric);
void heavy_path_release(struct heavy_path *path);

#endif
