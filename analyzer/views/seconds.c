/* SPDX-License-Identifier: Apache-2.0 */
/* seconds since the start, those of all experiments beside one another. */
#include "model/points.h"
#include "views/place.h"
#include "views/points.h"
#include "views/views.h"

static const struct value *second_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->seconds;
	return totals->second;
}

static void second_columns(struct table *table)
{
	table_column(table, "second", "Second", COLUMN_NUMBER);
}

/* From 1, as filters and sample_select count. */
static void second_cells(const struct place_kind *kind, const struct model *model,
			 struct place place, struct table *table)
{
	(void)kind;
	(void)model;
	table_add_number(table, (uint64_t)place.row + 1);
}

static void second_row_columns(struct table *table)
{
	table_column(table, "name", "Second", COLUMN_TEXT);
	table_machine_column(table, "second", COLUMN_NUMBER);
}

static void second_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	uint32_t second = row == COMPARED_TOTAL ? 0 : rows->first.data[row].row;

	place_add_number(table, row, NULL, (uint64_t)second + 1);
}

static const struct compare_view second_view = {
	.key = "compare_seconds",
	.title = "Seconds",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = second_row_columns,
	.cells = second_row_cells,
};

static const struct place_kind seconds = {
	.key = "seconds",
	.title = "Seconds",
	.in_order = true,
	.sums = second_sums,
	.place_of = place_of_all,
	.add_columns = second_columns,
	.add_cells = second_cells,
	.compared = &second_view,
};

static int run_seconds(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return place_view_run(s, &seconds, err);
}

const struct cmd cmd_seconds = {
	.name = "seconds",
	.args = "",
	.help = "every second of the run with its metrics",
	.run = run_seconds,
};

static int run_samples(struct session *s, int argc, char **argv, struct strbuf *err)
{
	return model_has_points(&s->model) ? show_points(s, err)
					   : run_seconds(s, argc, argv, err);
}

const struct cmd cmd_samples = {
	.name = "samples",
	.args = "",
	.help = "what was used between sample points; else seconds",
	.run = run_samples,
};
