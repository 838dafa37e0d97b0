/* SPDX-License-Identifier: Apache-2.0 */
/* threads, processes, cpus, seconds: who ran, where and when, with exclusive metrics. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rows/compare_table.h"
#include "rows/view.h"
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
	/* places that correspond on two sides have the same; NULL: only a place itself */
	void (*put_identity)(const struct model *model, struct place place,
			     struct strbuf *out);
	const struct compare_view *compared;
};

/* ---- what corresponds on two sides: names, as numbers are a run's own ---- */

/* NAME, or the same for all targets of runs, however they are called. */
static void put_task_name(const struct model *model, const char *name, struct strbuf *out)
{
	enum { COMM_MAX = 15 }; /* of a task's name */

	vec_for_each(const struct source, source, &model->sources) {
		const struct exp_log *log = &source->exp->log;
		const char *command = log->command.len ? log->command.data[0] : "";
		const char *slash = strrchr(command, '/');

		if (*name && !strncmp(slash ? slash + 1 : command, name, COMM_MAX)) {
			strbuf_addstr(out, "/"); /* which no name has */
			return;
		}
	}
	strbuf_addstr(out, name);
}

/* How many places a row is on each side, all runs together. */
struct place_count {
	size_t of[SIDES];
};

/* Rows of a comparison. */
struct place_rows {
	const struct session *session;
	const struct place_kind *kind;
	VEC(struct place) first;        /* by row: the first of its places */
	VEC(struct place_count) counts; /* by row */
	struct place_count all, runs;
};

static const struct experiment *exp_of(const struct place_rows *rows, uint32_t row)
{
	return rows->session->model.sources.data[rows->first.data[row].source].exp;
}

static void add_count_columns(struct table *table)
{
	table_machine_column(table, "base_count", COLUMN_REAL);
	table_machine_column(table, "other_count", COLUMN_REAL);
}

/* Per run on average: more places of a name may be the whole change. */
static void add_counts(const struct place_rows *rows, uint32_t row, struct table *table)
{
	const struct place_count *counts = row == COMPARED_TOTAL
						   ? &rows->all
						   : &rows->counts.data[row];

	for (size_t side = 0; side < SIDES; side++)
		table_add_real(table,
			       (double)counts->of[side] / (double)rows->runs.of[side]);
}

/* ---- threads ---- */

static const struct value *thread_sums(const struct totals *totals, size_t *rows)
{
	*rows = totals->threads;
	return totals->thread;
}

/* Under its last name. */
static struct place thread_of(const struct model *model, struct place row)
{
	const struct experiment *exp = model->sources.data[row.source].exp;

	row.row = exp->threads.data[row.row].last;
	return row;
}

static void thread_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_NUMBER);
	table_column(table, "thread", "Thread", COLUMN_NUMBER);
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "experiment", COLUMN_NUMBER);
	table_machine_column(table, "thrid", COLUMN_NUMBER);
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
	table_add_number(table, thread->number);
}

static void thread_identity(const struct model *model, struct place place,
			    struct strbuf *out)
{
	const struct experiment *exp = model->sources.data[place.source].exp;
	const struct exp_thread *thread = &exp->threads.data[place.row];
	const struct exp_process *process = &exp->processes.data[thread->process];

	put_task_name(model, experiment_string(exp, process->name), out);
	strbuf_addch(out, '/');
	put_task_name(model, experiment_string(exp, thread->name), out);
}

static void thread_row_columns(struct table *table)
{
	table_column(table, "process", "Process", COLUMN_TEXT);
	table_column(table, "name", "Thread", COLUMN_TEXT);
	add_count_columns(table);
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
		exp = exp_of(rows, row);
		thread = &exp->threads.data[rows->first.data[row].row];
		table_add_text(table,
			       experiment_string(
				       exp, exp->processes.data[thread->process].name));
		table_add_text(table, experiment_string(exp, thread->name));
	}
	add_counts(rows, row, table);
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
	.sums = thread_sums,
	.place_of = thread_of,
	.add_columns = thread_columns,
	.add_cells = thread_cells,
	.put_identity = thread_identity,
	.compared = &thread_view,
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

static void process_identity(const struct model *model, struct place place,
			     struct strbuf *out)
{
	const struct experiment *exp = model->sources.data[place.source].exp;

	put_task_name(model, experiment_string(exp, exp->processes.data[place.row].name),
		      out);
}

static void process_row_columns(struct table *table)
{
	table_column(table, "name", "Process", COLUMN_TEXT);
	add_count_columns(table);
}

static void process_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;

	if (row == COMPARED_TOTAL) {
		table_add_text(table, "<Total>");
	} else {
		const struct experiment *exp = exp_of(rows, row);
		uint32_t process = rows->first.data[row].row;

		table_add_text(table,
			       experiment_string(exp, exp->processes.data[process].name));
	}
	add_counts(rows, row, table);
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
	.sums = thread_sums,
	.place_of = process_of,
	.add_columns = process_columns,
	.add_cells = process_cells,
	.put_identity = process_identity,
	.compared = &process_view,
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
		table_add_absent(table); /* the recording lacks it */
	else
		table_add_number(table, place.row);
}

static void cpu_row_columns(struct table *table)
{
	table_column(table, "name", "CPU", COLUMN_TEXT);
	table_machine_column(table, "cpu", COLUMN_NUMBER);
}

/* For <Total>, and for a place that is a number. */
static void add_numbered(struct table *table, uint32_t row, const char *unknown,
			 uint64_t number)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%" PRIu64, number);
	if (row == COMPARED_TOTAL || unknown) {
		table_add_text(table, row == COMPARED_TOTAL ? "<Total>" : unknown);
		table_add_absent(table);
	} else {
		table_add_text(table, text.data);
		table_add_number(table, number);
	}
	strbuf_release(&text);
}

static void cpu_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	uint32_t cpu = row == COMPARED_TOTAL ? 0 : rows->first.data[row].row;

	add_numbered(table, row, cpu == AGGREGATE_CPUS_MAX - 1 ? "<Unknown>" : NULL, cpu);
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
	.place_of = cpu_of,
	.add_columns = cpu_columns,
	.add_cells = cpu_cells,
	.compared = &cpu_view,
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

static void second_row_columns(struct table *table)
{
	table_column(table, "name", "Second", COLUMN_TEXT);
	table_machine_column(table, "second", COLUMN_NUMBER);
}

static void second_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;
	uint32_t second = row == COMPARED_TOTAL ? 0 : rows->first.data[row].row;

	add_numbered(table, row, NULL, (uint64_t)second + 1);
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
	.place_of = cpu_of,
	.add_columns = second_columns,
	.add_cells = second_cells,
	.compared = &second_view,
};

/* ---- the table ---- */

struct place_table {
	const struct session *session;
	const struct place_kind *kind;
	VEC(struct place) places;
	bool apart;               /* each source has metrics of its own */
	size_t metrics;           /* of all sources then */
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
		for (size_t m = 0; m < t->metrics; m++)
			*vec_push(&t->values) = (struct value){ 0 };
	}
	return id;
}

static struct value *values_of(struct place_table *t, uint32_t place)
{
	return t->values.data + place * t->metrics;
}

static void add_source(struct place_table *t, uint32_t index)
{
	const struct source *source = &t->session->model.sources.data[index];
	size_t first = t->apart ? index * t->session->model.metrics.len : 0;
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
			value_add(
				&values_of(t,
					   place_id(t, place))[first + source->metric[e]],
				v);
		}
}

static void place_table_init(struct place_table *t, const struct session *s,
			     const struct place_kind *kind, bool apart)
{
	size_t sources = s->model.sources.len;

	*t = (struct place_table){ .session = s, .kind = kind, .apart = apart };
	t->metrics = s->model.metrics.len * (apart ? sources : 1);
	for (uint32_t i = 0; i < sources; i++)
		add_source(t, i);
}

static void place_table_release(struct place_table *t)
{
	vec_release(&t->places);
	vec_release(&t->values);
	vec_release(&t->items);
	idmap_release(&t->ids);
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
	struct place_table t;
	struct ranks ranks;

	place_table_init(&t, s, kind, false);
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
	vec_release(&ranks);
	place_table_release(&t);
	return command_status(session_show(s, &t.table), output_name(&s->out), err);
}

/* ---- compared ---- */

/* The row of each place.  The caller frees it. */
static uint32_t *find_rows(const struct place_table *t, struct place_rows *rows)
{
	uint32_t *row = xcalloc(t->places.len + 1, sizeof(*row));
	struct strbuf identity = { 0 };
	struct idmap ids = { 0 };
	struct strtab texts;

	strtab_init(&texts);
	for (uint32_t p = 0; p < t->places.len; p++) {
		uint32_t next = (uint32_t)rows->first.len, key = p;

		strbuf_clear(&identity);
		if (t->kind->put_identity) {
			t->kind->put_identity(&t->session->model, t->places.data[p],
					      &identity);
			key = strtab_intern(&texts, strbuf_str(&identity));
		}
		row[p] = idmap_intern(&ids, key, 0, next);
		if (row[p] == next) {
			*vec_push(&rows->first) = t->places.data[p];
			*vec_push(&rows->counts) = (struct place_count){ 0 };
		}
	}
	strtab_release(&texts);
	idmap_release(&ids);
	strbuf_release(&identity);
	return row;
}

static void count_places(const struct place_table *t, const uint32_t *row,
			 struct place_rows *rows)
{
	const struct model *model = &t->session->model;

	vec_for_each(const struct source, source, &model->sources)
		rows->runs.of[source->group ? SIDE_OTHER : SIDE_BASE]++;
	for (size_t p = 0; p < t->places.len; p++) {
		const struct source *source =
			&model->sources.data[t->places.data[p].source];
		size_t side = source->group ? SIDE_OTHER : SIDE_BASE;

		rows->counts.data[row[p]].of[side]++;
		rows->all.of[side]++;
	}
}

/* The values of the places as sums whose groups are the rows. */
static void sum_places(const struct place_table *t, const uint32_t *row, size_t groups,
		       struct sums *out)
{
	*out = (struct sums){
		.groups = groups,
		.exclusive = xcalloc(t->metrics * groups + 1, sizeof(struct value)),
	};
	for (size_t p = 0; p < t->places.len; p++)
		for (size_t m = 0; m < t->metrics; m++)
			value_add(&out->exclusive[m * groups + row[p]],
				  t->values.data[p * t->metrics + m]);
}

static int compare_places(struct session *s, const struct place_kind *kind,
			  struct strbuf *err)
{
	struct place_rows rows = { .session = s, .kind = kind };
	struct place_table t;
	struct sums sums;
	uint32_t *row;
	int status;

	place_table_init(&t, s, kind, true);
	row = find_rows(&t, &rows);
	count_places(&t, row, &rows);
	sum_places(&t, row, rows.first.len, &sums);
	status = compare_rows_show(s, kind->compared, &sums, &rows, err);
	sums_release(&sums);
	place_table_release(&t);
	vec_release(&rows.first);
	vec_release(&rows.counts);
	free(row);
	return status;
}

/* ---- the commands ---- */

static int run_places(struct session *s, const struct place_kind *kind,
		      struct strbuf *err)
{
	return s->compare ? compare_places(s, kind, err) : show_places(s, kind, err);
}

static int run_threads(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return run_places(s, &threads, err);
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
	return run_places(s, &processes, err);
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
	return run_places(s, &seconds, err);
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
	return run_places(s, &cpus, err);
}

const struct cmd cmd_cpus = {
	.name = "cpus",
	.args = "",
	.help = "every CPU with the metrics of what ran on it",
	.run = run_cpus,
};
