/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/callers.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "model/lineage.h"
#include "base/xalloc.h"

/* A pair of functions, and the direction, as a key of an idmap. */
static uint64_t pair_key(uint32_t center, bool callee)
{
	return (uint64_t)center << 1 | callee;
}

static uint32_t edge_row(struct callers *c, struct idmap *ids, uint32_t center,
			 uint32_t other, bool callee)
{
	uint32_t next = (uint32_t)c->edges.len;
	uint32_t row = idmap_intern(ids, pair_key(center, callee), other, next);

	if (row == next)
		*vec_push(&c->edges) = (struct call_edge){
			.center = center,
			.other = other,
			.callee = callee,
			.row = row,
		};
	return row;
}

/* The rows that a node adds to: as a centre with a caller, and as its caller's callee. */
struct node_rows {
	uint32_t caller, callee; /* rows of values; MODEL_NONE: none */
};

static struct node_rows *map_nodes(struct callers *c, const struct tree *tree)
{
	size_t count = tree->nodes.len;
	struct node_rows *rows = xreallocarray(NULL, count, sizeof(*rows));
	const struct tree_node *nodes = tree->nodes.data;
	struct idmap ids = { 0 };

	for (size_t n = 1; n < count; n++) {
		uint32_t own = nodes[n].function, above = nodes[nodes[n].parent].function;

		rows[n].caller = edge_row(c, &ids, own, above, false);
		rows[n].callee = above == MODEL_NONE
					 ? MODEL_NONE
					 : edge_row(c, &ids, above, own, true);
	}
	idmap_release(&ids);
	return rows;
}

static void add_values(struct callers *c, const struct tree *tree,
		       const struct node_rows *rows)
{
	size_t count = tree->nodes.len;
	struct value *inner = xreallocarray(NULL, count, sizeof(*inner));
	struct value *edge = xreallocarray(NULL, count, sizeof(*edge));
	struct lineage lineage;

	lineage_build(&lineage, tree, c->functions);
	for (size_t m = 0; m < c->metrics; m++) {
		struct value *values = c->values + m * c->rows;

		lineage_parts(&lineage, tree, m, inner, edge);
		for (size_t n = 1; n < count; n++) {
			value_add(&values[rows[n].caller], inner[n]);
			if (rows[n].callee != MODEL_NONE)
				value_add(&values[rows[n].callee], edge[n]);
		}
	}
	lineage_release(&lineage);
	free(inner);
	free(edge);
}

static int by_center(const void *va, const void *vb)
{
	const struct call_edge *a = va, *b = vb;

	if (a->center != b->center)
		return a->center < b->center ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void index_edges(struct callers *c)
{
	uint32_t at = 0;

	if (c->edges.len)
		qsort(c->edges.data, c->edges.len, sizeof(*c->edges.data), by_center);
	c->first = xcalloc(c->functions + 1, sizeof(*c->first));
	for (size_t f = 0; f <= c->functions; f++) {
		while (at < c->edges.len && c->edges.data[at].center < f)
			at++;
		c->first[f] = at;
	}
}

/* Makes room for the values, once the edges are known. */
static void make_values(struct callers *c)
{
	c->rows = c->edges.len;
	c->values = xcalloc(c->metrics * c->rows + 1, sizeof(*c->values));
}

void callers_build(struct callers *out, const struct tree *tree, size_t functions)
{
	struct node_rows *rows;

	*out = (struct callers){ .metrics = tree->metrics, .functions = functions };
	rows = map_nodes(out, tree);
	make_values(out);
	add_values(out, tree, rows);
	free(rows);
	index_edges(out);
}

/* ---- fragments ---- */

/* Whether the functions end at node N, and the function above the first. */
static bool ends_at(const struct tree_node *nodes, uint32_t n, const uint32_t *functions,
		    size_t len, uint32_t *above)
{
	for (; len; len--, n = nodes[n].parent)
		if (n == TREE_ROOT || nodes[n].function != functions[len - 1])
			return false;
	*above = nodes[n].function;
	return true;
}

/*
 * By node, the rows that its own samples add to.  Parents come first, so the innermost
 * occurrence is the node's own, or its parent's, whose callee is known after leaving it.
 */
static struct node_rows *map_fragment(struct callers *c, const struct tree *tree,
				      const uint32_t *functions, size_t len)
{
	const struct tree_node *nodes = tree->nodes.data;
	struct node_rows *rows = xreallocarray(NULL, tree->nodes.len, sizeof(*rows));
	uint32_t center = functions[len - 1], above;
	struct idmap ids = { 0 };

	rows[TREE_ROOT] = (struct node_rows){ MODEL_NONE, MODEL_NONE };
	for (uint32_t n = 1; n < tree->nodes.len; n++) {
		bool ends = ends_at(nodes, n, functions, len, &above);

		rows[n] = rows[nodes[n].parent];
		if (rows[n].caller != MODEL_NONE && rows[n].callee == MODEL_NONE)
			rows[n].callee = edge_row(c, &ids, center, nodes[n].function,
						  true);
		if (ends) {
			rows[n].caller = edge_row(c, &ids, center, above, false);
			rows[n].callee = MODEL_NONE;
		}
	}
	idmap_release(&ids);
	return rows;
}

void callers_build_fragment(struct callers *out, const struct tree *tree,
			    size_t functions, const uint32_t *fragment, size_t len)
{
	struct node_rows *rows;

	*out = (struct callers){ .metrics = tree->metrics, .functions = functions };
	rows = map_fragment(out, tree, fragment, len);
	make_values(out);
	for (size_t m = 0; m < out->metrics; m++)
		for (size_t n = 1; n < tree->nodes.len; n++) {
			struct value *values = out->values + m * out->rows;

			if (rows[n].caller != MODEL_NONE)
				value_add(&values[rows[n].caller], tree_own(tree, m)[n]);
			if (rows[n].callee != MODEL_NONE)
				value_add(&values[rows[n].callee], tree_own(tree, m)[n]);
		}
	free(rows);
	index_edges(out);
}

void callers_release(struct callers *callers)
{
	vec_release(&callers->edges);
	free(callers->values);
	free(callers->first);
	*callers = (struct callers){ 0 };
}
