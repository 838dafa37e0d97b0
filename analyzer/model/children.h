/* SPDX-License-Identifier: Apache-2.0 */
/* The stack nodes of an experiment from the root down: the children of each. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <stdint.h>

#include "experiment/read.h"

/* By node, in the order of their numbers; 0: none. */
struct children {
	uint32_t *first, *next; /* its first child, its next sibling */
};

/* Overwrites OUT, which the caller releases. */
void children_build(struct children *out, const struct experiment *exp);
void children_release(struct children *children);

typedef void children_fn(void *ctx, uint32_t node);

/* Leaves N and all that ends with it; returns the next node, or 0. */
static inline uint32_t children_leave(const struct children *children,
				      const struct exp_node *nodes, uint32_t n,
				      children_fn *leave, void *ctx)
{
	for (leave(ctx, n); !children->next[n]; leave(ctx, n)) {
		n = nodes[n].parent;
		if (!n)
			return 0;
	}
	return children->next[n];
}

/*
 * Depth first, without the root: calls ENTER for a node before its children, and LEAVE
 * after them.  Inline, as some callers have millions of nodes.
 */
static inline void children_walk(const struct children *children,
				 const struct exp_node *nodes, children_fn *enter,
				 children_fn *leave, void *ctx)
{
	const uint32_t *below = children->first;

	for (uint32_t n = below[0]; n;
	     n = below[n] ? below[n] : children_leave(children, nodes, n, leave, ctx))
		enter(ctx, n);
}

#endif
