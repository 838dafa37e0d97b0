/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/compare_calls.h"

#include <stdlib.h>

#include "tables/callers.h"
#include "rows/compare_table.h"
#include "rows/view.h"
#include "base/xalloc.h"

/* A row of the table to make. */
struct line {
	const char *relation;
	uint32_t compared; /* its row of the comparison; MODEL_NONE: none */
	uint32_t function; /* a row of the parts; MODEL_NONE: <Total> */
	uint64_t center;   /* its row in the table; 0: this is one */
};

/* The rows are the edges, followed by the centres, each with its own amount. */
struct compared_calls {
	struct compare_table compare;
	struct counterparts parts;
	struct callers callers; /* of rows of PARTS */
	VEC(struct line) lines;
};

static size_t row_of_center(const struct compared_calls *t, uint32_t center)
{
	return t->callers.rows + center;
}

/* A centre's amount from its callers, without that of its callees. */
static struct value own_value(const struct callers *c, size_t metric, uint32_t center)
{
	struct value whole = { 0 }, callees = { 0 };

	for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++) {
		const struct call_edge *edge = &c->edges.data[i];

		value_add(edge->callee ? &callees : &whole,
			  callers_value(c, metric, edge));
	}
	value_subtract(&whole, callees);
	return whole;
}

/* Edges to the machine's own code, and centres that are such code. */
static bool *machine_rows(const struct compared_calls *t, size_t centers)
{
	const struct callers *c = &t->callers;
	const struct model *model = &t->compare.session->model;
	bool *machine = xcalloc(c->rows + centers + 1, sizeof(*machine));

	vec_for_each(const struct call_edge, edge, &c->edges)
		machine[edge->row] = edge->other != MODEL_NONE &&
				     counterparts_is_machine(&t->parts, model,
							     edge->other);
	for (uint32_t f = 0; f < centers && f < counterparts_rows(&t->parts); f++)
		machine[row_of_center(t, f)] = counterparts_is_machine(&t->parts, model,
								       f);
	return machine;
}

static void compare_calls(struct compared_calls *t, size_t centers)
{
	const struct callers *c = &t->callers;
	struct sums sums = { .groups = c->rows + centers };

	sums.inclusive = xcalloc(c->metrics * sums.groups + 1, sizeof(struct value));
	sums.machine = machine_rows(t, centers);
	for (size_t m = 0; m < c->metrics; m++) {
		struct value *values = sums.inclusive + m * sums.groups;

		for (size_t r = 0; r < c->rows; r++)
			values[r] = c->values[m * c->rows + r];
		for (uint32_t f = 0; f < centers; f++)
			values[row_of_center(t, f)] = own_value(c, m, f);
	}
	compare_table_compare(&t->compare, &sums);
	sums_release(&sums);
}

/* ---- rows ---- */

static void add_name(const struct compared_calls *t, const struct line *line,
		     struct table *table)
{
	struct session *s = t->compare.session;
	bool total = line->function == MODEL_NONE;
	uint32_t function = total ? 0 : t->parts.first.data[line->function];
	const char *name = total ? "<Total>" : session_function(s, function);

	if (line->center)
		table_add_text(table, name);
	else
		table_add_marked(table, name);
	table_add_text(
		table,
		total ? ""
		      : object_path(&s->model, s->model.functions.data[function].object));
	view_function_id(s, total ? MODEL_NONE : function, table);
}

static void add_row(void *ctx, size_t row, struct table *table)
{
	struct compared_calls *t = ctx;
	const struct line *line = &t->lines.data[row];
	const struct compared *c = line->compared == MODEL_NONE
					   ? NULL
					   : compare_table_find(&t->compare,
								line->compared);

	compare_table_begin(&t->compare, c);
	add_name(t, line, table);
	table_add_text(table, line->relation);
	table_add_number(table, row + 1);
	if (line->center)
		table_add_number(table, line->center);
	else
		table_add_absent(table);
	compare_table_end(&t->compare, c);
}

static void add_line(struct compared_calls *t, struct line line)
{
	*vec_push(&t->lines) = line;
	t->compare.table.source =
		(struct table_source){ .add = add_row, .ctx = t, .rows = t->lines.len };
}

/* CENTER's edges on one side with any amount, in the comparison's order. */
static void rank_edges(const struct compared_calls *t, uint32_t center, bool callee,
		       struct ranks *out)
{
	const struct callers *c = &t->callers;
	size_t limit = t->compare.session->set.limit;

	*out = (struct ranks){ 0 };
	for (uint32_t i = c->first[center]; i < c->first[center + 1]; i++) {
		const struct call_edge *edge = &c->edges.data[i];
		uint32_t place = t->compare.place.data[edge->row];

		if (edge->callee == callee && place != MODEL_NONE)
			*vec_push(out) = (struct rank){ .weight = UINT32_MAX - place,
							.name = "",
							.id = i };
	}
	ranks_sort(out, false);
	if (limit && out->len > limit)
		out->len = limit;
}

static void add_edges(struct compared_calls *t, const struct ranks *edges,
		      const char *relation, uint64_t center)
{
	vec_for_each(const struct rank, rank, edges) {
		const struct call_edge *edge = &t->callers.edges.data[rank->id];

		add_line(t, (struct line){ relation, edge->row, edge->other, center });
	}
}

/* FUNCTIONS, rows of the parts, call one another; the last of LEN is the centre. */
static void add_center(struct compared_calls *t, const uint32_t *functions, size_t len,
		       bool parts)
{
	uint32_t center = functions[len - 1];
	struct ranks callers, callees;
	uint64_t row;

	rank_edges(t, center, false, &callers);
	rank_edges(t, center, true, &callees);
	row = t->lines.len + callers.len + len;
	table_break(&t->compare.table, parts ? "Callers" : NULL);
	add_edges(t, &callers, "caller", row);
	if (parts)
		table_break(&t->compare.table, "Stack Fragment");
	for (size_t i = 0; i + 1 < len; i++)
		add_line(t, (struct line){ "fragment", MODEL_NONE, functions[i], row });
	add_line(t,
		 (struct line){ "self", (uint32_t)row_of_center(t, center), center, 0 });
	if (parts)
		table_break(&t->compare.table, "Callees");
	add_edges(t, &callees, "callee", row);
	vec_release(&callers);
	vec_release(&callees);
}

/* The largest changes of the inclusive amount come first. */
static void add_centers(struct compared_calls *t, const struct sums *functions)
{
	struct session *s = t->compare.session;
	struct metric_item item = t->compare.item;
	struct comparison order;

	item.flavor = INCLUSIVE;
	comparison_build(&order, &s->model, functions, &item);
	for (size_t i = 1; i < order.rows.len && (!s->set.limit || i <= s->set.limit);
	     i++)
		add_center(t, &order.rows.data[i].row, 1, false);
	comparison_release(&order);
}

/* ---- all of it ---- */

static void add_columns(struct compared_calls *t)
{
	struct table *table = &t->compare.table;

	table_set_title(table, compare_table_title(&t->compare, "Callers and callees"));
	compare_table_columns(&t->compare);
	table_name_column(table, COLUMN_TEXT);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "function_id", COLUMN_TEXT);
	table_machine_column(table, "relation", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_NUMBER);
	table_machine_column(table, "parent", COLUMN_NUMBER);
	compare_table_end_columns(&t->compare);
}

static void add_fragment(struct compared_calls *t, const struct tree *tree,
			 const struct fragment *fragment)
{
	uint32_t *rows = xreallocarray(NULL, fragment->len, sizeof(*rows));

	for (size_t i = 0; i < fragment->len; i++)
		rows[i] = t->parts.row.data[fragment->data[i]];
	callers_build_fragment(&t->callers, tree, counterparts_rows(&t->parts), rows,
			       fragment->len);
	compare_calls(t, counterparts_rows(&t->parts));
	add_center(t, rows, fragment->len, true);
	if (!t->callers.edges.len)
		strbuf_addstr(&t->compare.table.note, "no stack has this sequence");
	free(rows);
}

static void add_functions(struct compared_calls *t, const struct tree *tree,
			  const struct frame_map *frames)
{
	size_t rows = counterparts_rows(&t->parts);
	struct sums sums;

	callers_build(&t->callers, tree, rows);
	compare_calls(t, rows);
	session_sums_apart(t->compare.session, &t->parts, frames, &sums);
	add_centers(t, &sums);
	sums_release(&sums);
}

int compare_calls_show(struct session *s, const struct fragment *fragment,
		       struct strbuf *err)
{
	struct compared_calls t = { .callers = { .rows = 0 } };
	struct frame_map frames;
	struct tree tree;
	int status = compare_table_init(&t.compare, s, "compare_callers_callees",
					VIEW_FLAVOR(ATTRIBUTED), err);

	if (status)
		return status;
	session_shown_apart(s, &t.parts, &frames);
	tree_build_apart(&tree, &s->model, &frames);
	add_columns(&t);
	if (fragment)
		add_fragment(&t, &tree, fragment);
	else
		add_functions(&t, &tree, &frames);
	tree_release(&tree);
	frame_map_release(&frames);
	status = compare_table_show(&t.compare, err);
	vec_release(&t.lines);
	callers_release(&t.callers);
	counterparts_release(&t.parts);
	return status;
}
