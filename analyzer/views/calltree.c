/* SPDX-License-Identifier: Apache-2.0 */
/* calltree: from <Total> down to a least share. */
#include <stdlib.h>

#include "rows/compare_tree.h"
#include "rows/tree_rows.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Nodes with less than this share (%) are left out, unless another is given. */
#define SHARE_DEFAULT 1.0

struct call_tree {
	struct session *session;
	const struct tree *tree;
	struct metric_list items;
	uint32_t metric; /* that sorts it */
	double share;
	bool *selected;
	size_t nodes, shown; /* with samples, and of these the selected */
	struct tree_lines lines;
	struct table table;
};

/* Whether a node has samples of any displayed metric. */
static bool is_there(const struct call_tree *t, uint32_t node)
{
	vec_for_each(const struct metric_item, item, &t->items) {
		uint32_t metric;

		if (metric_item_base(&t->session->model, item, &metric) &&
		    value_is_any(tree_total(t->tree, metric)[node]))
			return true;
	}
	return value_is_any(tree_total(t->tree, t->metric)[node]);
}

/* Of the selected nodes, only the COUNT with the highest values stay so. */
static void select_first(struct call_tree *t, size_t count)
{
	const struct value *total = tree_total(t->tree, t->metric);
	struct ranks ranks = { 0 };

	for (uint32_t n = 0; n < t->tree->nodes.len; n++)
		if (t->selected[n])
			*vec_push(&ranks) = (struct rank){ .weight = total[n].weight,
							   .samples = total[n].samples,
							   .name = "",
							   .id = n };
	ranks_sort(&ranks, false);
	for (size_t i = count; i < ranks.len; i++)
		t->selected[ranks.data[i].id] = false;
	t->shown = count;
	vec_release(&ranks);
}

/*
 * Selects the nodes with the highest values.  A node never has more than its parent, and
 * sorts behind it, so the selection is connected.
 */
static void select_nodes(struct call_tree *t)
{
	const struct value *total = tree_total(t->tree, t->metric);
	double least = t->share / 100 * (double)total[TREE_ROOT].weight;
	size_t limit = t->session->set.limit;

	t->selected = xcalloc(t->tree->nodes.len, sizeof(*t->selected));
	for (uint32_t n = 0; n < t->tree->nodes.len; n++) {
		bool there = is_there(t, n);

		t->selected[n] = there && (double)total[n].weight >= least;
		t->nodes += there;
		t->shown += t->selected[n];
	}
	if (limit && limit + 1 < t->shown)
		select_first(t, limit + 1);
}

/* The source of a row's values. */
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

static void add_row(void *ctx, size_t index, struct table *table)
{
	struct call_tree *t = ctx;
	const struct tree_line *line = &t->lines.data[index];
	const struct node_row values = { t->tree, line->node };
	const struct view_row row = { .value = value_of,
				      .row = &values,
				      .total = line->node == TREE_ROOT };

	view_cells(t->session, &t->items, &row, table);
	tree_rows_add(t->session, t->tree, line, t->tree->nodes.data[line->node].function,
		      table);
}

/* A tree_rank_fn: by value. */
static bool rank_selected(void *ctx, uint32_t node, struct rank *out)
{
	struct call_tree *t = ctx;
	const struct value total = tree_total(t->tree, t->metric)[node];

	if (!t->selected[node])
		return false;
	*out = (struct rank){
		.weight = total.weight,
		.samples = total.samples,
		.name = session_function(t->session, t->tree->nodes.data[node].function),
		.id = node,
	};
	return true;
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
		strbuf_addf(&t->table.note,
			    "%zu smaller node%s omitted, which hold%s %.2f %% of the "
			    "total: calltree 0 shows all",
			    left_out, left_out > 1 ? "s are" : " is",
			    left_out > 1 ? "" : "s",
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
	tree_rows_columns(&t->table);
}

/* Finds the metric that selects the nodes, and sorts those below one. */
static int find_metric(struct call_tree *t, struct strbuf *err)
{
	struct sort_key sort = view_order(t->session, &t->items, 0);

	if (metric_item_base(&t->session->model, &sort.by, &t->metric))
		return 0;
	strbuf_addstr(err, "the recording has no metric");
	return CMD_FAILED;
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

static int show_tree(struct session *s, double share, struct strbuf *err)
{
	struct call_tree t = { .session = s, .share = share };
	const struct metric *metric;
	int status;

	t.tree = &session_analysis(s, ANALYSIS_TREE)->tree;
	add_columns(&t);
	status = find_metric(&t, err);
	if (status)
		goto out;
	metric = &s->model.metrics.data[t.metric];
	t.table.key = "calltree";
	table_set_title(&t.table, xasprintf("Functions Call Tree. Metric: Attributed %s",
					    model_string(&s->model, metric->label)));
	select_nodes(&t);
	tree_lines_make(t.tree, rank_selected, &t, &t.lines);
	t.table.source = (struct table_source){ add_row, &t, t.lines.len };
	add_note(&t);
	status = command_show(s, &t.table, err);
out:
	free(t.selected);
	vec_release(&t.lines);
	vec_release(&t.items);
	table_release(&t.table);
	return status;
}

static int run_calltree(struct session *s, int argc, char **argv, struct strbuf *err)
{
	double share;
	int status = parse_share(argc, argv, &share, err);

	if (status)
		return status;
	return s->set.compare ? compare_tree_show(s, share, err)
			      : show_tree(s, share, err);
}

const struct cmd cmd_calltree = {
	.name = "calltree",
	.args = "[PERCENT]",
	.help = "the call tree, down to this share (default: 1 %)",
	.run = run_calltree,
};
