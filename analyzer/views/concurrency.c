/* SPDX-License-Identifier: Apache-2.0 */
/* concurrency: for how long 0, 1, 2… threads had a CPU at once. */
#include "base/xalloc.h"
#include "model/concurrency.h"
#include "rows/state_columns.h"
#include "views/views.h"

static void add_columns(struct table *table)
{
	table_column(table, "threads", "Threads", COLUMN_NUMBER);
	ns_column(table, "time_ns", "Time s");
	table_column(table, "percent", "%", COLUMN_REAL);
	table->columns.data[table->columns.len - 1].digits = 2;
	ns_column(table, "unknown_ns", "Unknown s");
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

/* "experiment 1: 2.31 threads on average, 4 CPUs" */
static void add_note(struct table *table, const struct session *s, size_t index,
		     const struct concurrency *c)
{
	double sum = 0, span = (double)(c->span.to_ns - c->span.from_ns);

	vec_for_each(const struct running, row, &c->rows)
		sum += (double)row->threads * (double)row->ns;
	if (table->note.len)
		strbuf_addstr(&table->note, "; ");
	if (s->model.sources.len > 1)
		strbuf_addf(&table->note, "experiment %zu: ", index + 1);
	strbuf_addf(&table->note, "%.2f threads on average, on %u CPUs",
		    span > 0 ? sum / span : 0,
		    s->model.sources.data[index].exp->log.cpus);
}

static bool add_rows(struct table *table, size_t index, const struct concurrency *c)
{
	double span = (double)(c->span.to_ns - c->span.from_ns);
	bool unknown = false;

	vec_for_each(const struct running, row, &c->rows) {
		table_add_number(table, row->threads);
		table_add_real(table, (double)row->ns);
		table_add_real(table, span > 0 ? 100 * (double)row->ns / span : 0);
		table_add_real(table, (double)row->unknown_ns);
		table_add_number(table, index + 1);
		unknown |= row->unknown_ns > 0;
	}
	return unknown;
}

/* How many had a CPU at once is known of all threads only. */
static void note_filter(struct table *table, const struct model *model)
{
	if (!filter_is_set(&model->filter))
		return;
	strbuf_addf(&table->note, "%sall threads, as the filter does not apply: ",
		    table->note.len ? "; " : "");
	foreign_put(&table->note, foreign(model->filter.text));
}

static int run_concurrency(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "concurrency" };
	bool unknown = false;

	(void)argc;
	(void)argv;
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	table_set_title(&table, xstrdup("Threads that had a CPU at once"));
	add_columns(&table);
	for (size_t i = 0; i < s->model.sources.len; i++) {
		struct concurrency c;

		concurrency_read(&c, &s->model.sources.data[i]);
		if (s->model.sources.len > 1)
			table_break(&table, s->model.sources.data[i].exp->path);
		unknown |= add_rows(&table, i, &c);
		add_note(&table, s, i, &c);
		concurrency_release(&c);
	}
	note_filter(&table, &s->model);
	table.columns.data[3].machine_only = !unknown;
	return command_show(s, &table, err);
}

const struct cmd cmd_concurrency = {
	.name = "concurrency",
	.args = "",
	.help = "for how long 0, 1, 2... threads had a CPU at once",
	.run = run_concurrency,
	.comparable = "threads",
};
