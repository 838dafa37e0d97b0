/* SPDX-License-Identifier: Apache-2.0 */
/* calltree: from <Total> down, as far as it matters. */
#include <stdlib.h>

#include "views/view.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Nodes with less than this share (%) are left out, unless another is given. */
#define SHARE_DEFAULT 1.0

struct call_tree {
	struct session *session;
	const struct tree *tree;
	struct metric_list items;
	uint32_t metric; /* that it is ordered by */
	double share;
	bool *selected;
	size_t nodes, shown; /* with samples, and of these the selected */
	struct table table;
};

/* Whether a node has samples of any metric that is shown. */
static bool is_there(const struct call_tree *t, uint32_t node)
{
	vec_for_each(const struct metric_item, item, &t->items) {
		uint32_t metric = metric_item_base(&t->session->model, item);

		if (value_is_any(tree_total(t->tree, metric)[node]))
			return true;
	}
	return value_is_any(tree_total(t->tree, t->metric)[node]);
}

/*
 * Selected are the nodes with the highest values: a node never has more than its parent,
 * and stands behind it, so that what is selected hangs together.
 */
static void select_nodes(struct call_tree *t)
{
	const struct value *total = tree_total(t->tree, t->metric);
	double least = t->share / 100 * (double)total[TREE_ROOT].weight;
	size_t limit = t->session->limit;
	struct ranks ranks = { 0 };

	t->selected = xcalloc(t->tree->nodes.len, sizeof(*t->selected));
	for (uint32_t n = 0; n < t->tree->nodes.len; n++) {
		if (!is_there(t, n))
			continue;
		t->nodes++;
		if ((double)total[n].weight >= least)
			*vec_push(&ranks) = (struct rank){ .weight = total[n].weight,
							   .samples = total[n].samples,
							   .name = "",
							   .id = n };
	}
	ranks_sort(&ranks, false);
	t->shown = limit && limit + 1 < ranks.len ? limit + 1 : ranks.len;
	for (size_t i = 0; i < t->shown; i++)
		t->selected[ranks.data[i].id] = true;
	vec_release(&ranks);
}

static const char *name_of(struct call_tree *t, uint32_t node)
{
	return node == TREE_ROOT
		       ? "<Total>"
		       : session_function(t->session, t->tree->nodes.data[node].function);
}

static const char *object_of(const struct call_tree *t, uint32_t node)
{
	const struct model *model = &t->session->model;
	uint32_t function = t->tree->nodes.data[node].function;

	return node == TREE_ROOT
		       ? ""
		       : object_path(model, model->functions.data[function].object);
}

/* Of which the values of a row are. */
struct node_row {
	const struct tree *tree;
	uint32_t node;
};

static struct value value_of(const void *node_row, enum flavor flavor, uint32_t metric)
{
	const struct node_row *row = node_row;

	return (flavor == EXCLUSIVE ? tree_own : tree_total)(row->tree,
							     metric)[row->node];
}

static void add_row(struct call_tree *t, uint32_t node, bool last)
{
	const struct tree_node *at = &t->tree->nodes.data[node];
	const struct node_row values = { t->tree, node };
	const struct view_row row = { .value = value_of, .row = &values };

	view_cells(t->session, &t->items, &row, &t->table);
	table_add_tree(&t->table, name_of(t, node), at->depth, last);
	table_add_text(&t->table, object_of(t, node));
	table_add_number(&t->table, node);
	if (node == TREE_ROOT)
		table_add_absent(&t->table);
	else
		table_add_number(&t->table, at->parent);
	table_add_number(&t->table, at->depth);
}

/* Nodes that wait for their row. */
struct pending {
	uint32_t node;
	bool last;
};

struct stack {
	struct pending *data;
	size_t len, cap;
};

/* The children of NODE that are shown, the first of them on top. */
static void push_children(struct call_tree *t, uint32_t node, struct stack *stack)
{
	const struct value *total = tree_total(t->tree, t->metric);
	const struct tree_node *nodes = t->tree->nodes.data;
	struct ranks ranks = { 0 };

	for (uint32_t n = nodes[node].first_child; n; n = nodes[n].next_sibling)
		if (t->selected[n])
			*vec_push(&ranks) = (struct rank){ .weight = total[n].weight,
							   .samples = total[n].samples,
							   .name = name_of(t, n),
							   .id = n };
	ranks_sort(&ranks, false);
	for (size_t i = ranks.len; i-- > 0;)
		*vec_push(stack) = (struct pending){ .node = ranks.data[i].id,
						     .last = i + 1 == ranks.len };
	vec_release(&ranks);
}

static void add_rows(struct call_tree *t)
{
	struct stack stack = { 0 };

	*vec_push(&stack) = (struct pending){ .node = TREE_ROOT, .last = true };
	while (stack.len) {
		struct pending next = stack.data[--stack.len];

		add_row(t, next.node, next.last);
		push_children(t, next.node, &stack);
	}
	vec_release(&stack);
}

static void add_note(struct call_tree *t)
{
	const struct value *own = tree_own(t->tree, t->metric);
	struct value left = tree_total(t->tree, t->metric)[TREE_ROOT];
	double whole = (double)left.weight;
	size_t left_out;

	for (size_t n = 0; n < t->tree->nodes.len; n++)
		if (t->selected[n])
			value_subtract(&left, own[n]);
	left_out = t->nodes - t->shown;
	if (left_out)
		strbuf_addf(
			&t->table.note,
			"%zu smaller node%s left out, which hold%s %.2f %% of the total: "
			"calltree 0 shows all",
			left_out, left_out > 1 ? "s are" : " is", left_out > 1 ? "" : "s",
			whole > 0 ? 100 * (double)left.weight / whole : 0);
}

static void add_columns(struct call_tree *t)
{
	view_items(t->session, VIEW_FLAVOR(ATTRIBUTED) | VIEW_FLAVOR(EXCLUSIVE),
		   &t->items);
	for (size_t i = 0; i < t->items.len;) {
		struct metric_item *item = &t->items.data[i];

		if (!metric_item_is_value(item)) {
			*item = t->items.data[--t->items.len];
			continue;
		}
		if (item->flavor == EXCLUSIVE)
			item->show = 0;
		view_column(t->session, item, &t->table);
		i++;
	}
	table_column(&t->table, "name", "Name", COLUMN_TREE);
	table_machine_column(&t->table, "object", COLUMN_TEXT);
	table_machine_column(&t->table, "id", COLUMN_NUMBER);
	table_machine_column(&t->table, "parent", COLUMN_NUMBER);
	table_machine_column(&t->table, "depth", COLUMN_NUMBER);
}

/* The metric that tells the nodes to show, and sorts those below one. */
static uint32_t metric_of_order(const struct call_tree *t)
{
	struct sort_key sort = view_order(t->session, &t->items, 0);

	return metric_item_base(&t->session->model, &sort.by);
}

static int parse_share(int argc, char **argv, double *out, struct strbuf *err)
{
	char *end;

	*out = SHARE_DEFAULT;
	if (!argc)
		return 0;
	*out = strtod(argv[0], &end);
	if (end != argv[0] && !*end && *out >= 0 && *out <= 100)
		return 0;
	strbuf_addf(err, "calltree takes the least share to show, 0 to 100 %%, not '%s'",
		    argv[0]);
	return CMD_USAGE;
}

static int run_calltree(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct call_tree t = { .session = s };
	const struct metric *metric;
	int status = parse_share(argc, argv, &t.share, err);

	if (status)
		return status;
	if (!s->model.metrics.len) {
		strbuf_addstr(err, "the recording has no metric");
		return CMD_FAILED;
	}
	t.tree = &session_analysis(s)->tree;
	add_columns(&t);
	t.metric = metric_of_order(&t);
	metric = &s->model.metrics.data[t.metric];
	t.table.key = "calltree";
	table_set_title(&t.table, xasprintf("Functions Call Tree. Metric: Attributed %s",
				  model_string(&s->model, metric->label)));
	select_nodes(&t);
	add_rows(&t);
	add_note(&t);
	status = command_status(session_show(s, &t.table), output_name(&s->out), err);
	free(t.selected);
	vec_release(&t.items);
	return status;
}

const struct cmd cmd_calltree = {
	.name = "calltree",
	.args = "[PERCENT]",
	.help = "the call tree, down to this share (default: 1 %)",
	.run = run_calltree,
};
