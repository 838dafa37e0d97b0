/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a function recurs in a stack: how recursion affects callers and callees.
 *
 * For each node of the tree the lineage knows the nearest node above it of the same
 * function, and the child of that node on the way down.  From these two follows, for
 * every metric in one loop over the nodes:
 *
 *	inner[n]  of the samples through n, those in which n is the innermost of its function
 *	edge[n]   of the samples through n, those in which n's parent is the innermost of its
 *		  own function: what the parent's function attributes to n
 *
 * So, for any function: its inner sums to its inclusive value, and so do its exclusive
 * value (sums.h) and the edges of the children of its nodes.
 */
#ifndef LINEAGE_H
#define LINEAGE_H

#include <stdint.h>

#include "model/tree.h"
#include "model/value.h"

#define LINEAGE_NONE UINT32_MAX

struct lineage {
	uint32_t *above; /* node → nearest node above of the same function, or none */
	uint32_t *below; /* node → child of that node on the way, or none */
};

/* The tree's functions are below FUNCTIONS.  The caller releases OUT. */
void lineage_build(struct lineage *out, const struct tree *tree, size_t functions);
void lineage_release(struct lineage *lineage);

/* Both arrays have a place for each node, and are overwritten. */
void lineage_parts(const struct lineage *l, const struct tree *tree, size_t metric,
		   struct value *inner, struct value *edge);

#endif
