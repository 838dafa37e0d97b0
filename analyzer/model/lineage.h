/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a group recurs in a stack: how recursion affects the metrics.
 *
 * The tree's nodes are put into groups (its functions, their objects).  For each node the
 * lineage knows the nearest node above it of the same group, and the child of that node
 * on the way down.  From these two every metric follows in one loop over the nodes:
 *
 *	exclusive[g]  the own values of the nodes in g
 *	inclusive[g]  the totals of the nodes in g that have no g above: once per sample
 *	inner[n]      of the samples through n, those in which n is the innermost of its group
 *	edge[n]       of the samples through n, those in which n's parent is the innermost of
 *		      its own group: what the parent's group attributes to n
 *
 * So, for any group: its inner sums to its inclusive, and so do its exclusive and the
 * edges of the children of its nodes.
 */
#ifndef LINEAGE_H
#define LINEAGE_H

#include <stdint.h>

#include "model/tree.h"
#include "model/value.h"

#define LINEAGE_NONE UINT32_MAX

struct lineage {
	size_t groups;
	uint32_t *group; /* node → group; LINEAGE_NONE for the root */
	uint32_t *above; /* node → nearest node above of the same group, or none */
	uint32_t *below; /* node → child of that node on the way; none likewise */
};

/* OF_FUNCTION: function → group below GROUPS; NULL: each function is its own. */
void lineage_build(struct lineage *out, const struct tree *tree,
		   const uint32_t *of_function, size_t groups);
void lineage_release(struct lineage *lineage);

/* Both arrays have a place for each group, and are overwritten. */
void lineage_sums(const struct lineage *l, const struct tree *tree, size_t metric,
		  struct value *exclusive, struct value *inclusive);

/* Both arrays have a place for each node, and are overwritten. */
void lineage_parts(const struct lineage *l, const struct tree *tree, size_t metric,
		   struct value *inner, struct value *edge);

#endif
