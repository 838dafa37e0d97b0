/* SPDX-License-Identifier: Apache-2.0 */
#include "model/lineage.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static uint32_t *filled(size_t count)
{
	uint32_t *ids = xreallocarray(NULL, count + 1, sizeof(*ids));

	memset(ids, 0xff, (count + 1) * sizeof(*ids)); /* LINEAGE_NONE */
	return ids;
}

/* State of the walk: the nodes from the root to here, and each function's lowest. */
struct walk {
	uint32_t *path; /* by depth */
	uint32_t *lowest;
};

static void enter(struct lineage *l, const struct tree *tree, struct walk *walk,
		  uint32_t n)
{
	const struct tree_node *node = &tree->nodes.data[n];

	walk->path[node->depth] = n;
	if (n == TREE_ROOT)
		return;
	l->above[n] = walk->lowest[node->function];
	if (l->above[n] != LINEAGE_NONE)
		l->below[n] = walk->path[tree->nodes.data[l->above[n]].depth + 1];
	walk->lowest[node->function] = n;
}

static void leave(const struct lineage *l, const struct tree *tree, struct walk *walk,
		  uint32_t n)
{
	if (n != TREE_ROOT)
		walk->lowest[tree->nodes.data[n].function] = l->above[n];
}

/* Walks the tree depth first, without recursion: stacks may be very deep. */
static void walk_tree(struct lineage *l, const struct tree *tree, struct walk *walk)
{
	const struct tree_node *nodes = tree->nodes.data;
	uint32_t n = TREE_ROOT;

	enter(l, tree, walk, n);
	for (;;) {
		if (nodes[n].first_child) {
			n = nodes[n].first_child;
			enter(l, tree, walk, n);
			continue;
		}
		leave(l, tree, walk, n);
		while (n != TREE_ROOT && !nodes[n].next_sibling) {
			n = nodes[n].parent;
			leave(l, tree, walk, n);
		}
		if (n == TREE_ROOT)
			return;
		n = nodes[n].next_sibling;
		enter(l, tree, walk, n);
	}
}

static uint32_t depth_of(const struct tree *tree)
{
	uint32_t depth = 0;

	vec_for_each(const struct tree_node, node, &tree->nodes)
		depth = node->depth > depth ? node->depth : depth;
	return depth;
}

void lineage_build(struct lineage *out, const struct tree *tree, size_t functions)
{
	size_t count = tree->nodes.len;
	struct walk walk = { .path = filled(depth_of(tree)),
			     .lowest = filled(functions) };

	*out = (struct lineage){
		.above = filled(count),
		.below = filled(count),
	};
	walk_tree(out, tree, &walk);
	free(walk.path);
	free(walk.lowest);
}

void lineage_release(struct lineage *lineage)
{
	free(lineage->above);
	free(lineage->below);
	*lineage = (struct lineage){ 0 };
}

void lineage_parts(const struct lineage *l, const struct tree *tree, size_t metric,
		   struct value *inner, struct value *edge)
{
	const struct value *total = tree_total(tree, metric);
	size_t count = tree->nodes.len;

	memcpy(inner, total, count * sizeof(*inner));
	memcpy(edge, total, count * sizeof(*edge));
	for (size_t n = 1; n < count; n++) {
		if (l->above[n] == LINEAGE_NONE)
			continue;
		value_subtract(&inner[l->above[n]], total[n]);
		value_subtract(&edge[l->below[n]], total[n]);
	}
}
