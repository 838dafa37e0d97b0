/* SPDX-License-Identifier: Apache-2.0 */
/* The sums that er_print itself shows. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/rows.h"
#include "tables/callers.h"

/* ---- functions, objects, lines ---- */

static bool has_any(const struct sums *sums, size_t metric, uint32_t group)
{
	return value_is_any(sums_value(sums, INCLUSIVE, metric, group)) ||
	       value_is_any(sums_value(sums, EXCLUSIVE, metric, group));
}

typedef int64_t id_fn(struct row_export *e, uint32_t group);

static void put_sums(struct row_export *e, const struct sums *sums, enum row_table table,
		     id_fn *id_of)
{
	for (size_t m = 0; m < rows_model(e)->metrics.len; m++)
		for (uint32_t g = 0; g < sums->groups && !row_failed(e->sink); g++) {
			struct value excl = sums_value(sums, EXCLUSIVE, m, g);
			struct value incl = sums_value(sums, INCLUSIVE, m, g);

			if (has_any(sums, m, g))
				row_add(e->sink, table,
					row_signed(e->first_metric + (int64_t)m),
					row_signed(id_of(e, g)), row_number(excl.weight),
					row_number(excl.samples), row_number(incl.weight),
					row_number(incl.samples));
		}
}

/* A sample counts once for an object, however many of its functions are in the stack. */
static void put_objects(struct row_export *e)
{
	const struct model *model = rows_model(e);
	uint32_t *of_site = xcalloc(e->lines->groups + 1, sizeof(*of_site));
	struct sums sums;

	for (size_t i = 0; i < e->lines->groups; i++)
		of_site[i] = model->functions.data[e->sites[i].function].object;
	sums_build_grouped(&sums, model, e->lines, of_site, model->objects.len, false);
	put_sums(e, &sums, ROWS_OBJECT_TOTALS, rows_object);
	sums_release(&sums);
	free(of_site);
}

static void put_lines(struct row_export *e)
{
	struct sums sums;

	sums_build(&sums, rows_model(e), e->lines, false);
	put_sums(e, &sums, ROWS_LINE_TOTALS, rows_line);
	sums_release(&sums);
}

/* ---- calls ---- */

static void put_edge(struct row_export *e, const struct callers *c,
		     const struct call_edge *edge)
{
	for (size_t m = 0; m < c->metrics; m++) {
		struct value v = callers_value(c, m, edge);

		if (value_is_any(v))
			row_add(e->sink, ROWS_CALL_TOTALS, row_null(),
				row_signed(e->first_metric + (int64_t)m),
				row_signed(rows_function(e, edge->center)),
				row_text(edge->callee ? "callee" : "caller"),
				edge->other == MODEL_NONE
					? row_null()
					: row_signed(rows_function(e, edge->other)),
				row_number(v.weight), row_number(v.samples));
	}
}

static void put_calls(struct row_export *e)
{
	struct callers callers;

	callers_build(&callers, &e->analysis->tree, rows_model(e)->functions.len);
	for (size_t i = 0; i < callers.edges.len && !row_failed(e->sink); i++)
		put_edge(e, &callers, &callers.edges.data[i]);
	callers_release(&callers);
}

/* ---- stacks ---- */

static void put_value(struct row_export *e, enum row_table table, size_t metric,
		      int64_t key, struct value v)
{
	if (value_is_any(v))
		row_add(e->sink, table, row_signed(e->first_metric + (int64_t)metric),
			row_signed(key), row_number(v.weight), row_number(v.samples));
}

struct stack_sum {
	int64_t node; /* the row where samples end */
	struct value value;
};

static int by_node(const void *a, const void *b)
{
	const struct stack_sum *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

/* What METRIC has at each node; as many as *COUNT, some of the same node one by one. */
static void collect_stacks(const struct row_export *e, size_t metric,
			   struct stack_sum *out, size_t *count)
{
	const struct source *source = &rows_model(e)->sources.data[0];
	size_t nodes = source->totals.nodes;

	*count = 0;
	for (size_t v = 0; v < source->totals.events; v++)
		for (size_t n = 0; n < nodes && source->metric[v] == metric; n++) {
			struct value value = source->totals.node[v * nodes + n];

			if (value_is_any(value))
				out[(*count)++] = (struct stack_sum){ e->leaf[n], value };
		}
}

/* Several events may be one metric, and several stacks of a recording one row. */
static void put_stacks(struct row_export *e)
{
	const struct totals *totals = &rows_model(e)->sources.data[0].totals;
	struct stack_sum *stacks = xcalloc(totals->events * totals->nodes + 1,
					   sizeof(*stacks));
	size_t count;

	for (size_t m = 0; m < rows_model(e)->metrics.len; m++) {
		collect_stacks(e, m, stacks, &count);
		qsort(stacks, count, sizeof(*stacks), by_node);
		for (size_t i = 0; i < count && !row_failed(e->sink); i++) {
			struct value sum = stacks[i].value;

			while (i + 1 < count && stacks[i + 1].node == stacks[i].node)
				value_add(&sum, stacks[++i].value);
			put_value(e, ROWS_NODE_TOTALS, m, stacks[i].node, sum);
		}
	}
	free(stacks);
}

/* ---- threads, seconds ---- */

/* Several events may be one metric, and several rows one place: the last of them. */
static void put_places(struct row_export *e, enum row_table table,
		       const struct value *of_event, size_t rows, int64_t first)
{
	const struct source *source = &rows_model(e)->sources.data[0];
	bool threads = table == ROWS_THREAD_TOTALS;
	struct value *values = xcalloc(rows + 1, sizeof(*values));

	for (size_t m = 0; m < rows_model(e)->metrics.len; m++) {
		for (size_t r = 0; r < rows; r++)
			values[r] = (struct value){ 0 };
		for (size_t v = 0; v < source->totals.events; v++)
			for (size_t r = 0; r < rows && source->metric[v] == m; r++)
				value_add(&values[threads ? e->exp->threads.data[r].last
							  : r],
					  of_event[v * rows + r]);
		for (size_t r = 0; r < rows && !row_failed(e->sink); r++)
			put_value(e, table, m, first + (int64_t)r, values[r]);
	}
	free(values);
}

void rows_put_totals(struct row_export *e)
{
	const struct totals *totals = &rows_model(e)->sources.data[0].totals;

	put_sums(e, &e->analysis->sums, ROWS_FUNCTION_TOTALS, rows_function);
	put_objects(e);
	put_lines(e);
	put_calls(e);
	put_stacks(e);
	put_places(e, ROWS_THREAD_TOTALS, totals->thread, totals->threads,
		   e->first_thread);
	put_places(e, ROWS_SECOND_TOTALS, totals->second, totals->seconds, 1);
}
