/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sums over the tree against the definitions, which go sample by sample and stack by
 * stack; and the identities that hold for them.
 */
#include "lineage.h"

#include <stdlib.h>
#include <string.h>

#include "callers.h"
#include "tap.h"
#include "xalloc.h"

enum { NODES = 400, FUNCTIONS = 7, TREES = 50 };

static uint64_t seed = 88172645463325252ULL;

static uint32_t random_below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed % limit);
}

/* A tree whose nodes hang on any before them, so that functions recur all the time. */
static void random_tree(struct tree *tree)
{
	struct tree_node *nodes;

	*tree = (struct tree){ .metrics = 1 };
	for (uint32_t n = 0; n < NODES; n++) {
		uint32_t parent = n ? random_below(n) : 0;

		*vec_push(&tree->nodes) = (struct tree_node){
			.parent = parent,
			.function = n ? random_below(FUNCTIONS) : MODEL_NONE,
			.depth = n ? tree->nodes.data[parent].depth + 1 : 0,
		};
	}
	nodes = tree->nodes.data;
	tree->own = xcalloc(NODES, sizeof(*tree->own));
	tree->total = xcalloc(NODES, sizeof(*tree->total));
	for (uint32_t n = NODES - 1; n; n--) {
		tree->own[n] = (struct value){ random_below(100), random_below(3) };
		value_add(&tree->total[n], tree->own[n]);
		value_add(&tree->total[nodes[n].parent], tree->total[n]);
		nodes[n].next_sibling = nodes[nodes[n].parent].first_child;
		nodes[nodes[n].parent].first_child = n;
	}
}

/* What the definitions say of one function. */
struct truth {
	struct value exclusive, inclusive;
	struct value callers[FUNCTIONS + 1],
		callees[FUNCTIONS]; /* the last caller: none */
};

static void add_sample(struct truth *t, const struct tree *tree, uint32_t leaf,
		       uint32_t f)
{
	const struct tree_node *nodes = tree->nodes.data;
	struct value v = tree->own[leaf];
	uint32_t below = MODEL_NONE, caller;

	for (uint32_t n = leaf; n; below = n, n = nodes[n].parent) {
		if (nodes[n].function != f)
			continue;
		caller = nodes[n].parent ? nodes[nodes[n].parent].function : FUNCTIONS;
		value_add(&t->inclusive, v);
		value_add(&t->callers[caller], v);
		if (below == MODEL_NONE)
			value_add(&t->exclusive, v);
		else
			value_add(&t->callees[nodes[below].function], v);
		return;
	}
}

static bool same(struct value a, struct value b)
{
	return a.weight == b.weight && a.samples == b.samples;
}

/* Every edge is as the truth has it, and they sum to what they should. */
static bool edges_hold(const struct analysis *a, const struct truth *t, uint32_t f)
{
	struct value callers = { 0 }, callees = t->exclusive;
	struct callers c;
	bool hold = true;

	callers_build(&c, a, f);
	vec_for_each(const struct call_edge, edge, &c.edges) {
		struct value v = callers_value(&c, 0, edge);
		uint32_t other = edge->other == MODEL_NONE ? FUNCTIONS : edge->other;

		hold &= edge->center == f;
		hold &= same(v, edge->callee ? t->callees[other] : t->callers[other]);
		value_add(edge->callee ? &callees : &callers, v);
	}
	callers_release(&c);
	return hold && same(callers, t->inclusive) && same(callees, t->inclusive);
}

static void check_tree(unsigned number)
{
	struct analysis a = { 0 };
	bool sums = true, edges = true;
	struct value whole = { 0 };

	random_tree(&a.tree);
	lineage_build(&a.lineage, &a.tree, NULL, FUNCTIONS);
	sums_build(&a.sums, &a.lineage, &a.tree);
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		struct truth t = { 0 };

		for (uint32_t leaf = 1; leaf < NODES; leaf++)
			add_sample(&t, &a.tree, leaf, f);
		sums &= same(t.exclusive, sums_value(&a.sums, EXCLUSIVE, 0, f));
		sums &= same(t.inclusive, sums_value(&a.sums, INCLUSIVE, 0, f));
		edges &= edges_hold(&a, &t, f);
		value_add(&whole, sums_value(&a.sums, EXCLUSIVE, 0, f));
	}
	ok(sums, "tree %u: exclusive and inclusive are what they are defined as", number);
	ok(edges, "tree %u: so are callers and callees, and both sum to inclusive",
	   number);
	ok(same(whole, a.tree.total[TREE_ROOT]), "tree %u: exclusive sums to the total",
	   number);
	analysis_release(&a);
}

int main(void)
{
	for (unsigned i = 1; i <= TREES; i++)
		check_tree(i);
	return done_testing();
}
