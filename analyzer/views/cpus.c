/* SPDX-License-Identifier: Apache-2.0 */
/* cpus: those of one number are one. */
#include "views/place.h"
#include "views/views.h"

static const struct value *cpu_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->cpus;
	return totals->cpu;
}

static void cpu_columns(struct table *table)
{
	table_column(table, "cpu", "CPU", COLUMN_NUMBER);
}

static void cpu_cells(const struct place_kind *kind, const struct model *model,
		      struct place place, struct table *table)
{
	(void)kind;
	(void)model;
	if (place.row == TOTALS_CPUS_MAX - 1)
		table_add_absent(table); /* the recording lacks it */
	else
		table_add_number(table, place.row);
}

static void cpu_row_columns(struct table *table)
{
	table_column(table, "name", "CPU", COLUMN_TEXT);
	table_machine_column(table, "cpu", COLUMN_NUMBER);
}

static void cpu_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	uint32_t cpu = row == COMPARED_TOTAL ? 0 : rows->first.data[row].row;

	place_add_number(table, row, cpu == TOTALS_CPUS_MAX - 1 ? "<Unknown>" : NULL,
			 cpu);
}

static const struct compare_view cpu_view = {
	.key = "compare_cpus",
	.title = "CPUs",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = cpu_row_columns,
	.cells = cpu_row_cells,
};

static const struct place_kind cpus = {
	.key = "cpus",
	.title = "CPUs",
	.sums = cpu_sums,
	.place_of = place_of_all,
	.add_columns = cpu_columns,
	.add_cells = cpu_cells,
	.compared = &cpu_view,
};

static int run_cpus(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return place_view_run(s, &cpus, err);
}

const struct cmd cmd_cpus = {
	.name = "cpus",
	.args = "",
	.help = "every CPU with its metrics",
	.run = run_cpus,
};
