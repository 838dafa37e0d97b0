/* SPDX-License-Identifier: Apache-2.0 */
#include "page/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/xalloc.h"

#define MERGED "<Merged>"

const char *page_function_name(struct session *s, struct page_strip *strip,
			       uint32_t function)
{
	return function == MODEL_NONE
		       ? MERGED
		       : page_strip_name(strip, session_function(s, function));
}

/* ---- which frames are inlined ---- */

enum { SEEN_INLINED = 1, SEEN_CALLED = 2 };

/* Notes how the functions of FRAME, whose last one's node is LEAF, came to be there. */
static void note_frame(uint8_t *seen, const struct tree *tree,
		       const struct frame_ids *frames, uint32_t frame, uint32_t leaf)
{
	uint32_t first = frames->first.data[frame], i = frames->first.data[frame + 1];

	while (i-- > first && tree->nodes.data[leaf].function == frames->ids.data[i]) {
		seen[leaf] |= i > first ? SEEN_INLINED : SEEN_CALLED;
		leaf = tree->nodes.data[leaf].parent;
	}
}

/* By node of the tree; the caller frees it. */
static uint8_t *find_inlined(const struct model *model, const struct frame_map *frames,
			     const struct tree *tree, uint32_t *const *leaves)
{
	uint8_t *seen = xcalloc(tree->nodes.len, sizeof(*seen));

	for (size_t s = 0; s < model->sources.len; s++) {
		const struct experiment *exp = model->sources.data[s].exp;
		const struct frame_ids *of = &frames->sources[s];

		for (size_t n = 1; n < exp->nodes.len; n++)
			note_frame(seen, tree, of, frame_of_node(of, exp->nodes.data, n),
				   leaves[s][n]);
	}
	return seen;
}

/* ---- which nodes stay ---- */

static int by_weight(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a > *b ? -1 : *a < *b;
}

/*
 * The weight that a node must have to stay; of those with exactly this much the first *AT
 * do.  A parent has at least its child's weight and comes before it, so it stays too.
 */
static uint64_t least_weight(const struct tree *tree, uint32_t metric, size_t limit,
			     size_t *at)
{
	const struct value *total = tree_total(tree, metric);
	size_t count = tree->nodes.len;
	uint64_t *weights, least;

	*at = count;
	if (count <= limit)
		return 0;
	weights = xcalloc(count, sizeof(*weights));
	for (size_t i = 0; i < count; i++)
		weights[i] = total[i].weight;
	qsort(weights, count, sizeof(*weights), by_weight);
	least = weights[limit - 1];
	for (*at = 0; *at < limit && weights[limit - 1 - *at] == least;)
		++*at;
	free(weights);
	return least;
}

/* ---- the nodes ---- */

struct builder {
	struct page_stacks *out;
	const struct page_places *places;
	struct tree tree;
	uint8_t *seen;
	uint32_t metric;
	uint32_t *page_node; /* by node of the tree */
	bool *kept;          /* the same */
	uint32_t *merged; /* by node of the tree that stays: its child <Merged>, or 0 */
};

static uint32_t add_node(struct builder *b, uint32_t parent, struct page_pair of,
			 bool inlined)
{
	*vec_push(&b->out->nodes) = (struct page_node){ parent, of.function, of.place,
							inlined };
	return (uint32_t)b->out->nodes.len - 1;
}

static struct page_pair pair_of(const struct builder *b, uint32_t id)
{
	return page_places_any(b->places) ? b->places->pairs.data[id]
					  : (struct page_pair){ id, 0 };
}

/* Where node N goes, which does not stay. */
static uint32_t merge_node(struct builder *b, uint32_t n)
{
	uint32_t parent = b->tree.nodes.data[n].parent;
	uint32_t to = b->page_node[parent];

	b->out->merged++;
	value_add(&b->out->merged_value, tree_own(&b->tree, b->metric)[n]);
	if (!b->kept[parent])
		return to;
	if (!b->merged[parent])
		b->merged[parent] = add_node(b, to, (struct page_pair){ MODEL_NONE, 0 },
					     false);
	return b->merged[parent];
}

static void add_nodes(struct builder *b, size_t limit)
{
	const struct value *total = NULL;
	size_t count = b->tree.nodes.len, left = count;
	uint64_t least = 0;

	if (b->metric < b->tree.metrics) {
		total = tree_total(&b->tree, b->metric);
		least = least_weight(&b->tree, b->metric, limit, &left);
	}
	add_node(b, 0, (struct page_pair){ MODEL_NONE, 0 }, false);
	b->kept[0] = true;
	for (uint32_t n = 0; n < count; n++) {
		const struct tree_node *node = &b->tree.nodes.data[n];

		if (total && total[n].weight == least)
			b->kept[n] = left > 0 && left--;
		else
			b->kept[n] = !total || total[n].weight > least;
		if (n && b->kept[n])
			b->page_node[n] = add_node(b, b->page_node[node->parent],
						   pair_of(b, node->function),
						   b->seen[n] == SEEN_INLINED);
		else if (n)
			b->page_node[n] = merge_node(b, n);
	}
}

/* Each node before those below it, and these before its next sibling; in order otherwise. */
static void order_nodes(struct builder *b)
{
	struct page_node *nodes = b->out->nodes.data;
	size_t count = b->out->nodes.len;
	struct page_node *before = xcalloc(count, sizeof(*before));
	uint32_t *below = xcalloc(count, sizeof(*below)); /* and the node itself */
	uint32_t *next = xcalloc(count, sizeof(*next));   /* by node: of its next child */
	uint32_t *number = xcalloc(count, sizeof(*number));

	memcpy(before, nodes, count * sizeof(*before));
	for (size_t n = count; n-- > 0;) {
		below[n]++;
		if (n)
			below[before[n].parent] += below[n];
	}
	next[0] = 1;
	for (size_t n = 1; n < count; n++) {
		uint32_t parent = before[n].parent;

		number[n] = next[parent];
		next[parent] += below[n];
		next[n] = number[n] + 1;
		nodes[number[n]] = before[n];
		nodes[number[n]].parent = number[parent];
	}
	for (size_t n = 0; n < b->tree.nodes.len; n++)
		b->page_node[n] = number[b->page_node[n]];
	free(before);
	free(below);
	free(next);
	free(number);
}

static void move_leaves(struct builder *b)
{
	const struct model *model = b->out->model;

	for (size_t s = 0; s < model->sources.len; s++)
		for (size_t n = 0; n < model->sources.data[s].exp->nodes.len; n++)
			b->out->leaf[s][n] = b->page_node[b->out->leaf[s][n]];
}

static void add_own(struct builder *b)
{
	size_t count = b->out->nodes.len;

	b->out->own = xcalloc(b->tree.metrics * count + 1, sizeof(*b->out->own));
	for (size_t m = 0; m < b->tree.metrics; m++)
		for (size_t n = 0; n < b->tree.nodes.len; n++)
			value_add(&b->out->own[m * count + b->page_node[n]],
				  tree_own(&b->tree, m)[n]);
}

/* ---- the functions ---- */

struct named {
	const char *name;
	uint32_t function;
};

static int by_name(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	return order ? order : a->function < b->function ? -1 : a->function > b->function;
}

static bool same_place(struct session *s, uint32_t a, uint32_t b)
{
	const struct model *m = &s->model;

	return a != MODEL_NONE && b != MODEL_NONE &&
	       !strcmp(object_name(m, m->functions.data[a].object),
		       object_name(m, m->functions.data[b].object));
}

/*
 * The number of a counterpart: two builds that are compared have functions of the same
 * names in objects of the same names.  Else the next number.  NAMES are in order.
 */
static uint32_t number_of(const struct page_stacks *out, struct session *s,
			  const struct named *name, const char *const *names)
{
	uint32_t n = (uint32_t)out->functions.len;

	while (s->set.compare != COMPARE_OFF && n-- && !strcmp(names[n], name->name))
		if (same_place(s, out->functions.data[n], name->function))
			return n;
	return (uint32_t)out->functions.len;
}

/* <Merged> is number COUNT of those of the model. */
static void number_functions(struct page_stacks *out, struct session *s)
{
	uint32_t count = (uint32_t)s->model.functions.len;
	uint32_t *number = xcalloc(count + 1, sizeof(*number));
	VEC(struct named) names = { 0 };
	VEC(const char *) shown = { 0 };

	for (size_t n = 1; n < out->nodes.len; n++) {
		uint32_t f = out->nodes.data[n].function;
		uint32_t *at = &number[f == MODEL_NONE ? count : f];

		if (!*at)
			*vec_push(&names) =
				(struct named){ page_function_name(s, out->strip, f), f };
		*at = 1;
	}
	if (names.len)
		qsort(names.data, names.len, sizeof(*names.data), by_name);
	vec_for_each(const struct named, named, &names) {
		uint32_t f = named->function, n = number_of(out, s, named, shown.data);

		number[f == MODEL_NONE ? count : f] = n;
		if (n < out->functions.len)
			continue;
		*vec_push(&out->functions) = f;
		*vec_push(&shown) = named->name;
	}
	vec_for_each(struct page_node, node, &out->nodes)
		node->function =
			number[node->function == MODEL_NONE ? count : node->function];
	out->nodes.data[0].function = 0;
	vec_release(&names);
	vec_release(&shown);
	free(number);
}

/* Returns whether it may be used: with places it may be too large. */
static bool build_tree(struct builder *b, struct session *s, struct page_places *places,
		       size_t nodes)
{
	struct frame_map frames;
	bool placed;

	session_shown(s, &frames);
	placed = page_places_apply(places, &frames);
	b->out->leaf = tree_build_leaves(&b->tree, &s->model, &frames);
	b->seen = find_inlined(&s->model, &frames, &b->tree, b->out->leaf);
	frame_map_release(&frames);
	return !placed || b->tree.nodes.len <= nodes;
}

static void drop_tree(struct builder *b)
{
	tree_free_leaves(b->out->leaf, b->out->model);
	tree_release(&b->tree);
	free(b->seen);
}

void page_stacks_build(struct page_stacks *out, struct session *s,
		       struct page_strip *strip, struct page_places *places,
		       uint32_t metric, size_t nodes)
{
	struct builder b = { .out = out, .metric = metric, .places = places };

	*out = (struct page_stacks){ .model = &s->model, .strip = strip };
	if (!build_tree(&b, s, places, nodes)) {
		drop_tree(&b);
		page_places_clear(places);
		build_tree(&b, s, places, nodes);
	}
	b.page_node = xcalloc(b.tree.nodes.len, sizeof(*b.page_node));
	b.merged = xcalloc(b.tree.nodes.len, sizeof(*b.merged));
	b.kept = xcalloc(b.tree.nodes.len, sizeof(*b.kept));
	add_nodes(&b, nodes);
	order_nodes(&b);
	move_leaves(&b);
	add_own(&b);
	number_functions(out, s);
	free(b.kept);
	free(b.merged);
	free(b.page_node);
	free(b.seen);
	tree_release(&b.tree);
}

uint32_t *page_stacks_first_alike(const struct page_stacks *stacks)
{
	uint32_t *first = xcalloc(stacks->nodes.len + 1, sizeof(*first));
	struct idmap ids = { 0 };

	for (uint32_t n = 1; n < stacks->nodes.len; n++)
		first[n] = idmap_intern(&ids, first[stacks->nodes.data[n].parent],
					stacks->nodes.data[n].function, n);
	idmap_release(&ids);
	return first;
}

void page_stacks_release(struct page_stacks *stacks)
{
	tree_free_leaves(stacks->leaf, stacks->model);
	vec_release(&stacks->nodes);
	vec_release(&stacks->functions);
	free(stacks->own);
}
