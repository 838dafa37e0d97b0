/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/tree_rows.h"

bool tree_has_form(const struct tree *whole, const struct tree_form *form)
{
	return !form->inverted &&
	       (form->full || !tree_has_rounds(whole, FOLD_PERIOD_MAX));
}

bool tree_form_make(const struct tree_form *form, const struct tree *whole,
		    const double *weight, struct tree *out)
{
	struct tree_least least = { .weight = weight };
	struct folding folding;
	bool all = true;

	for (size_t n = 0; n < whole->nodes.len; n++)
		least.least += weight[n] * form->share / 100;

	tree_fold(&folding, whole, form->full ? 0 : FOLD_PERIOD_MAX);
	if (form->inverted) {
		all = tree_invert(out, &folding, whole, least);
	} else {
		*out = folding.tree;
		folding.tree = (struct tree){ 0 };
	}
	folding_release(&folding);
	return all;
}

void tree_form_note(size_t omitted, bool all, struct strbuf *note)
{
	if (omitted)
		strbuf_addstr(note,
			      "smaller nodes are omitted: calltree inverted 0 shows "
			      "all");
	if (!all)
		strbuf_addf(note, "%scallers far from the leaf are omitted: too many",
			    note->len ? "; " : "");
}

const char *tree_form_title(const struct tree_form *form)
{
	return form->inverted ? "Inverted Call Tree" : "Functions Call Tree";
}

/* The children of NODE that are shown, the first of them on top. */
static void push_children(const struct tree *tree, uint32_t node, tree_rank_fn *rank,
			  void *ctx, struct tree_lines *stack)
{
	const struct tree_node *nodes = tree->nodes.data;
	struct ranks ranks = { 0 };
	struct rank child;

	for (uint32_t n = nodes[node].first_child; n; n = nodes[n].next_sibling)
		if (rank(ctx, n, &child))
			*vec_push(&ranks) = child;
	ranks_sort(&ranks, false);
	for (size_t i = ranks.len; i-- > 0;)
		*vec_push(stack) = (struct tree_line){ .node = ranks.data[i].id,
						       .last = i + 1 == ranks.len };
	vec_release(&ranks);
}

void tree_lines_make(const struct tree *tree, tree_rank_fn *rank, void *ctx,
		     struct tree_lines *out)
{
	struct tree_lines stack = { 0 };

	*vec_push(&stack) = (struct tree_line){ .node = TREE_ROOT, .last = true };
	while (stack.len) {
		struct tree_line next = stack.data[--stack.len];

		*vec_push(out) = next;
		push_children(tree, next.node, rank, ctx, &stack);
	}
	vec_release(&stack);
}

void tree_rows_columns(struct table *table)
{
	table_name_column(table, COLUMN_TREE);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_NUMBER);
	table_machine_column(table, "parent", COLUMN_NUMBER);
	table_machine_column(table, "depth", COLUMN_NUMBER);
	table_machine_column(table, "function_id", COLUMN_TEXT);
	table_machine_column(table, "frames", COLUMN_NUMBER);
	table_machine_column(table, "cycle", COLUMN_NUMBER);
}

void tree_rows_add(struct session *s, const struct tree *tree,
		   const struct tree_line *line, uint32_t function, struct table *table)
{
	const struct tree_node *at = &tree->nodes.data[line->node];
	const bool total = line->node == TREE_ROOT;
	const struct model *model = &s->model;
	const struct tree_repeat one = { .frames = 1 };
	const struct tree_repeat *repeat = tree->repeats ? &tree->repeats[line->node]
							 : &one;

	table_add_tree(table, total ? "<Total>" : session_function(s, function),
		       (struct tree_place){ at->depth, line->last, repeat->frames,
					    repeat->cycle });
	table_add_text(
		table,
		total ? "" : object_path(model, model->functions.data[function].object));
	table_add_number(table, line->node);
	if (total)
		table_add_absent(table);
	else
		table_add_number(table, at->parent);
	table_add_number(table, at->depth);
	view_function_id(s, function, table);
	if (total)
		table_add_absent(table);
	else
		table_add_number(table, repeat->frames);
	table_add_number(table, repeat->cycle);
}
