/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/compare_tree.h"

#include <stdlib.h>
#include <string.h>

#include "rows/compare_table.h"
#include "rows/tree_rows.h"
#include "session/cmd.h"
#include "base/xalloc.h"

/*
 * Both sides' sums select the displayed nodes, independently of the differences: so only
 * these are tested.
 */
struct compared_tree {
	struct compare_table compare;
	struct tree_form form;
	struct tree tree;
	bool all;                  /* nothing is missing from the tree */
	struct counterparts parts; /* a node's function is a row of these */
	double *both;              /* by node: the sides' amounts together */
	VEC(uint32_t) selected;    /* nodes without the root, parents first */
	VEC(uint32_t) place;       /* by node: in selected; MODEL_NONE: not there */
	struct tree_lines lines;
};

static struct sums sums_of_tree(const struct tree *tree)
{
	return (struct sums){ .groups = tree->nodes.len,
			      .exclusive = tree->own,
			      .inclusive = tree->total };
}

/* In the form of a rank: amounts are not negative. */
static struct rank rank_both(const struct compared_tree *t, uint32_t node,
			     const char *name)
{
	struct rank rank = { .name = name, .id = node };

	memcpy(&rank.weight, &t->both[node], sizeof(rank.weight));
	return rank;
}

/* By node, the sides' amounts together.  The caller frees it. */
static double *weigh_nodes(const struct compared_tree *t, const struct tree *tree,
			   enum flavor flavor)
{
	const struct metric_item *item = &t->compare.item;
	const struct model *model = &t->compare.session->model;
	struct sums sums = sums_of_tree(tree);
	double *both = xcalloc(sums.groups, sizeof(*both));
	struct comparison_rows sides;
	uint32_t metric;

	if (!metric_item_base(model, item, &metric))
		return both;
	comparison_rows_init(&sides, model, &sums, flavor, metric);
	for (size_t n = 0; n < sums.groups; n++)
		for (size_t side = 0; side < SIDES; side++) {
			uint64_t samples;

			both[n] += comparison_rows_mean(&sides, n, side, &samples).mean;
		}
	comparison_rows_release(&sides);
	return both;
}

static void make_tree(struct compared_tree *t)
{
	struct session *s = t->compare.session;
	struct frame_map frames;
	struct tree whole;

	session_shown_apart(s, &t->parts, &frames);
	tree_build_apart(&whole, &s->model, &frames);
	frame_map_release(&frames);
	t->all = true;
	if (tree_has_form(&whole, &t->form)) {
		t->tree = whole;
	} else {
		double *weight = weigh_nodes(t, &whole, EXCLUSIVE);

		t->all = tree_form_make(&t->form, &whole, weight, &t->tree);
		free(weight);
		tree_release(&whole);
	}
	t->both = weigh_nodes(t, &t->tree, INCLUSIVE);
}

/* A node never has more than its parent, and sorts behind it. */
static void select_compared(struct compared_tree *t)
{
	size_t limit = t->compare.session->set.limit, nodes = t->tree.nodes.len;
	double least = t->form.share / 100 * t->both[TREE_ROOT];
	struct ranks ranks = { 0 };

	for (uint32_t n = 0; n < nodes; n++) {
		*vec_push(&t->place) = MODEL_NONE;
		if (n != TREE_ROOT && t->both[n] > 0 && t->both[n] >= least)
			*vec_push(&ranks) = rank_both(t, n, "");
	}
	ranks_sort(&ranks, false);
	for (size_t i = 0; i < ranks.len && (!limit || i < limit); i++) {
		t->place.data[ranks.data[i].id] = (uint32_t)t->selected.len;
		*vec_push(&t->selected) = ranks.data[i].id;
	}
	vec_release(&ranks);
}

static void compare_selected(struct compared_tree *t)
{
	struct sums all = sums_of_tree(&t->tree), sums;

	sums_select(&sums, &all, t->tree.metrics, t->selected.data, t->selected.len);
	sums.machine = xcalloc(t->selected.len + 1, sizeof(*sums.machine));
	for (size_t i = 0; i < t->selected.len; i++)
		sums.machine[i] = counterparts_is_machine(
			&t->parts, &t->compare.session->model,
			t->tree.nodes.data[t->selected.data[i]].function);
	compare_table_compare(&t->compare, &sums);
	sums_release(&sums);
}

static void add_compared_row(void *ctx, size_t index, struct table *table)
{
	struct compared_tree *t = ctx;
	const struct tree_line *line = &t->lines.data[index];
	const bool total = line->node == TREE_ROOT;
	uint32_t row = t->tree.nodes.data[line->node].function;
	const struct compared *c = total ? &t->compare.comparison.rows.data[0]
					 : compare_table_find(&t->compare,
							      t->place.data[line->node]);

	compare_table_begin(&t->compare, c);
	tree_rows_add(t->compare.session, &t->tree, line,
		      total ? MODEL_NONE : t->parts.first.data[row], table);
	compare_table_end(&t->compare, c);
}

/* A tree_rank_fn: by both sides. */
static bool rank_compared(void *ctx, uint32_t node, struct rank *out)
{
	struct compared_tree *t = ctx;
	uint32_t row = t->tree.nodes.data[node].function;

	if (t->place.data[node] == MODEL_NONE)
		return false;
	*out = rank_both(t, node,
			 session_function(t->compare.session, t->parts.first.data[row]));
	return true;
}

static void add_compared_note(struct compared_tree *t)
{
	size_t left_out = 0;

	for (size_t n = TREE_ROOT + 1; n < t->tree.nodes.len; n++)
		left_out += t->both[n] > 0 && t->place.data[n] == MODEL_NONE;
	if (t->form.inverted)
		tree_form_note(left_out, t->all, &t->compare.table.note);
	else if (left_out)
		strbuf_addf(&t->compare.table.note,
			    "%zu smaller node%s omitted: calltree 0 shows all", left_out,
			    left_out > 1 ? "s are" : " is");
}

int compare_tree_show(struct session *s, const struct tree_form *form, struct strbuf *err)
{
	struct compared_tree t = { .form = *form };
	int status = compare_table_init(&t.compare, s,
					form->inverted ? "compare_calltree_inverted"
						       : "compare_calltree",
					VIEW_FLAVOR(ATTRIBUTED), err);

	if (status)
		return status;
	make_tree(&t);
	select_compared(&t);
	compare_selected(&t);
	table_set_title(&t.compare.table,
			compare_table_title(&t.compare, tree_form_title(form)));
	compare_table_columns(&t.compare);
	tree_rows_columns(&t.compare.table);
	compare_table_end_columns(&t.compare);
	tree_lines_make(&t.tree, rank_compared, &t, &t.lines);
	t.compare.table.source = (struct table_source){ add_compared_row, &t,
							t.lines.len };
	add_compared_note(&t);
	status = compare_table_show(&t.compare, err);
	vec_release(&t.lines);
	vec_release(&t.selected);
	vec_release(&t.place);
	free(t.both);
	tree_release(&t.tree);
	counterparts_release(&t.parts);
	return status;
}
