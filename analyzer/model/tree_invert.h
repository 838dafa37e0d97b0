/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call tree from the leaf: below the root the functions that stacks end in, below each
 * its callers.
 *
 * It has a node for each caller of each leaf, so it may be much larger than the call tree:
 * only displayed nodes are made.
 */
#ifndef TREE_INVERT_H
#define TREE_INVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tree_fold.h"

/* Which nodes to follow further. */
struct tree_least {
	const double
		*weight; /* by node of the whole tree: of the stacks that end there */
	double least;    /* of a node's stacks together */
};

/*
 * OUT's own values are of the stacks that are not followed further.  FOLDING is of WHOLE.
 * False: the callers beyond some distance from the leaf were too many to follow.
 * Overwrites OUT, which the caller releases.
 */
bool tree_invert(struct tree *out, const struct folding *folding,
		 const struct tree *whole, struct tree_least least);

#endif
