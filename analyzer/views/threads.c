/* SPDX-License-Identifier: Apache-2.0 */
/* threads: every thread, with its exclusive metrics. */
#include "views/place.h"
#include "views/views.h"

/* The thread under its last name. */
static struct place thread_of(const struct place_kind *kind, const struct model *model,
			      struct place row)
{
	const struct experiment *exp = model->sources.data[row.source].exp;

	(void)kind;
	row.row = exp->threads.data[row.row].last;
	return row;
}

static void thread_columns(struct table *table)
{
	table_column(table, "thrid", "No.", COLUMN_NUMBER);
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "thread", "Thread", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void thread_cells(const struct place_kind *kind, const struct model *model,
			 struct place place, struct table *table)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_thread *thread = &exp->threads.data[place.row];

	(void)kind;
	table_add_number(table, thread->number);
	table_add_number(table, (uint64_t)exp->processes.data[thread->process].pid);
	table_add_number(table, (uint64_t)thread->tid);
	table_add_text(table, experiment_string(exp, thread->name));
	table_add_number(table, place.source + 1);
}

static void thread_identity(const struct model *model, struct place place,
			    struct strbuf *out)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_thread *thread = &exp->threads.data[place.row];
	const struct exp_process *process = &exp->processes.data[thread->process];

	place_put_task(model, experiment_string(exp, process->name), out);
	strbuf_addch(out, '/');
	place_put_task(model, experiment_string(exp, thread->name), out);
}

static void thread_row_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_TEXT);
	table_column(table, "name", "Thread", COLUMN_TEXT);
	place_count_columns(table);
}

static void thread_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	const struct experiment *exp;
	const struct exp_thread *thread;

	if (row == COMPARED_TOTAL) {
		table_add_text(table, "<Total>");
		table_add_text(table, "");
	} else {
		exp = place_experiment(rows, row);
		thread = &exp->threads.data[rows->first.data[row].row];
		table_add_text(table,
			       experiment_string(
				       exp, exp->processes.data[thread->process].name));
		table_add_text(table, experiment_string(exp, thread->name));
	}
	place_add_counts(rows, row, table);
}

static const struct compare_view thread_view = {
	.key = "compare_threads",
	.title = "Threads",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = thread_row_columns,
	.cells = thread_row_cells,
};

static const struct place_kind threads = {
	.key = "threads",
	.title = "Threads",
	.sums = place_thread_sums,
	.place_of = thread_of,
	.add_columns = thread_columns,
	.add_cells = thread_cells,
	.put_identity = thread_identity,
	.compared = &thread_view,
};

static int run_threads(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return place_view_run(s, &threads, err);
}

const struct cmd cmd_threads = {
	.name = "threads",
	.args = "",
	.help = "every thread with its metrics",
	.run = run_threads,
};
