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
	table_column(&t->table, "name", "Name", COLUMN_TEXT);
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
	vec_release(&t->whole);
	vec_release(&t->own);
	table_release(&t->table);
}

static const char *name_of(struct session *s, uint32_t function)
{
	return function == MODEL_NONE ? "<Total>" : session_function(s, function);
}

/* What a row is about; and, of a centre, where its callers and callees find it. */
struct call_row {
	const char *relation;
	uint32_t function;
	uint64_t center; /* its row; 0: this is one */
	bool marked;
};

/* What CENTER has in all, by its callers, and itself: that without what its callees have.
 */
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

static void add_cells(struct call_table *t, const struct call_row *row)
{
	const struct session *s = t->session;
	bool total = row->function == MODEL_NONE;
	const char *name = name_of(t->session, row->function);

	if (row->marked)
		table_add_marked(&t->table, name);
	else
		table_add_text(&t->table, name);
	table_add_text(
		&t->table,
		total ? ""
		      : object_path(&s->model,
				    s->model.functions.data[row->function].object));
	table_add_text(&t->table, row->relation);
	table_add_number(&t->table, ++t->rows);
	if (row->center)
		table_add_number(&t->table, row->center);
	else
		table_add_absent(&t->table);
	view_function_id(s, row->function, &t->table);
}

/* Of which the values of a row are; EDGE NULL: the centre's own. */
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

static void add_edge(struct call_table *t, uint64_t center_row,
		     const struct call_edge *edge)
{
	struct call_row row = { .relation = edge->callee ? "callee" : "caller",
				.function = edge->other,
				.center = center_row };
	const struct edge_row values = { t, edge };

	view_cells(t->session, &t->items,
		   &(struct view_row){ value_of, whole_of, &values }, &t->table);
	add_cells(t, &row);
}

static void add_self(struct call_table *t, uint32_t center)
{
	struct call_row row = { .relation = "self", .function = center, .marked = true };
	const struct edge_row values = { t, NULL };

	view_cells(t->session, &t->items,
		   &(struct view_row){ value_of, whole_of, &values }, &t->table);
	add_cells(t, &row);
}

/* A function on the way to the centre: it has no metrics of its own here. */
static void add_step(struct call_table *t, uint64_t center_row, uint32_t function)
{
	struct call_row row = { .relation = "fragment",
				.function = function,
				.center = center_row };

	vec_for_each(const struct metric_item, item, &t->items)
		if (metric_item_is_value(item))
			table_add_absent(&t->table);
	add_cells(t, &row);
}

/*
 * On the side that is asked for.  A call of which an inner one has all the samples is
 * shown; one that the filter leaves nothing of is not.
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

/* The centre's callers, or its callees, in order. */
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

static void add_edges(struct call_table *t, uint32_t center, uint64_t center_row,
		      bool callee)
{
	size_t limit = t->session->limit;
	struct ranks ranks;

	rank_edges(t, center, callee, &ranks);
	for (size_t i = 0; i < ranks.len && (!limit || i < limit); i++)
		add_edge(t, center_row, &t->callers.edges.data[ranks.data[i].id]);
	vec_release(&ranks);
}

static size_t count_edges(const struct call_table *t, uint32_t center, bool callee)
{
	const struct callers *c = &t->callers;
	size_t limit = t->session->limit, count = 0;

	for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++)
		count += is_seen(t, &c->edges.data[i], callee);
	return limit && limit < count ? limit : count;
}

void call_table_add(struct call_table *t, const uint32_t *functions, size_t len,
		    bool parts)
{
	uint32_t center = functions[len - 1];
	uint64_t center_row = t->rows + count_edges(t, center, false) + len;

	sum_center(t, center);
	if (parts)
		table_break(&t->table, "Callers");
	add_edges(t, center, center_row, false);
	if (parts)
		table_break(&t->table, "Stack Fragment");
	for (size_t i = 0; i + 1 < len; i++)
		add_step(t, center_row, functions[i]);
	add_self(t, center);
	if (parts)
		table_break(&t->table, "Callees");
	add_edges(t, center, center_row, true);
}
