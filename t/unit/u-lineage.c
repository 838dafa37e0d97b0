/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares callers and callees with their definitions, sample by sample and stack by
 * stack, and checks their identities.
 */
#include "model/lineage.h"

#include <stdlib.h>
#include <string.h>

#include "tables/callers.h"
#include "random.h"
#include "tap.h"
#include "base/xalloc.h"

enum { NODES = 400, FUNCTIONS = 7, TREES = 50 };

static uint64_t seed = RANDOM_SEED;

/* A tree whose nodes are children of any earlier one, so functions often recur. */
static void random_tree(struct tree *tree)
{
	struct tree_node *nodes;

	*tree = (struct tree){ .metrics = 1 };
	for (uint32_t n = 0; n < NODES; n++) {
		uint32_t parent = n ? random_below(&seed, n) : 0;

		*vec_push(&tree->nodes) = (struct tree_node){
			.parent = parent,
			.function = n ? random_below(&seed, FUNCTIONS) : MODEL_NONE,
			.depth = n ? tree->nodes.data[parent].depth + 1 : 0,
		};
	}
	nodes = tree->nodes.data;
	tree->own = xcalloc(NODES, sizeof(*tree->own));
	tree->total = xcalloc(NODES, sizeof(*tree->total));
	for (uint32_t n = NODES - 1; n; n--) {
		tree->own[n] = (struct value){ random_below(&seed, 100),
					       random_below(&seed, 3) };
		value_add(&tree->total[n], tree->own[n]);
		value_add(&tree->total[nodes[n].parent], tree->total[n]);
		nodes[n].next_sibling = nodes[nodes[n].parent].first_child;
		nodes[nodes[n].parent].first_child = n;
	}
}

/* One function by the definitions. */
struct truth {
	struct value exclusive, inclusive;
	struct value callers[FUNCTIONS + 1],
		callees[FUNCTIONS]; /* the last caller: none */
};

/* Whether the LEN functions F end at node N, and where they begin. */
static bool ends_at(const struct tree_node *nodes, uint32_t n, const uint32_t *f,
		    size_t len, uint32_t *first)
{
	for (size_t i = len; i; i--, n = nodes[n].parent) {
		if (!n || nodes[n].function != f[i - 1])
			return false;
		*first = n;
	}
	return true;
}

static void add_sample(struct truth *t, const struct tree *tree, uint32_t leaf,
		       const uint32_t *f, size_t len)
{
	const struct tree_node *nodes = tree->nodes.data;
	struct value v = tree->own[leaf];
	uint32_t below = MODEL_NONE, caller, first;

	for (uint32_t n = leaf; n; below = n, n = nodes[n].parent) {
		if (!ends_at(nodes, n, f, len, &first))
			continue;
		caller = nodes[first].parent ? nodes[nodes[first].parent].function
					     : FUNCTIONS;
		value_add(&t->inclusive, v);
		value_add(&t->callers[caller], v);
		if (below == MODEL_NONE)
			value_add(&t->exclusive, v);
		else
			value_add(&t->callees[nodes[below].function], v);
		return;
	}
}

static struct truth truth_of(const struct tree *tree, const uint32_t *f, size_t len)
{
	struct truth t = { 0 };

	for (uint32_t leaf = 1; leaf < NODES; leaf++)
		add_sample(&t, tree, leaf, f, len);
	return t;
}

static bool same(struct value a, struct value b)
{
	return a.weight == b.weight && a.samples == b.samples;
}

/* Whether the edges of centre F are true, and have the right sums. */
static bool edges_hold(const struct callers *c, const struct truth *t, uint32_t f)
{
	struct value callers = { 0 }, callees = t->exclusive;
	bool hold = true;

	for (uint32_t i = c->first[f]; i < c->first[f + 1]; i++) {
		const struct call_edge *edge = &c->edges.data[i];
		struct value v = callers_value(c, 0, edge);
		uint32_t other = edge->other == MODEL_NONE ? FUNCTIONS : edge->other;

		hold &= edge->center == f;
		hold &= same(v, edge->callee ? t->callees[other] : t->callers[other]);
		value_add(edge->callee ? &callees : &callers, v);
	}
	return hold && same(callers, t->inclusive) && same(callees, t->inclusive);
}

static bool fragment_holds(const struct tree *tree, const uint32_t *f, size_t len)
{
	struct truth t = truth_of(tree, f, len);
	struct callers c;
	bool hold;

	callers_build_fragment(&c, tree, FUNCTIONS, f, len);
	hold = edges_hold(&c, &t, f[len - 1]);
	callers_release(&c);
	return hold;
}

/* All of one, two and three functions. */
static bool fragments_hold(const struct tree *tree)
{
	bool hold = true;

	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		hold &= fragment_holds(tree, &f, 1);
		for (uint32_t g = 0; g < FUNCTIONS; g++) {
			hold &= fragment_holds(tree, (uint32_t[]){ f, g }, 2);
			hold &= fragment_holds(tree, (uint32_t[]){ f, g, f }, 3);
			hold &= fragment_holds(tree, (uint32_t[]){ f, f, g }, 3);
		}
	}
	return hold;
}

static void check_tree(unsigned number)
{
	struct callers c;
	struct tree tree;
	bool edges = true;

	random_tree(&tree);
	callers_build(&c, &tree, FUNCTIONS);
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		struct truth t = truth_of(&tree, &f, 1);

		edges &= edges_hold(&c, &t, f);
	}
	ok(edges, "tree %u: callers and callees are as defined, and sum up", number);
	ok(fragments_hold(&tree), "tree %u: so are those of fragments of stacks", number);
	callers_release(&c);
	tree_release(&tree);
}

int main(void)
{
	for (unsigned i = 1; i <= TREES; i++)
		check_tree(i);
	return done_testing();
}
