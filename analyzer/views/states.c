/* SPDX-License-Identifier: Apache-2.0 */
/* states: how the lives of threads divide into CPU time and waits. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "rows/state_columns.h"
#include "views/views.h"

enum level { BY_THREAD, BY_PROCESS, BY_TOTAL };

/* A thread or process. */
struct state_row {
	uint32_t source, row;
	struct thread_time time;
};

struct state_rows {
	struct state_row *data;
	size_t len, cap;
};

/* ---- rows ---- */

static void add_threads(struct state_rows *rows, const struct model *model,
			uint32_t index)
{
	const struct source *source = &model->sources.data[index];
	struct thread_time *times = thread_times(source);
	bool *admitted = threads_admitted(model, source);

	for (uint32_t t = 0; t < source->exp->threads.len; t++)
		if (admitted[t] && times[t].life_ns)
			*vec_push(rows) = (struct state_row){ index, t, times[t] };
	free(admitted);
	free(times);
}

/* The threads of a process as one row. */
static void join_processes(const struct model *model, struct state_rows *rows)
{
	struct state_rows out = { 0 };
	uint32_t source = UINT32_MAX, *row_of = NULL;

	for (size_t i = 0; i < rows->len; i++) {
		const struct state_row *row = &rows->data[i];
		const struct experiment *exp = model->sources.data[row->source].exp;
		uint32_t process = exp->threads.data[row->row].process;

		if (source != row->source) {
			free(row_of);
			row_of = xcalloc(exp->processes.len + 1, sizeof(*row_of));
			source = row->source;
		}
		if (!row_of[process]) {
			*vec_push(&out) = (struct state_row){ source, process, { 0 } };
			row_of[process] = (uint32_t)out.len;
		}
		thread_time_add(&out.data[row_of[process] - 1].time, &row->time);
	}
	free(row_of);
	vec_release(rows);
	*rows = out;
}

static int by_life(const void *va, const void *vb)
{
	const struct state_row *a = va, *b = vb;

	if (a->time.life_ns != b->time.life_ns)
		return a->time.life_ns > b->time.life_ns ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* ---- the table ---- */

static void id_columns(struct table *table, enum level level)
{
	table_column(table, "process", "Process", COLUMN_NUMBER);
	if (level == BY_THREAD) {
		table_column(table, "thread", "Thread", COLUMN_NUMBER);
		table_machine_column(table, "thrid", COLUMN_NUMBER);
	}
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void add_total(struct table *table, enum level level,
		      const struct thread_time *total)
{
	state_cells(table, total);
	if (level != BY_TOTAL)
		table_add_absent(table);
	if (level == BY_THREAD) {
		table_add_absent(table);
		table_add_absent(table);
	}
	table_add_text(table, "<Total>");
	if (level != BY_TOTAL)
		table_add_absent(table);
}

static void add_row(struct table *table, const struct model *model, enum level level,
		    const struct state_row *row)
{
	const struct experiment *exp = model->sources.data[row->source].exp;
	const struct exp_thread *thread = &exp->threads.data[row->row];
	uint32_t process = level == BY_THREAD ? thread->process : row->row;
	uint32_t name = level == BY_THREAD ? thread->name
					   : exp->processes.data[process].name;

	state_cells(table, &row->time);
	table_add_number(table, (uint64_t)exp->processes.data[process].pid);
	if (level == BY_THREAD) {
		table_add_number(table, (uint64_t)thread->tid);
		table_add_number(table, thread->number);
	}
	table_add_text(table, experiment_string(exp, name));
	table_add_number(table, row->source + 1);
}

static void fill(const struct session *s, enum level level, const struct state_rows *rows,
		 struct table *table)
{
	struct thread_time total = { 0 };
	size_t shown = s->set.limit && s->set.limit < rows->len ? s->set.limit
								: rows->len;

	for (size_t i = 0; i < rows->len; i++)
		thread_time_add(&total, &rows->data[i].time);
	state_columns(table, &total);
	if (level == BY_TOTAL)
		table_column(table, "name", "Name", COLUMN_TEXT);
	else
		id_columns(table, level);
	add_total(table, level, &total);
	for (size_t i = 0; i < shown && level != BY_TOTAL; i++)
		add_row(table, &s->model, level, &rows->data[i]);
	state_note_filter(table, &s->model);
}

static const struct {
	const char *word, *key, *title;
} levels[] = {
	[BY_THREAD] = { "threads", "states", "States of threads, in seconds" },
	[BY_PROCESS] = { "processes", "process_states",
			 "States of the threads of each process, in seconds" },
	[BY_TOTAL] = { "total", "total_states", "States of all threads, in seconds" },
};

static int run_states(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct state_rows rows = { 0 };
	struct table table = { 0 };
	enum level level = BY_THREAD;

	while (argc && level <= BY_TOTAL && strcmp(argv[0], levels[level].word) != 0)
		level++;
	if (level > BY_TOTAL) {
		strbuf_addf(err, "states takes threads, processes or total, not '%s'",
			    argv[0]);
		return CMD_USAGE;
	}
	if (!model_has_lives(&s->model, err))
		return CMD_FAILED;
	for (uint32_t i = 0; i < s->model.sources.len; i++)
		add_threads(&rows, &s->model, i);
	if (level == BY_PROCESS)
		join_processes(&s->model, &rows);
	if (rows.len)
		qsort(rows.data, rows.len, sizeof(*rows.data), by_life);
	table.key = levels[level].key;
	table_set_title(&table, xstrdup(levels[level].title));
	fill(s, level, &rows, &table);
	vec_release(&rows);
	return command_show(s, &table, err);
}

const struct cmd cmd_states = {
	.name = "states",
	.args = "[LEVEL]",
	.help = "how each thread's life divides into CPU and waits",
	.values = "threads processes total",
	.example = "states total",
	.run = run_states,
	.comparable = "threads",
};
