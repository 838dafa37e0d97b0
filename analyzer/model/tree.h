/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All stacks of all sources as one tree of functions, with their values.
 *
 * A node is a function called from its parent's; node 0 is the root, <Total>, and no
 * function.  Parents come before their children.  Callers and callees and the call tree
 * are sums over these nodes: none uses samples, and each takes time in proportion to the
 * nodes alone.
 *
 * Values are by metric: that of metric M and node N is own[M × nodes + N].
 */
#ifndef TREE_H
#define TREE_H

#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "model/value.h"
#include "base/vec.h"

#define TREE_ROOT 0

struct tree_node {
	uint32_t parent, function;          /* of the root: 0, MODEL_NONE */
	uint32_t first_child, next_sibling; /* 0: none */
	uint32_t depth;                     /* of the root: 0 */
};

struct tree {
	VEC(struct tree_node) nodes;
	size_t metrics;
	struct value *own;   /* of the samples whose stack ends in the node */
	struct value *total; /* own, and that of all nodes below */
};

/*
 * FRAMES determines the nodes: functions, or lines or addresses instead.  Overwrites OUT,
 * which the caller releases.
 */
void tree_build(struct tree *out, const struct model *model,
		const struct frame_map *frames);
/*
 * The same, with separate values for each source: metric M of source S is S × metrics +
 * M.
 */
void tree_build_apart(struct tree *out, const struct model *model,
		      const struct frame_map *frames);
void tree_release(struct tree *tree);

static inline const struct value *tree_own(const struct tree *t, size_t metric)
{
	return t->own + metric * t->nodes.len;
}

static inline const struct value *tree_total(const struct tree *t, size_t metric)
{
	return t->total + metric * t->nodes.len;
}

#endif
