/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/call_table.h"

#include "rows/view.h"

void call_table_init(struct call_table *t, struct session *s)
{
	*t = (struct call_table){ .session = s };
	view_items(s, VIEW_FLAVOR(ATTRIBUTED), &t->items);
	t->sort = view_order(s, &t->items, VIEW_FIELD(FIELD_NAME));
	t->table.key = "callers_callees";
	table_set_title(&t->table, view_title(s, "Callers and callees", &t->sort));
	view_columns(s, &t->items, &t->table);
	table_name_column(&t->table, COLUMN_TEXT);
	table_machine_column(&t->table, "object", COLUMN_TEXT);
	table_machine_column(&t->table, "relation", COLUMN_TEXT);
	table_machine_column(&t->table, "id", COLUMN_NUMBER);
	table_machine_column(&t->table, "parent", COLUMN_NUMBER);
	table_machine_column(&t->table, "function_id", COLUMN_TEXT);
}

void call_table_release(struct call_table *t)
{
	callers_release(&t->callers);
	vec_release(&t->items);
	vec_release(&t->lines);
	vec_release(&t->centers);
	vec_release(&t->whole);
	vec_release(&t->own);
	table_release(&t->table);
}

static const char *name_of(struct session *s, uint32_t function)
{
	return function == MODEL_NONE ? "<Total>" : session_function(s, function);
}

/* CENTER's total, by its callers, and its own part: the total without its callees. */
static void sum_center(struct call_table *t, uint32_t center)
{
	const struct callers *c = &t->callers;

	vec_reserve(&t->whole, c->metrics);
	vec_reserve(&t->own, c->metrics);
	for (size_t m = 0; m < c->metrics; m++) {
		struct value whole = { 0 }, callees = { 0 };

		for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++) {
			const struct call_edge *edge = &c->edges.data[i];

			value_add(edge->callee ? &callees : &whole,
				  callers_value(c, m, edge));
		}
		t->whole.data[m] = t->own.data[m] = whole;
		value_subtract(&t->own.data[m], callees);
	}
}

static uint32_t function_of(const struct call_table *t, const struct call_line *line)
{
	bool is_edge = line->relation == CALL_CALLER || line->relation == CALL_CALLEE;

	return is_edge ? t->callers.edges.data[line->item].other : line->item;
}

static void add_cells(struct call_table *t, size_t row, struct table *table)
{
	static const char *const words[] = {
		[CALL_CALLER] = "caller",
		[CALL_FRAGMENT] = "fragment",
		[CALL_SELF] = "self",
		[CALL_CALLEE] = "callee",
	};
	const struct call_line *line = &t->lines.data[row];
	const struct model *model = &t->session->model;
	uint32_t function = function_of(t, line);
	const char *name = name_of(t->session, function);

	if (line->relation == CALL_SELF)
		table_add_marked(table, name);
	else
		table_add_text(table, name);
	table_add_text(
		table,
		function == MODEL_NONE
			? ""
			: object_path(model, model->functions.data[function].object));
	table_add_text(table, words[line->relation]);
	table_add_number(table, row + 1);
	if (line->relation == CALL_SELF)
		table_add_absent(table);
	else
		table_add_number(table, t->centers.data[line->center].row);
	view_function_id(t->session, function, table);
}

/* The source of a row's values; EDGE NULL: the centre's own. */
struct edge_row {
	const struct call_table *table;
	const struct call_edge *edge;
};

static struct value value_of(const void *edge_row, enum flavor flavor, uint32_t metric)
{
	const struct edge_row *row = edge_row;

	(void)flavor; /* attributed */
	return row->edge ? callers_value(&row->table->callers, metric, row->edge)
			 : row->table->own.data[metric];
}

static struct value whole_of(const void *edge_row, uint32_t metric)
{
	return ((const struct edge_row *)edge_row)->table->whole.data[metric];
}

static void add_values(struct call_table *t, const struct call_line *line,
		       struct table *table)
{
	const struct edge_row values = {
		t,
		line->relation == CALL_SELF ? NULL : &t->callers.edges.data[line->item],
	};

	if (t->summed != line->center + 1)
		sum_center(t, t->centers.data[line->center].function);
	t->summed = line->center + 1;
	view_cells(t->session, &t->items,
		   &(struct view_row){ value_of, whole_of, &values }, table);
}

static void add_row(void *ctx, size_t row, struct table *table)
{
	struct call_table *t = ctx;
	const struct call_line *line = &t->lines.data[row];

	if (line->relation != CALL_FRAGMENT) {
		add_values(t, line, table);
	} else {
		/* a function on the way to the centre has no metrics of its own here */
		vec_for_each(const struct metric_item, item, &t->items)
			if (metric_item_is_value(item))
				table_add_absent(table);
	}
	add_cells(t, row, table);
}

/* ---- the rows ---- */

static void add_line(struct call_table *t, enum call_relation relation, uint32_t item)
{
	*vec_push(&t->lines) = (struct call_line){
		.relation = relation,
		.item = item,
		.center = (uint32_t)t->centers.len - 1,
	};
	t->table.source =
		(struct table_source){ .add = add_row, .ctx = t, .rows = t->lines.len };
}

/*
 * On the requested side.  A call whose samples all belong to an inner one is shown; one
 * without samples after the filter is not.
 */
static bool is_seen(const struct call_table *t, const struct call_edge *edge, bool callee)
{
	const struct callers *c = &t->callers;

	if (edge->callee != callee || !filter_is_set(&t->session->model.filter))
		return edge->callee == callee;
	for (size_t m = 0; m < c->metrics; m++)
		if (value_is_any(callers_value(c, m, edge)))
			return true;
	return false;
}

/* Ranks the centre's callers, or its callees. */
static void rank_edges(const struct call_table *t, uint32_t center, bool callee,
		       struct ranks *out)
{
	const struct callers *c = &t->callers;

	*out = (struct ranks){ 0 };
	for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++) {
		const struct call_edge *edge = &c->edges.data[i];
		struct rank rank = { .id = i, .name = name_of(t->session, edge->other) };
		const struct edge_row values = { t, edge };

		if (!is_seen(t, edge, callee))
			continue;
		view_rank(t->session, &t->sort.by,
			  &(struct view_row){ value_of, whole_of, &values }, &rank);
		*vec_push(out) = rank;
	}
	ranks_sort(out, t->sort.reverse);
}

static void add_edges(struct call_table *t, uint32_t center, bool callee)
{
	size_t limit = t->session->set.limit;
	struct ranks ranks;

	rank_edges(t, center, callee, &ranks);
	for (size_t i = 0; i < ranks.len && (!limit || i < limit); i++)
		add_line(t, callee ? CALL_CALLEE : CALL_CALLER, ranks.data[i].id);
	vec_release(&ranks);
}

void call_table_add(struct call_table *t, const uint32_t *functions, size_t len,
		    bool parts)
{
	uint32_t center = functions[len - 1];

	*vec_push(&t->centers) = (struct call_center){ .function = center };
	t->table.source.add = add_row; /* breaks are between its rows */
	sum_center(t, center);
	t->summed = (uint32_t)t->centers.len;
	if (parts)
		table_break(&t->table, "Callers");
	add_edges(t, center, false);
	if (parts)
		table_break(&t->table, "Stack Fragment");
	for (size_t i = 0; i + 1 < len; i++)
		add_line(t, CALL_FRAGMENT, functions[i]);
	add_line(t, CALL_SELF, center);
	t->centers.data[t->centers.len - 1].row = t->lines.len;
	if (parts)
		table_break(&t->table, "Callees");
	add_edges(t, center, true);
}
