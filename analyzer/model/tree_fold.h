/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call tree with its recursion folded, and the stacks behind its nodes.
 *
 * A stack is folded from its root on: if its last functions repeat those right before
 * them, up to FOLD_PERIOD_MAX, the second round joins the first.  So of
 *
 *	main even odd even odd even leaf    remains
 *	main even odd even leaf             in frames: 1 2 2 1 1
 *
 * A folded stack thus has all functions of the whole one, and its frames add up to those
 * of the whole one.  The folded tree has the folded stacks, with their values.
 */
#ifndef TREE_FOLD_H
#define TREE_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tree.h"
#include "base/vec.h"

/* The most functions of a round. */
#define FOLD_PERIOD_MAX 8

/* A row of a folded stack.  Cell 0 is the root of all. */
struct fold_cell {
	uint32_t node;     /* of the folded tree */
	uint32_t below;    /* the next cell towards the root: a lower number */
	uint32_t frames;   /* of the whole stack that are one with it */
	uint16_t last_of;  /* a round of that many functions ends here; 0: none */
	uint16_t first_of; /* one begins here */
};

struct folding {
	struct tree tree;
	VEC(struct fold_cell) cells;
	uint32_t *top; /* by node of the whole tree: the top cell of its stack */
};

/*
 * Folds no rounds longer than PERIOD, up to FOLD_PERIOD_MAX; 0: only the cells are made.
 * Overwrites OUT, which the caller releases.
 */
void tree_fold(struct folding *out, const struct tree *whole, unsigned period);
void folding_release(struct folding *folding);

/*
 * Whether anything would be folded: if not, WHOLE is the folded tree, and a large one need
 * not be made twice.
 */
bool tree_has_rounds(const struct tree *whole, unsigned period);

#endif
