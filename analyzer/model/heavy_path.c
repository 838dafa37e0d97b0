/* SPDX-License-Identifier: Apache-2.0 */
#include "model/heavy_path.h"

#include <stdlib.h>

/* A node with this percentage of all does not distinguish stacks. */
#define TRUNK_SHARE 95

/* The least share (%) of a listed part, and how many to list. */
#define PART_SHARE 5
#define PARTS_MAX  3

static bool has_share(const struct heavy_path *path, uint64_t weight, double percent)
{
	return (double)weight >= percent / 100 * (double)path->whole;
}

/* The child of NODE with more than half of all: there is at most one; 0: none. */
static uint32_t heavy_child(const struct heavy_path *path, const struct tree *tree,
			    const struct value *total, uint32_t node)
{
	const struct tree_node *nodes = tree->nodes.data;
	uint32_t child = nodes[node].first_child;

	while (child && total[child].weight <= path->whole / 2)
		child = nodes[child].next_sibling;
	return child;
}

/* Drops all but the last of the functions that almost all stacks have. */
static void leave_trunk(struct heavy_path *path)
{
	size_t trunk = 0;

	while (trunk < path->nodes.len &&
	       has_share(path, path->nodes.data[trunk].weight, TRUNK_SHARE))
		trunk++;
	path->has_trunk = trunk > 1;
	if (!path->has_trunk)
		return;
	for (size_t i = trunk - 1; i < path->nodes.len; i++)
		path->nodes.data[i - (trunk - 1)] = path->nodes.data[i];
	path->nodes.len -= trunk - 1;
}

static void add_part(struct heavy_path *path, uint32_t node, uint64_t weight)
{
	if (has_share(path, weight, PART_SHARE))
		*vec_push(&path->parts) = (struct heavy_node){ node, weight };
}

/* From high to low; of equal ones the first in the tree. */
static int by_weight(const void *a, const void *b)
{
	const struct heavy_node *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void find_parts(struct heavy_path *path, const struct tree *tree, uint32_t metric)
{
	uint32_t last = path->nodes.data[path->nodes.len - 1].node;
	const struct value *total = tree_total(tree, metric);

	add_part(path, last, tree_own(tree, metric)[last].weight);
	for (uint32_t n = tree->nodes.data[last].first_child; n;
	     n = tree->nodes.data[n].next_sibling)
		add_part(path, n, total[n].weight);
	if (path->parts.len)
		qsort(path->parts.data, path->parts.len, sizeof(*path->parts.data),
		      by_weight);
	if (path->parts.len > PARTS_MAX)
		path->parts.len = PARTS_MAX;
	if (path->parts.len == 1 && path->parts.data[0].node == last)
		path->parts.len = 0;
}

void heavy_path_find(struct heavy_path *out, const struct tree *tree, uint32_t metric)
{
	const struct value *total = tree_total(tree, metric);
	uint32_t node = TREE_ROOT;

	*out = (struct heavy_path){ .whole = total[TREE_ROOT].weight };
	while ((node = heavy_child(out, tree, total, node)) != 0)
		*vec_push(&out->nodes) = (struct heavy_node){ node, total[node].weight };
	leave_trunk(out);
	if (out->nodes.len)
		find_parts(out, tree, metric);
}

void heavy_path_release(struct heavy_path *path)
{
	vec_release(&path->nodes);
	vec_release(&path->parts);
}
