/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares sums of groups with their definition, which examines each sample's whole stack,
 * and the heaviest path with that of the folded tree.  The experiments are random, with
 * several sources and events, recursion, frames of several functions, functions that fold,
 * and empty stacks.
 */
#include "model/heavy_path.h"
#include "model/sums.h"

#include <stdlib.h>
#include <string.h>

#include "model/tree_fold.h"
#include "random.h"
#include "tap.h"
#include "base/xalloc.h"

enum {
	SOURCES = 3,
	EVENTS = 2,
	METRICS = 3,
	NODES = 200,
	FRAMES = 12,
	IDS = 7,
	GROUPS = 3,
	STACK_MAX = NODES * 3,
	DRAWS = 60,
};

static uint64_t seed = RANDOM_SEED;

/* ---- random experiments ---- */

struct draw {
	struct model model;
	struct frame_map frames;
	struct experiment exps[SOURCES];
};

static void draw_frames(struct frame_ids *frames)
{
	for (int f = 0; f < FRAMES; f++) {
		frame_ids_begin(frames);
		for (uint32_t i = 0; i <= random_below(&seed, 3); i++)
			*vec_push(&frames->ids) = random_below(&seed, IDS);
	}
	frame_ids_begin(frames);
}

/* CHAIN of 8 nodes are children of the node right before, which makes stacks deep. */
static void draw_nodes(struct experiment *exp, uint32_t chain)
{
	for (uint32_t n = 0; n < NODES; n++) {
		uint32_t parent = !n ? 0
				  : random_below(&seed, 8) < chain
					  ? n - 1
					  : random_below(&seed, n);

		*vec_push(&exp->nodes) = (struct exp_node){
			.parent = parent,
			.frame = random_below(&seed, FRAMES),
		};
	}
}

/* One stack in four has most of the weight. */
static void draw_values(struct totals *t, bool empties)
{
	*t = (struct totals){ .events = EVENTS, .columns = EVENTS, .nodes = NODES };
	t->node = xcalloc(EVENTS * NODES, sizeof(*t->node));
	for (size_t i = 0; i < EVENTS * NODES; i++)
		t->node[i] = (struct value){ random_below(&seed, 100),
					     random_below(&seed, 3) };
	t->node[NODES - 1].weight += random_below(&seed, 4) ? 0 : 30000;
	for (size_t e = 0; e < EVENTS; e++)
		if (!empties)
			t->node[e * NODES].samples = 0;
}

static void draw(struct draw *d, unsigned number)
{
	*d = (struct draw){ .frames.groups = IDS,
			    .frames.empty = random_below(&seed, IDS) };
	d->frames.source_count = SOURCES;
	d->frames.sources = xcalloc(SOURCES, sizeof(*d->frames.sources));
	if (number % 2) {
		d->frames.folds = xcalloc(IDS, sizeof(*d->frames.folds));
		d->frames.folds[random_below(&seed, IDS)] = true;
	}
	for (int m = 0; m < METRICS; m++)
		*vec_push(&d->model.metrics) = (struct metric){ .scale = 1 };
	for (int s = 0; s < SOURCES; s++) {
		struct source *source = vec_push(&d->model.sources);

		*source = (struct source){ .exp = &d->exps[s] };
		source->metric = xcalloc(EVENTS, sizeof(*source->metric));
		for (int e = 0; e < EVENTS; e++)
			source->metric[e] = random_below(&seed, METRICS);
		draw_nodes(&d->exps[s], number % 9);
		draw_frames(&d->frames.sources[s]);
		draw_values(&source->totals, number % 3);
	}
}

static void draw_release(struct draw *d)
{
	vec_for_each(struct source, source, &d->model.sources) {
		totals_release(&source->totals);
		vec_release(&source->exp->nodes);
		free(source->metric);
	}
	vec_release(&d->model.sources);
	vec_release(&d->model.metrics);
	frame_map_release(&d->frames);
}

/* ---- the definition ---- */

/* The ids of a node's stack, innermost first; returns their number. */
static size_t stack_of(const struct draw *d, size_t s, uint32_t node, uint32_t *out)
{
	const struct frame_ids *frames = &d->frames.sources[s];
	const struct exp_node *nodes = d->exps[s].nodes.data;
	size_t len = 0;

	if (!node)
		out[len++] = d->frames.empty;
	for (; node; node = nodes[node].parent)
		for (uint32_t i = frames->first.data[nodes[node].frame + 1];
		     i-- > frames->first.data[nodes[node].frame];)
			out[len++] = frames->ids.data[i];
	return len;
}

struct truth {
	struct value exclusive[SOURCES * METRICS][IDS], inclusive[SOURCES * METRICS][IDS];
};

static void add_stack(struct truth *t, const struct draw *d, size_t s, uint32_t node,
		      const uint32_t *of_id, bool apart)
{
	const struct source *source = &d->model.sources.data[s];
	uint32_t stack[STACK_MAX];
	size_t len = stack_of(d, s, node, stack);

	for (size_t e = 0; e < EVENTS; e++) {
		size_t m = source->metric[e] + (apart ? s * METRICS : 0);
		struct value v = source->totals.node[e * NODES + node];
		bool seen[IDS] = { false };

		value_add(&t->exclusive[m][of_id[stack[0]]], v);
		for (size_t i = 0; i < len; i++) {
			uint32_t group = of_id[stack[i]];

			if (!seen[group])
				value_add(&t->inclusive[m][group], v);
			seen[group] = true;
		}
	}
}

static bool same(struct value a, struct value b)
{
	return a.weight == b.weight && a.samples == b.samples;
}

static bool sums_hold(const struct draw *d, const struct sums *sums,
		      const uint32_t *of_id, bool apart)
{
	struct truth *t = xcalloc(1, sizeof(*t));
	bool hold = true;

	for (size_t s = 0; s < SOURCES; s++) {
		bool empties = totals_has_empty_stacks(&d->model.sources.data[s].totals);

		for (uint32_t n = !empties; n < NODES; n++)
			add_stack(t, d, s, n, of_id, apart);
	}
	for (size_t m = 0; m < METRICS * (apart ? SOURCES : 1); m++)
		for (size_t g = 0; g < sums->groups; g++) {
			hold &= same(t->exclusive[m][g],
				     sums_value(sums, EXCLUSIVE, m, g));
			hold &= same(t->inclusive[m][g],
				     sums_value(sums, INCLUSIVE, m, g));
		}
	free(t);
	return hold;
}

static void check_sums(const struct draw *d, unsigned number, bool apart)
{
	uint32_t itself[IDS], of_id[IDS];
	struct sums sums;

	for (uint32_t i = 0; i < IDS; i++) {
		itself[i] = i;
		of_id[i] = random_below(&seed, GROUPS);
	}
	sums_build(&sums, &d->model, &d->frames, apart);
	ok(sums_hold(d, &sums, itself, apart), "draw %u, %s: sums are as defined", number,
	   apart ? "apart" : "together");
	sums_release(&sums);
	sums_build_grouped(&sums, &d->model, &d->frames, of_id, GROUPS, apart);
	ok(sums_hold(d, &sums, of_id, apart), "draw %u, %s: so are those of groups",
	   number, apart ? "apart" : "together");
	sums_release(&sums);
}

/* ---- the heaviest path ---- */

enum { DEEP_MAX = STACK_MAX, PARTS_MAX = 3 };

/* The child of NODE with more than half of all; 0: none. */
static uint32_t heavy_child(const struct tree *tree, const struct value *total,
			    uint32_t node)
{
	uint32_t c = tree->nodes.data[node].first_child;

	while (c && total[c].weight <= total[TREE_ROOT].weight / 2)
		c = tree->nodes.data[c].next_sibling;
	return c;
}

/* The weight of what NODE parts into: FUNCTION's, or its own. */
static uint64_t part_of(const struct tree *tree, uint32_t m, uint32_t node,
			uint32_t function)
{
	if (function == HEAVY_ITSELF)
		return tree_own(tree, m)[node].weight;
	for (uint32_t c = tree->nodes.data[node].first_child; c;
	     c = tree->nodes.data[c].next_sibling)
		if (tree->nodes.data[c].function == function)
			return tree_total(tree, m)[c].weight;
	return 0;
}

/* How many parts have at least 5 %, and more than WEIGHT. */
static size_t larger_parts(const struct tree *tree, uint32_t m, uint32_t node,
			   uint64_t weight)
{
	double least = 0.05 * (double)tree_total(tree, m)[TREE_ROOT].weight;
	uint64_t own = tree_own(tree, m)[node].weight;
	size_t count = (double)own >= least && own > weight;

	for (uint32_t c = tree->nodes.data[node].first_child; c;
	     c = tree->nodes.data[c].next_sibling) {
		uint64_t total = tree_total(tree, m)[c].weight;

		count += (double)total >= least && total > weight;
	}
	return count;
}

/* From high to low: none that is left out is larger. */
static bool parts_hold(const struct tree *tree, uint32_t m, uint32_t node,
		       const struct heavy_path *path)
{
	bool hold = true;
	uint64_t before = UINT64_MAX, least = 0;

	vec_for_each(const struct heavy_node, part, &path->parts) {
		hold &= part->weight == part_of(tree, m, node, part->id);
		hold &= part->weight <= before;
		before = part->weight;
	}
	if (path->parts.len == PARTS_MAX)
		least = before;
	if (!path->parts.len) /* itself alone is no part */
		return larger_parts(tree, m, node, 0) ==
		       (part_of(tree, m, node, HEAVY_ITSELF) * 20 >= path->whole &&
			part_of(tree, m, node, HEAVY_ITSELF) > 0);
	return hold && larger_parts(tree, m, node, least) <= path->parts.len;
}

static bool path_holds(const struct tree *tree, uint32_t m, const struct heavy_path *path)
{
	const struct value *total = tree_total(tree, m);
	uint32_t nodes[DEEP_MAX], node = TREE_ROOT;
	size_t len = 0, first = 0;
	bool hold = path->whole == total[TREE_ROOT].weight;

	while ((node = heavy_child(tree, total, node)))
		nodes[len++] = node;
	while (first + 1 < len &&
	       (double)total[nodes[first + 1]].weight >= 0.95 * (double)path->whole)
		first++;
	if (path->nodes.len != len - first || path->has_trunk != (first > 0))
		return false;
	for (size_t i = first; i < len; i++) {
		hold &= path->nodes.data[i - first].id ==
			tree->nodes.data[nodes[i]].function;
		hold &= path->nodes.data[i - first].weight == total[nodes[i]].weight;
	}
	return hold && (!len || parts_hold(tree, m, nodes[len - 1], path));
}

/* Returns how many metrics have a path of several functions. */
static unsigned check_paths(const struct draw *d, unsigned number, unsigned period)
{
	struct folding folding;
	struct tree whole;
	unsigned found = 0;
	bool hold = true;

	tree_build(&whole, &d->model, &d->frames);
	tree_fold(&folding, &whole, period);
	for (uint32_t m = 0; m < METRICS; m++) {
		struct heavy_path path;

		heavy_path_find(&path, &d->model, &d->frames, m, period);
		hold &= path_holds(&folding.tree, m, &path);
		found += path.nodes.len > 1;
		heavy_path_release(&path);
	}
	ok(hold,
	   "draw %u: the heaviest path is that of the tree with %u functions folded",
	   number, period);
	folding_release(&folding);
	tree_release(&whole);
	return found;
}

int main(void)
{
	unsigned paths = 0;

	for (unsigned i = 1; i <= DRAWS; i++) {
		struct draw d;

		draw(&d, i);
		check_sums(&d, i, false);
		check_sums(&d, i, true);
		for (unsigned period = 1; period <= FOLD_PERIOD_MAX; period++)
			paths += check_paths(&d, i, period);
		draw_release(&d);
	}
	ok(paths > DRAWS, "%u metrics of all draws have a path of several", paths);
	return done_testing();
}
