/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/tree_rows.h"

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
	table_column(table, "name", "Name", COLUMN_TREE);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_NUMBER);
	table_machine_column(table, "parent", COLUMN_NUMBER);
	table_machine_column(table, "depth", COLUMN_NUMBER);
	table_machine_column(table, "function_id", COLUMN_TEXT);
}

void tree_rows_add(struct session *s, const struct tree *tree,
		   const struct tree_line *line, uint32_t function, struct table *table)
{
	const struct tree_node *at = &tree->nodes.data[line->node];
	const bool total = line->node == TREE_ROOT;
	const struct model *model = &s->model;

	table_add_tree(table, total ? "<Total>" : session_function(s, function),
		       at->depth, line->last);
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
}
