/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tree.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"

void tree_init(struct tree *out)
{
	*out = (struct tree){ 0 };
	*vec_push(&out->nodes) = (struct tree_node){ .function = MODEL_NONE };
}

uint32_t tree_intern(struct tree *tree, struct idmap *ids, uint32_t parent,
		     uint32_t function)
{
	uint32_t next = (uint32_t)tree->nodes.len;
	uint32_t id = idmap_intern(ids, parent, function, next);

	if (id == next)
		*vec_push(&tree->nodes) = (struct tree_node){
			.parent = parent,
			.function = function,
			.depth = tree->nodes.data[parent].depth + 1,
		};
	return id;
}

/* The node of FRAME below PARENT, with nodes for its inlined functions. */
static uint32_t add_frame(struct tree *tree, struct idmap *ids, uint32_t parent,
			  const struct frame_ids *frames, const bool *folds,
			  uint32_t frame)
{
	uint32_t end = frames->first.data[frame + 1];

	for (uint32_t i = frames->first.data[frame]; i < end; i++) {
		uint32_t id = frames->ids.data[i];

		if (!folds || !folds[id] || tree->nodes.data[parent].function != id)
			parent = tree_intern(tree, ids, parent, id);
	}
	return parent;
}

uint32_t *tree_map_source(struct tree *tree, struct idmap *ids, const struct model *model,
			  size_t index, const struct frame_map *frames)
{
	const struct source *source = &model->sources.data[index];
	const struct experiment *exp = source->exp;
	const struct frame_ids *of = &frames->sources[index];
	uint32_t *map = xreallocarray(NULL, exp->nodes.len, sizeof(*map));

	map[0] = TREE_ROOT;
	for (size_t i = 1; i < exp->nodes.len; i++) {
		map[i] = add_frame(tree, ids, map[exp->nodes.data[i].parent], of,
				   frames->folds, frame_of_node(of, exp->nodes.data, i));
	}
	if (totals_has_empty_stacks(source_totals(model, source)))
		map[0] = tree_intern(tree, ids, TREE_ROOT, frames->empty);
	return map;
}

/* Adds the values of source INDEX, to its metrics from FIRST on. */
static void add_own(struct tree *tree, const struct model *model, size_t index,
		    size_t first, const uint32_t *map)
{
	const struct source *source = &model->sources.data[index];
	const struct totals *t = source_totals(model, source);

	for (size_t e = 0; e < t->columns; e++) {
		struct value *own = tree->own +
				    (first + source->metric[e]) * tree->nodes.len;

		for (size_t i = 0; i < t->nodes; i++)
			value_add(&own[map[i]], t->node[e * t->nodes + i]);
	}
}

static void link_children(struct tree *tree)
{
	struct tree_node *nodes = tree->nodes.data;

	for (size_t i = tree->nodes.len - 1; i > 0; i--) {
		nodes[i].next_sibling = nodes[nodes[i].parent].first_child;
		nodes[nodes[i].parent].first_child = (uint32_t)i;
	}
}

static void sum_up(struct tree *tree)
{
	size_t count = tree->nodes.len;

	for (size_t m = 0; m < tree->metrics; m++) {
		struct value *total = tree->total + m * count;

		for (size_t i = 0; i < count; i++)
			total[i] = tree->own[m * count + i];
		for (size_t i = count - 1; i > 0; i--)
			value_add(&total[tree->nodes.data[i].parent], total[i]);
	}
}

static void make_values(struct tree *tree, size_t metrics)
{
	tree->metrics = metrics;
	tree->own = xcalloc(metrics * tree->nodes.len + 1, sizeof(*tree->own));
	tree->total = xcalloc(metrics * tree->nodes.len + 1, sizeof(*tree->total));
}

/*
 * APART: each source has metrics of its own.  Returns, by source, the tree's node of each
 * of its nodes.
 */
static uint32_t **build(struct tree *out, const struct model *model,
			const struct frame_map *frames, bool apart)
{
	uint32_t **maps = xcalloc(model->sources.len + 1, sizeof(*maps));
	struct idmap ids = { 0 };

	tree_init(out);
	for (size_t i = 0; i < model->sources.len; i++)
		maps[i] = tree_map_source(out, &ids, model, i, frames);
	idmap_release(&ids);
	make_values(out, model->metrics.len * (apart ? model->sources.len : 1));
	for (size_t i = 0; i < model->sources.len; i++)
		add_own(out, model, i, apart ? i * model->metrics.len : 0, maps[i]);
	link_children(out);
	sum_up(out);
	return maps;
}

void tree_free_leaves(uint32_t **leaves, const struct model *model)
{
	for (size_t i = 0; i < model->sources.len; i++)
		free(leaves[i]);
	free(leaves);
}

void tree_build(struct tree *out, const struct model *model,
		const struct frame_map *frames)
{
	tree_free_leaves(build(out, model, frames, false), model);
}

uint32_t **tree_build_leaves(struct tree *out, const struct model *model,
			     const struct frame_map *frames)
{
	return build(out, model, frames, false);
}

void tree_build_apart(struct tree *out, const struct model *model,
		      const struct frame_map *frames)
{
	tree_free_leaves(build(out, model, frames, true), model);
}

void tree_complete(struct tree *tree, const struct tree *from, const uint32_t *map)
{
	make_values(tree, from->metrics);
	for (size_t m = 0; m < from->metrics; m++)
		for (size_t n = 0; n < from->nodes.len; n++)
			value_add(&tree->own[m * tree->nodes.len + map[n]],
				  tree_own(from, m)[n]);
	link_children(tree);
	sum_up(tree);
}

struct tree_repeat *tree_repeats(struct tree *tree)
{
	tree->repeats = xcalloc(tree->nodes.len, sizeof(*tree->repeats));
	return tree->repeats;
}

void tree_release(struct tree *tree)
{
	vec_release(&tree->nodes);
	free(tree->own);
	free(tree->total);
	free(tree->repeats);
	*tree = (struct tree){ 0 };
}
