/* SPDX-License-Identifier: Apache-2.0 */
/* processes: one thread represents all of its process. */
#include "views/place.h"
#include "views/views.h"

static struct place process_of(const struct model *model, struct place row)
{
	const struct experiment *exp = model->sources.data[row.source].exp;

	row.row = exp->threads.data[row.row].process;
	return row;
}

static void process_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void process_cells(const struct model *model, struct place place,
			  struct table *table)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_process *process = &exp->processes.data[place.row];

	table_add_number(table, (uint64_t)process->pid);
	table_add_text(table, experiment_string(exp, process->name));
	table_add_number(table, place.source + 1);
}

static void process_identity(const struct model *model, struct place place,
			     struct strbuf *out)
{
	const struct experiment *exp = model->sources.data[place.source].exp;

	place_put_task(model, experiment_string(exp, exp->processes.data[place.row].name),
		       out);
}

static void process_row_columns(struct table *table)
{
	table_column(table, "name", "Process", COLUMN_TEXT);
	place_count_columns(table);
}

static void process_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;

	if (row == COMPARED_TOTAL) {
		table_add_text(table, "<Total>");
	} else {
		const struct experiment *exp = place_experiment(rows, row);
		uint32_t process = rows->first.data[row].row;

		table_add_text(table,
			       experiment_string(exp, exp->processes.data[process].name));
	}
	place_add_counts(rows, row, table);
}

static const struct compare_view process_view = {
	.key = "compare_processes",
	.title = "Processes",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = process_row_columns,
	.cells = process_row_cells,
};

static const struct place_kind processes = {
	.key = "processes",
	.title = "Processes",
	.sums = place_thread_sums,
	.place_of = process_of,
	.add_columns = process_columns,
	.add_cells = process_cells,
	.put_identity = process_identity,
	.compared = &process_view,
};

static int run_processes(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return place_view_run(s, &processes, err);
}

const struct cmd cmd_processes = {
	.name = "processes",
	.args = "",
	.help = "every process with its metrics",
	.run = run_processes,
};
