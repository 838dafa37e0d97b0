/* SPDX-License-Identifier: Apache-2.0 */
/* threads, processes, cpus, seconds: who ran, where and when, with exclusive metrics. */
#include <stdlib.h>
#include <string.h>

#include "views/view.h"
#include "views/views.h"
#include "base/xalloc.h"

/*
 * They differ in what a place is.  A source's sums are by thread, CPU or second; ROW is
 * one of these, and becomes a place, which is what the table has a line for.
 */
struct place {
	uint32_t source, row;
};

struct place_kind {
	const char *key, *title;
	bool in_order; /* of their numbers, whatever sorts other tables */
	const struct value *(*sums)(const struct totals *totals, size_t *rows);
	/* the place that ROW belongs to, as the row that stands for it */
	struct place (*place_of)(const struct model *model, struct place row);
	void (*add_columns)(struct table *table);
	void (*add_cells)(const struct model *model, struct place place,
			  struct table *table);
};

/* ---- threads ---- */

static const struct value *thread_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->threads;
	return totals->thread;
}

static struct place same_place(const struct model *model, struct place row)
{
	(void)model;
	return row;
}

static void thread_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "thread", "Thread", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
}

static void thread_cells(const struct model *model, struct place place,
			 struct table *table)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_thread *thread = &exp->threads.data[place.row];

	table_add_number(table, (uint64_t)exp->processes.data[thread->process].pid);
	table_add_number(table, (uint64_t)thread->tid);
	table_add_text(table, experiment_string(exp, thread->name));
	table_add_number(table, place.source + 1);
}

static const struct place_kind threads = {
	.key = "threads",
	.title = "Threads",
	.sums = thread_sums,
	.place_of = same_place,
	.add_columns = thread_columns,
	.add_cells = thread_cells,
};

/* ---- processes: a thread that stands for all of its process ---- */

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

static const struct place_kind processes = {
	.key = "processes",
	.title = "Processes",
	.sums = thread_sums,
	.place_of = process_of,
	.add_columns = process_columns,
	.add_cells = process_cells,
};

/* ---- CPUs: those of one number are one ---- */

static const struct value *cpu_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->cpus;
	return totals->cpu;
}

static struct place cpu_of(const struct model *model, struct place row)
{
	(void)model;
	row.source = 0;
	return row;
}

static void cpu_columns(struct table *table)
{
	table_column(table, "cpu", "CPU", COLUMN_NUMBER);
}

static void cpu_cells(const struct model *model, struct place place, struct table *table)
{
	(void)model;
	if (place.row == AGGREGATE_CPUS_MAX - 1)
		table_add_absent(table); /* a recording that does not tell */
	else
		table_add_number(table, place.row);
}

static const struct place_kind cpus = {
	.key = "cpus",
	.title = "CPUs",
	.sums = cpu_sums,
	.place_of = cpu_of,
	.add_columns = cpu_columns,
	.add_cells = cpu_cells,
};

/* ---- seconds since the start, those of all experiments beside one another ---- */

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
static void second_cells(const struct model *model, struct place place,
			 struct table *table)
{
	(void)model;
	table_add_number(table, (uint64_t)place.row + 1);
}

static const struct place_kind seconds = {
	.key = "seconds",
	.title = "Seconds",
	.in_order = true,
	.sums = second_sums,
	.place_of = cpu_of,
	.add_columns = second_columns,
	.add_cells = second_cells,
};

/* ---- the table ---- */

struct place_table {
	const struct session *session;
	const struct place_kind *kind;
	VEC(struct place) places;
	VEC(struct value) values; /* [place × metrics + metric] */
	struct idmap ids;
	struct metric_list items;
	struct sort_key sort;
	struct table table;
};

static uint32_t place_id(struct place_table *t, struct place place)
{
	uint32_t next = (uint32_t)t->places.len;
	uint32_t id = idmap_intern(&t->ids, place.source, place.row, next);

	if (id == next) {
		*vec_push(&t->places) = place;
		for (size_t m = 0; m < t->session->model.metrics.len; m++)
			*vec_push(&t->values) = (struct value){ 0 };
	}
	return id;
}

static struct value *values_of(struct place_table *t, uint32_t place)
{
	return t->values.data + place * t->session->model.metrics.len;
}

static void add_source(struct place_table *t, uint32_t index)
{
	const struct source *source = &t->session->model.sources.data[index];
	size_t rows;
	const struct totals *totals = source_totals(&t->session->model, source);
	const struct value *sums = t->kind->sums(totals, &rows);

	for (uint32_t r = 0; r < rows; r++)
		for (size_t e = 0; e < totals->events; e++) {
			struct value v = sums[e * rows + r];
			struct place place = { index, r };

			if (!value_is_any(v))
				continue;
			place = t->kind->place_of(&t->session->model, place);
			value_add(&values_of(t, place_id(t, place))[source->metric[e]],
				  v);
		}
}

/* Low numbers first. */
static struct rank rank_in_order(const struct place_table *t, uint32_t place)
{
	return (struct rank){ .weight = UINT64_MAX - t->places.data[place].row,
			      .name = "",
			      .id = place };
}

/* VALUES are a place's, by metric. */
static struct value value_of(const void *values, enum flavor flavor, uint32_t metric)
{
	(void)flavor; /* exclusive */
	return ((const struct value *)values)[metric];
}

static void rank_places(struct place_table *t, struct ranks *out)
{
	*out = (struct ranks){ 0 };
	for (uint32_t p = 0; p < t->places.len; p++) {
		const struct view_row row = { .value = value_of, .row = values_of(t, p) };
		struct rank *rank = vec_push(out);

		*rank = (struct rank){ .name = "", .id = p };
		view_rank(t->session, &t->sort.by, &row, rank);
		if (t->kind->in_order)
			*rank = rank_in_order(t, p);
	}
	ranks_sort(out, t->sort.reverse && !t->kind->in_order);
}

static void add_row(struct place_table *t, uint32_t place)
{
	const struct view_row row = { .value = value_of, .row = values_of(t, place) };

	view_cells(t->session, &t->items, &row, &t->table);
	t->kind->add_cells(&t->session->model, t->places.data[place], &t->table);
}

static int show_places(struct session *s, const struct place_kind *kind,
		       struct strbuf *err)
{
	struct place_table t = { .session = s, .kind = kind };
	struct ranks ranks;

	for (uint32_t i = 0; i < s->model.sources.len; i++)
		add_source(&t, i);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE), &t.items);
	t.sort = view_order(s, &t.items, 0);
	rank_places(&t, &ranks);
	t.table.key = kind->key;
	table_set_title(&t.table, kind->in_order ? xstrdup(kind->title)
				       : view_title(s, kind->title, &t.sort));
	view_columns(s, &t.items, &t.table);
	kind->add_columns(&t.table);
	for (size_t i = 0; i < ranks.len && (!s->limit || i < s->limit); i++)
		add_row(&t, ranks.data[i].id);
	vec_release(&t.places);
	vec_release(&t.values);
	vec_release(&t.items);
	vec_release(&ranks);
	idmap_release(&t.ids);
	return command_status(session_show(s, &t.table), output_name(&s->out), err);
}

static int run_threads(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_places(s, &threads, err);
}

const struct cmd cmd_threads = {
	.name = "threads",
	.args = "",
	.help = "every thread with its metrics",
	.run = run_threads,
};

static int run_processes(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_places(s, &processes, err);
}

const struct cmd cmd_processes = {
	.name = "processes",
	.args = "",
	.help = "every process with its metrics",
	.run = run_processes,
};

static int run_seconds(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_places(s, &seconds, err);
}

const struct cmd cmd_seconds = {
	.name = "seconds",
	.args = "",
	.help = "every second of the run with its metrics",
	.run = run_seconds,
};

const struct cmd cmd_samples = {
	.name = "samples",
	.args = "",
	.help = "the same as seconds, as older tools call it",
	.run = run_seconds,
};

const struct cmd cmd_sample_detail = {
	.name = "sample_detail",
	.args = "",
	.help = "the same: a recording has no more of a sample",
	.run = run_seconds,
};

static int run_cpus(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_places(s, &cpus, err);
}

const struct cmd cmd_cpus = {
	.name = "cpus",
	.args = "",
	.help = "every CPU with the metrics of what ran on it",
	.run = run_cpus,
};
