/* SPDX-License-Identifier: Apache-2.0 */
/* callers-callees, csingle: who calls a function, and whom it calls, at what cost. */
#include "callers.h"
#include "function_match.h"
#include "function_table.h"
#include "views.h"

/* A table in the making.  Rows are numbered, so that a caller or callee names its centre.
 */
struct call_table {
	struct session *session;
	struct callers callers;
	struct metric_list items;
	struct sort_key sort;
	struct table table;
	uint64_t rows;
};

/* The session's order, by attributed metrics. */
static struct sort_key attributed_order(const struct session *s,
					const struct metric_list *items)
{
	struct sort_key sort = session_sort(s);

	if (sort.by.field == FIELD_METRIC)
		sort.by.flavor = ATTRIBUTED;
	else if (sort.by.field != FIELD_NAME)
		sort.by = sort_key_default(items).by;
	return sort;
}

static void call_table_init(struct call_table *t, struct session *s, uint32_t center)
{
	*t = (struct call_table){ .session = s };
	callers_build(&t->callers, session_analysis(s), center);
	view_items(s, VIEW_FLAVOR(ATTRIBUTED), &t->items);
	t->sort = attributed_order(s, &t->items);
	t->table.key = "callers_callees";
	vec_for_each(const struct metric_item, item, &t->items)
		if (item->field == FIELD_METRIC)
			view_metric_column(s, item, &t->table);
	table_column(&t->table, "name", "Name", COLUMN_TEXT);
	table_machine_column(&t->table, "object", COLUMN_TEXT);
	table_machine_column(&t->table, "relation", COLUMN_TEXT);
	table_machine_column(&t->table, "id", COLUMN_NUMBER);
	table_machine_column(&t->table, "parent", COLUMN_NUMBER);
}

static void call_table_release(struct call_table *t)
{
	callers_release(&t->callers);
	vec_release(&t->items);
	table_release(&t->table);
}

static const char *name_of(struct session *s, uint32_t function)
{
	return function == MODEL_NONE ? "<Total>" : session_function(s, function);
}

/* EDGE NULL: the row of the centre itself, with its own part. */
static void add_row(struct call_table *t, uint32_t center, uint64_t center_row,
		    const struct call_edge *edge)
{
	struct session *s = t->session;
	const struct sums *sums = &s->analysis.sums;
	uint32_t function = edge ? edge->other : center;

	vec_for_each(const struct metric_item, item, &t->items) {
		struct value v, whole;

		if (item->field != FIELD_METRIC)
			continue;
		v = edge ? callers_value(&t->callers, item->metric, edge)
			 : sums_value(sums, EXCLUSIVE, item->metric, center);
		whole = sums_value(sums, INCLUSIVE, item->metric, center);
		table_add_estimate(&t->table, view_estimate(s, item->metric, v, whole));
	}
	if (edge)
		table_add_text(&t->table, name_of(s, function));
	else
		table_add_marked(&t->table, name_of(s, function));
	table_add_text(&t->table,
		       function == MODEL_NONE
			       ? ""
			       : object_path(&s->model,
					     s->model.functions.data[function].object));
	table_add_text(&t->table, !edge ? "self" : edge->callee ? "callee" : "caller");
	table_add_number(&t->table, ++t->rows);
	if (edge)
		table_add_number(&t->table, center_row);
	else
		table_add_absent(&t->table);
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
		struct value v = { 0 };

		if (edge->callee != callee)
			continue;
		if (t->sort.by.field == FIELD_METRIC)
			v = callers_value(c, t->sort.by.metric, edge);
		rank.weight = v.weight;
		rank.samples = v.samples;
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
		add_row(t, center, center_row, &t->callers.edges.data[ranks.data[i].id]);
	vec_release(&ranks);
}

static size_t count_edges(const struct call_table *t, uint32_t center, bool callee)
{
	const struct callers *c = &t->callers;
	size_t limit = t->session->limit, count = 0;

	for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++)
		count += c->edges.data[i].callee == callee;
	return limit && limit < count ? limit : count;
}

/* Callers above, callees below, as one reads a stack; PARTS: under headings. */
static void add_center(struct call_table *t, uint32_t center, bool parts)
{
	uint64_t center_row = t->rows + count_edges(t, center, false) + 1;

	if (parts)
		table_break(&t->table, "Callers");
	add_edges(t, center, center_row, false);
	if (parts)
		table_break(&t->table, "Stack Fragment");
	add_row(t, center, center_row, NULL);
	if (parts)
		table_break(&t->table, "Callees");
	add_edges(t, center, center_row, true);
}

static char *title_of(const struct call_table *t)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, "Callers and callees sorted by metric: ");
	metric_item_title(&t->session->model, &t->sort.by, &text);
	return strbuf_detach(&text);
}

static int run_callers_callees(struct session *s, int argc, char **argv,
			       struct strbuf *err)
{
	struct call_table t;
	struct ranks ranks;
	int error;

	(void)argc;
	(void)argv;
	functions_ranked(s, &ranks);
	call_table_init(&t, s, MODEL_NONE);
	t.table.title = title_of(&t);
	for (size_t i = 0; i < ranks.len && (!s->limit || i < s->limit); i++) {
		table_break(&t.table, NULL);
		add_center(&t, ranks.data[i].id, false);
	}
	error = session_show(s, &t.table);
	call_table_release(&t);
	vec_release(&ranks);
	return command_status(error, output_name(&s->out), err);
}

const struct cmd cmd_callers_callees = {
	.name = "callers-callees",
	.args = "",
	.help = "the callers and callees of every function",
	.run = run_callers_callees,
};

static int run_csingle(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct call_table t;
	uint32_t function;
	int status = function_argument(s, argc, argv, &function, err);

	if (status)
		return status;
	call_table_init(&t, s, function);
	t.table.title = title_of(&t);
	add_center(&t, function, true);
	status = command_status(session_show(s, &t.table), output_name(&s->out), err);
	call_table_release(&t);
	return status;
}

const struct cmd cmd_csingle = {
	.name = "csingle",
	.args = "F [N]",
	.help = "callers and callees of F; N: which of several",
	.run = run_csingle,
};
