/* SPDX-License-Identifier: Apache-2.0 */
/* ranks: how the metrics of functions are spread over the ranks of a job. */
#include <stdlib.h>

#include "model/rank_sums.h"
#include "rows/view.h"
#include "views/views.h"

struct rank_table {
	struct session *session;
	const struct rank_sums *sums;
	const struct metric_item *item;
	struct ranks order;
	struct table table;
};

static const struct rank_value *value_of(const struct rank_table *t, size_t group)
{
	return rank_sums_of(t->sums, t->item->flavor, t->item->metric, group);
}

static uint32_t ranks_of(const struct rank_table *t)
{
	return t->sums->counted[t->item->metric];
}

/* By how much the slowest rank is over the mean, times the number of ranks. */
static uint64_t late_weight(const struct rank_table *t, const struct rank_value *v)
{
	uint64_t all;

	if (__builtin_mul_overflow(v->most.weight, (uint64_t)ranks_of(t), &all))
		return UINT64_MAX;
	return all > v->sum.weight ? all - v->sum.weight : 0;
}

/* ---- columns ---- */

static void add_columns(struct rank_table *t)
{
	static const char *const groups[] = { "mean", "min", "max" };
	struct column *column;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		view_column(t->session, t->item, &t->table);
		column = &t->table.columns.data[t->table.columns.len - 1];
		column->group = groups[i];
		if (i && column->show & ~(unsigned)SHOW_PERCENT)
			column->show &= ~(unsigned)SHOW_PERCENT;
	}
	table_column(&t->table, "imbalance", "Imbalance %", COLUMN_REAL);
	t->table.columns.data[t->table.columns.len - 1].digits = 1;
	table_column(&t->table, "slowest", "Slowest", COLUMN_TEXT);
	table_name_column(&t->table, COLUMN_TEXT);
	table_machine_column(&t->table, "object", COLUMN_TEXT);
	table_machine_column(&t->table, "function_id", COLUMN_TEXT);
	table_machine_column(&t->table, "ranks", COLUMN_NUMBER);
}

/* ---- rows ---- */

static struct estimate mean_of(const struct rank_table *t, struct value sum,
			       struct value whole)
{
	const struct metric *metric = &t->session->model.metrics.data[t->item->metric];
	struct estimate e = estimate_of(metric, sum, whole);
	double ranks = ranks_of(t);

	e.amount /= ranks;
	e.low /= ranks;
	e.high /= ranks;
	e.whole /= ranks;
	return e;
}

/* Its share is that of the mean rank's total, so that shares compare as amounts do. */
static struct estimate end_of(const struct rank_table *t, struct value v,
			      struct value whole)
{
	const struct metric *metric = &t->session->model.metrics.data[t->item->metric];

	whole.weight /= ranks_of(t);
	return estimate_of(metric, v, whole);
}

static void add_spread(struct rank_table *t, const struct rank_value *v)
{
	struct value whole = value_of(t, t->sums->groups)->sum;
	double mean = (double)v->sum.weight / ranks_of(t);

	table_add_estimate(&t->table, mean_of(t, v->sum, whole));
	table_add_estimate(&t->table, end_of(t, v->least, whole));
	table_add_estimate(&t->table, end_of(t, v->most, whole));
	if (mean > 0)
		table_add_real(&t->table, 100 * ((double)v->most.weight / mean - 1));
	else
		table_add_absent(&t->table);
	table_add_text(&t->table, t->sums->ranks.data[v->most_of]);
}

static void add_row(void *ctx, size_t row, struct table *table)
{
	struct rank_table *t = ctx;
	uint32_t group = row ? t->order.data[row - 1].id : (uint32_t)t->sums->groups;
	const struct model *model = &t->session->model;

	(void)table;
	add_spread(t, value_of(t, group));
	if (row) {
		table_add_text(&t->table, session_function(t->session, group));
		table_add_text(&t->table,
			       object_path(model, model->functions.data[group].object));
		view_function_id(t->session, group, &t->table);
	} else {
		table_add_text(&t->table, "<Total>");
		table_add_text(&t->table, "");
		view_function_id(t->session, MODEL_NONE, &t->table);
	}
	table_add_number(&t->table, ranks_of(t));
}

static void rank_functions(struct rank_table *t)
{
	for (uint32_t g = 0; g < t->sums->groups; g++) {
		const struct rank_value *v = value_of(t, g);

		if (value_is_any(v->sum))
			*vec_push(&t->order) = (struct rank){
				.weight = late_weight(t, v),
				.samples = v->sum.samples,
				.name = session_function(t->session, g),
				.id = g,
			};
	}
	ranks_sort(&t->order, false);
}

static char *title_of(const struct rank_table *t)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "Functions of %u rank%s, the latest first, by metric: ",
		    (unsigned)ranks_of(t), ranks_of(t) == 1 ? "" : "s");
	metric_item_title(&t->session->model, t->item, &text);
	return strbuf_detach(&text);
}

static int show_metric(struct session *s, const struct rank_sums *sums,
		       const struct metric_item *item)
{
	struct rank_table t = {
		.session = s, .sums = sums, .item = item, .table.key = "ranks"
	};
	size_t rows;
	int error;

	rank_functions(&t);
	table_set_title(&t.table, title_of(&t));
	add_columns(&t);
	rows = s->set.limit && s->set.limit < t.order.len ? s->set.limit : t.order.len;
	t.table.source =
		(struct table_source){ .add = add_row, .ctx = &t, .rows = rows + 1 };
	error = session_show(s, &t.table);
	vec_release(&t.order);
	return error;
}

/* ---- the command ---- */

/* A table for each displayed metric that is no quotient. */
static int show_all(struct session *s, const struct rank_sums *sums)
{
	struct metric_list items;
	int error = 0;

	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &items);
	vec_for_each(const struct metric_item, item, &items)
		if (!error && item->field == FIELD_METRIC && item->show &&
		    sums->counted[item->metric])
			error = show_metric(s, sums, item);
	vec_release(&items);
	return error;
}

static int run_ranks(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct frame_map frames;
	struct rank_sums sums;
	int error;

	(void)argc;
	(void)argv;
	session_shown(s, &frames);
	rank_sums_build(&sums, &s->model, &frames);
	error = show_all(s, &sums);
	rank_sums_release(&sums);
	frame_map_release(&frames);
	return command_shown(s, error, err);
}

const struct cmd cmd_ranks = {
	.name = "ranks",
	.args = "",
	.help = "each function's mean, min and max over ranks",
	.comparable = "functions",
	.run = run_ranks,
};
