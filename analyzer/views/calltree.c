/* SPDX-License-Identifier: Apache-2.0 */
/* calltree: from <Total> down to a least share. */
#include <stdlib.h>
#include <string.h>

#include "rows/compare_table.h"
#include "rows/view.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Nodes with less than this share (%) are left out, unless another is given. */
#define SHARE_DEFAULT 1.0

/* A row: its node, and whether no sibling follows. */
struct line {
	uint32_t node;
	bool last;
};

struct lines {
	struct line *data;
	size_t len, cap;
};

/* ---- rows, compared or not ---- */

/* The place of NODE among its siblings; false: it is not shown. */
typedef bool rank_fn(void *ctx, uint32_t node, struct rank *out);

/* The children of NODE that are shown, the first of them on top. */
static void push_children(const struct tree *tree, uint32_t node, rank_fn *rank,
			  void *ctx, struct lines *stack)
{
	const struct tree_node *nodes = tree->nodes.data;
	struct ranks ranks = { 0 };
	struct rank child;

	for (uint32_t n = nodes[node].first_child; n; n = nodes[n].next_sibling)
		if (rank(ctx, n, &child))
			*vec_push(&ranks) = child;
	ranks_sort(&ranks, false);
	for (size_t i = ranks.len; i-- > 0;)
		*vec_push(stack) = (struct line){ .node = ranks.data[i].id,
						  .last = i + 1 == ranks.len };
	vec_release(&ranks);
}

/* Puts the displayed nodes into the order of their rows. */
static void make_lines(const struct tree *tree, rank_fn *rank, void *ctx,
		       struct lines *out)
{
	struct lines stack = { 0 };

	*vec_push(&stack) = (struct line){ .node = TREE_ROOT, .last = true };
	while (stack.len) {
		struct line next = stack.data[--stack.len];

		*vec_push(out) = next;
		push_children(tree, next.node, rank, ctx, &stack);
	}
	vec_release(&stack);
}

/* The cells of a row except its values.  FUNCTION: the node's; MODEL_NONE for <Total>. */
static void add_node(struct session *s, const struct tree *tree, const struct line *line,
		     uint32_t function, struct table *table)
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

/* ---- of one group ---- */

struct call_tree {
	struct session *session;
	const struct tree *tree;
	struct metric_list items;
	uint32_t metric; /* that sorts it */
	double share;
	bool *selected;
	size_t nodes, shown; /* with samples, and of these the selected */
	struct lines lines;
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
	const struct line *line = &t->lines.data[index];
	const struct node_row values = { t->tree, line->node };
	const struct view_row row = { .value = value_of,
				      .row = &values,
				      .total = line->node == TREE_ROOT };

	view_cells(t->session, &t->items, &row, table);
	add_node(t->session, t->tree, line, t->tree->nodes.data[line->node].function,
		 table);
}

/* A rank_fn: by value. */
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

static void add_tree_columns(struct table *table)
{
	table_column(table, "name", "Name", COLUMN_TREE);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_NUMBER);
	table_machine_column(table, "parent", COLUMN_NUMBER);
	table_machine_column(table, "depth", COLUMN_NUMBER);
	table_machine_column(table, "function_id", COLUMN_TEXT);
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
	add_tree_columns(&t->table);
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
	make_lines(t.tree, rank_selected, &t, &t.lines);
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

/* ---- compared ---- */

/*
 * Both sides' sums select the displayed nodes, independently of the differences: so only
 * these are tested.
 */
struct compared_tree {
	struct compare_table compare;
	struct tree tree;
	struct counterparts parts; /* a node's function is a row of these */
	double *both;              /* by node: the sides' amounts together */
	VEC(uint32_t) selected;    /* nodes without the root, parents first */
	VEC(uint32_t) place;       /* by node: in selected; MODEL_NONE: not there */
	struct lines lines;
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

static void weigh_nodes(struct compared_tree *t)
{
	const struct metric_item *item = &t->compare.item;
	const struct model *model = &t->compare.session->model;
	struct sums sums = sums_of_tree(&t->tree);
	struct comparison_rows sides;
	uint32_t metric;

	t->both = xcalloc(sums.groups, sizeof(*t->both));
	if (!metric_item_base(model, item, &metric))
		return;
	comparison_rows_init(&sides, model, &sums, INCLUSIVE, metric);
	for (size_t n = 0; n < sums.groups; n++)
		for (size_t side = 0; side < SIDES; side++) {
			uint64_t samples;

			t->both[n] +=
				comparison_rows_mean(&sides, n, side, &samples).mean;
		}
	comparison_rows_release(&sides);
}

/* As in select_nodes, a node never has more than its parent, and sorts behind it. */
static void select_compared(struct compared_tree *t, double share)
{
	size_t limit = t->compare.session->set.limit, nodes = t->tree.nodes.len;
	double least = share / 100 * t->both[TREE_ROOT];
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
	const struct line *line = &t->lines.data[index];
	const bool total = line->node == TREE_ROOT;
	uint32_t row = t->tree.nodes.data[line->node].function;
	const struct compared *c = total ? &t->compare.comparison.rows.data[0]
					 : compare_table_find(&t->compare,
							      t->place.data[line->node]);

	compare_table_begin(&t->compare, c);
	add_node(t->compare.session, &t->tree, line,
		 total ? MODEL_NONE : t->parts.first.data[row], table);
	compare_table_end(&t->compare, c);
}

/* A rank_fn: by both sides. */
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
	if (left_out)
		strbuf_addf(&t->compare.table.note,
			    "%zu smaller node%s omitted: calltree 0 shows all", left_out,
			    left_out > 1 ? "s are" : " is");
}

static int compare_tree(struct session *s, double share, struct strbuf *err)
{
	struct compared_tree t = { 0 };
	struct frame_map frames;
	int status = compare_table_init(&t.compare, s, "compare_calltree",
					VIEW_FLAVOR(ATTRIBUTED), err);

	if (status)
		return status;
	session_shown_apart(s, &t.parts, &frames);
	tree_build_apart(&t.tree, &s->model, &frames);
	frame_map_release(&frames);
	weigh_nodes(&t);
	select_compared(&t, share);
	compare_selected(&t);
	table_set_title(&t.compare.table,
			compare_table_title(&t.compare, "Functions Call Tree"));
	compare_table_columns(&t.compare);
	add_tree_columns(&t.compare.table);
	compare_table_end_columns(&t.compare);
	make_lines(&t.tree, rank_compared, &t, &t.lines);
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

/* ---- the command ---- */

static int run_calltree(struct session *s, int argc, char **argv, struct strbuf *err)
{
	double share;
	int status = parse_share(argc, argv, &share, err);

	if (status)
		return status;
	return s->set.compare ? compare_tree(s, share, err) : show_tree(s, share, err);
}

const struct cmd cmd_calltree = {
	.name = "calltree",
	.args = "[PERCENT]",
	.help = "the call tree, down to this share (default: 1 %)",
	.run = run_calltree,
};
