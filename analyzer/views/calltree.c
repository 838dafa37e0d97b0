/* SPDX-License-Identifier: Apache-2.0 */
/* calltree: from <Total> down to a least share. */
#include <stdlib.h>
#include <string.h>

#include "rows/compare_tree.h"
#include "rows/tree_rows.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Nodes with less than this share (%) are left out, unless another is given. */
#define SHARE_DEFAULT 1.0

struct call_tree {
	struct session *session;
	const struct tree *tree;
	struct tree made; /* unless the tree is the session's */
	struct tree_form form;
	bool all; /* nothing is missing from the tree */
	struct metric_list items;
	uint32_t metric; /* that sorts it */
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
	double least = t->form.share / 100 * (double)total[TREE_ROOT].weight;
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

/* The limit and the share each leave nodes out. */
static const char *how_to_show_all(const struct call_tree *t)
{
	if (!t->session->set.limit)
		return "calltree 0 shows all";
	return t->form.share > 0 ? "limit 0 and calltree 0 show all"
				 : "limit 0 shows all";
}

/* PERCENT of the total is COUNT nodes' own; of so little, none is worth a number. */
static void put_left_out(struct call_tree *t, size_t count, double percent)
{
	strbuf_addf(&t->table.note, "%zu more node%s omitted", count,
		    count > 1 ? "s are" : " is");
	if (percent >= 0.005)
		strbuf_addf(&t->table.note, ", whose own part%s %.2f %% of the total",
			    count > 1 ? "s add up to" : " is", percent);
	strbuf_addf(&t->table.note, ": %s", how_to_show_all(t));
}

/* Of inverted trees only a part is made: it cannot count the rest. */
static void add_note(struct call_tree *t)
{
	const struct value *own = tree_own(t->tree, t->metric);
	struct value left = tree_total(t->tree, t->metric)[TREE_ROOT];
	double whole = (double)left.weight;
	size_t left_out = t->nodes - t->shown;

	for (size_t n = 0; n < t->tree->nodes.len; n++)
		if (t->selected[n])
			value_subtract(&left, own[n]);
	if (left_out && !t->form.inverted)
		put_left_out(t, left_out,
			     whole > 0 ? 100 * (double)left.weight / whole : 0);
	if (t->form.inverted)
		tree_form_note(left_out, t->all, &t->table.note);
}

static void add_columns(struct call_tree *t)
{
	unsigned exclusive = t->form.inverted ? 0 : VIEW_FLAVOR(EXCLUSIVE);

	view_items(t->session, VIEW_FLAVOR(ATTRIBUTED) | exclusive, &t->items);
	for (size_t i = 0; i < t->items.len;) {
		struct metric_item *item = &t->items.data[i];

		if (!metric_item_is_value(item)) {
			*item = t->items.data[--t->items.len];
			continue;
		}
		if (item->flavor == EXCLUSIVE && !output_is_page(&t->session->out))
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

/* Sets the tree; the inverted one only down to the least share. */
static void make_tree(struct call_tree *t)
{
	const struct tree *whole = &session_analysis(t->session, ANALYSIS_TREE)->tree;
	const struct value *own = tree_own(whole, t->metric);
	double *weight;

	t->tree = whole;
	t->all = true;
	if (tree_has_form(whole, &t->form))
		return;
	weight = xcalloc(whole->nodes.len, sizeof(*weight));
	for (size_t n = 0; n < whole->nodes.len; n++)
		weight[n] = (double)own[n].weight;
	t->all = tree_form_make(&t->form, whole, weight, &t->made);
	t->tree = &t->made;
	free(weight);
}

static void add_title(struct call_tree *t)
{
	const struct model *model = &t->session->model;
	const struct metric *metric = &model->metrics.data[t->metric];

	t->table.key = t->form.inverted ? "calltree_inverted" : "calltree";
	table_set_title(&t->table,
			xasprintf("%s. Metric: Attributed %s", tree_form_title(&t->form),
				  model_string(model, metric->label)));
}

static int show_tree(struct session *s, const struct tree_form *form, struct strbuf *err)
{
	struct call_tree t = { .session = s, .form = *form };
	int status;

	add_columns(&t);
	status = find_metric(&t, err);
	if (status)
		goto out;
	make_tree(&t);
	add_title(&t);
	select_nodes(&t);
	tree_lines_make(t.tree, rank_selected, &t, &t.lines);
	t.table.source = (struct table_source){ add_row, &t, t.lines.len };
	add_note(&t);
	status = command_show(s, &t.table, err);
out:
	free(t.selected);
	tree_release(&t.made);
	vec_release(&t.lines);
	vec_release(&t.items);
	table_release(&t.table);
	return status;
}

/* Scripts may write the command line's dash before the word. */
static bool is_inverted(const char *word)
{
	return !strcmp(word + (*word == '-'), "inverted");
}

static int parse_form(int argc, char **argv, struct tree_form *out, struct strbuf *err)
{
	for (int i = 0; i < argc; i++) {
		char *end;

		if (is_inverted(argv[i])) {
			out->inverted = true;
			continue;
		}
		out->share = strtod(argv[i], &end);
		if (end != argv[i] && !*end && out->share >= 0 && out->share <= 100)
			continue;
		strbuf_addf(err,
			    "calltree takes the least share to show, 0 to 100 %%, and "
			    "'inverted', not '%s'",
			    argv[i]);
		return CMD_USAGE;
	}
	return 0;
}

static int run_calltree(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct tree_form form = { .share = SHARE_DEFAULT, .full = s->set.full_recursion };
	int status = parse_form(argc, argv, &form, err);

	if (status)
		return status;
	return s->set.compare ? compare_tree_show(s, &form, err)
			      : show_tree(s, &form, err);
}

const struct cmd cmd_calltree = {
	.name = "calltree",
	.args = "[WAY] [PCT]",
	.help = "the call tree, down to this share (1 %)",
	.values = "inverted",
	.run = run_calltree,
};
