/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of one experiment with their recursion folded as in tree_fold.h, for a walk
 * down that takes one branch: without a tree of all of them.
 *
 * A place is a function of a node's frame.  It is a cell if it was put on its folded stack.
 * A place that ends a round puts nothing there: it joins an older cell, and the cells above
 * that leave its stack.  Only these are noted, so stacks without recursion cost nothing
 * but their weights.
 */
#ifndef STACK_FOLDS_H
#define STACK_FOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/children.h"
#include "model/frame_map.h"
#include "model/model.h"
#include "base/idmap.h"
#include "base/vec.h"

/* Node 0: below all others. */
struct place {
	uint32_t node, at; /* the AT-th id of its frame */
};

struct joined {
	struct place place, cell;
};

struct stack_folds {
	const struct source *source;
	const struct totals *totals;
	const struct frame_ids *frames;
	const struct exp_node *nodes;
	uint32_t metric;
	struct children children;
	uint64_t *total;  /* by node: weight that ends there and below */
	uint64_t *joins;  /* a bit by node: one of its places joined; NULL: none */
	struct idmap ids; /* of places that joined, until they are sorted by cell */
	VEC(struct joined) joined;
	struct idmap left_ids;
	VEC(uint64_t) left; /* by cell: weight of the stacks that it left */
};

/*
 * Of source INDEX.  Folds no rounds longer than PERIOD.  Overwrites OUT, which the caller
 * releases.
 */
void stack_folds_init(struct stack_folds *out, const struct model *model, size_t index,
		      const struct frame_map *frames, uint32_t metric, unsigned period);
void stack_folds_release(struct stack_folds *folds);

/* Weight of the stacks that have CELL. */
uint64_t stack_folds_weight(const struct stack_folds *folds, struct place cell);

/* Weight of the stacks that end in NODE; of 0, the empty ones. */
uint64_t stack_folds_own(const struct stack_folds *folds, uint32_t node);

bool stack_folds_is_cell(const struct stack_folds *folds, struct place place);

/* The places that joined CELL: *COUNT of them; NULL if there are none. */
const struct joined *stack_folds_joined(const struct stack_folds *folds,
					struct place cell, size_t *count);

/* The last place of a node, but not of 0. */
static inline uint32_t stack_folds_last(const struct stack_folds *folds, uint32_t node)
{
	const uint32_t *first = folds->frames->first.data +
				frame_of_node(folds->frames, folds->nodes, node);

	return first[1] - first[0] - 1;
}

/* The id of a place, but not of node 0. */
static inline uint32_t stack_folds_id(const struct stack_folds *folds, struct place place)
{
	uint32_t frame = frame_of_node(folds->frames, folds->nodes, place.node);

	return folds->frames->ids.data[folds->frames->first.data[frame] + place.at];
}

#endif
