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

#include <stdbool.h>
#include <stdint.h>

#include "model/frame_map.h"
#include "model/model.h"
#include "model/value.h"
#include "base/vec.h"

struct idmap;

#define TREE_ROOT 0

struct tree_node {
	uint32_t parent, function;          /* of the root: 0, MODEL_NONE */
	uint32_t first_child, next_sibling; /* 0: none */
	uint32_t depth;                     /* of the root: 0 */
};

/* The recursion that a node stands for (tree_fold.h); all-zero: no stack was seen. */
struct tree_repeat {
	uint32_t frames; /* the most of one stack that are one with the node */
	uint32_t cycle;  /* it ends a cycle with as many functions; 0: none of several */
};

struct tree {
	VEC(struct tree_node) nodes;
	size_t metrics;
	struct tree_repeat *repeats; /* by node; NULL: nothing is folded */
	struct value *own;           /* of the samples whose stack ends in the node */
	struct value *total;         /* own, and that of all nodes below */
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
/*
 * The same as tree_build, and by source the tree's node of each node of its experiment:
 * where that stack ends.  The caller frees the result by tree_free_leaves.
 */
uint32_t **tree_build_leaves(struct tree *out, const struct model *model,
			     const struct frame_map *frames);
void tree_free_leaves(uint32_t **leaves, const struct model *model);
void tree_release(struct tree *tree);

static inline const struct value *tree_own(const struct tree *t, size_t metric)
{
	return t->own + metric * t->nodes.len;
}

static inline const struct value *tree_total(const struct tree *t, size_t metric)
{
	return t->total + metric * t->nodes.len;
}

/* Whether samples of any metric end in a node. */
static inline bool tree_has_own(const struct tree *t, size_t node)
{
	for (size_t m = 0; m < t->metrics; m++)
		if (value_is_any(tree_own(t, m)[node]))
			return true;
	return false;
}

/* ---- making a tree of another one ---- */

/* Only a root.  The caller releases it. */
void tree_init(struct tree *out);

/*
 * Maps the nodes of source INDEX to the tree's, which it makes; IDS is its index, for
 * tree_intern.  The caller frees the result.
 */
uint32_t *tree_map_source(struct tree *tree, struct idmap *ids, const struct model *model,
			  size_t index, const struct frame_map *frames);

/* The node of FUNCTION below PARENT, which is made if need be.  IDS is of this tree. */
uint32_t tree_intern(struct tree *tree, struct idmap *ids, uint32_t parent,
		     uint32_t function);

/* When all nodes are there: the values of FROM, whose nodes MAP maps to those of TREE. */
void tree_complete(struct tree *tree, const struct tree *from, const uint32_t *map);

/* All-zero ones, by node. */
struct tree_repeat *tree_repeats(struct tree *tree);

static inline void tree_repeat_add(struct tree_repeat *to, uint32_t frames,
				   uint32_t cycle)
{
	to->frames = to->frames > frames ? to->frames : frames;
	to->cycle = to->cycle > cycle ? to->cycle : cycle;
}

#endif
