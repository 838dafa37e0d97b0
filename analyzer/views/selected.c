/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_list, process_list, cpu_list, sample_list: for every experiment the choices, and
 * the selection.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "model/points.h"
#include "views/views.h"

struct numbers {
	uint64_t *data;
	size_t len, cap;
};

static void find_threads(const struct source *source, struct numbers *out)
{
	vec_for_each(const struct exp_thread, thread, &source->exp->threads)
		*vec_push(out) = thread->number;
}

static void find_processes(const struct source *source, struct numbers *out)
{
	vec_for_each(const struct exp_process, process, &source->exp->processes)
		*vec_push(out) = (uint64_t)process->pid;
}

/* Those of ROWS that have samples of any event, counted from FIRST. */
static void find_rows(const struct source *source, const struct value *sums, size_t rows,
		      uint64_t first, struct numbers *out)
{
	for (size_t r = 0; r < rows; r++) {
		struct value all = { 0 };

		for (size_t e = 0; e < source->totals.events; e++)
			value_add(&all, sums[e * rows + r]);
		if (value_is_any(all))
			*vec_push(out) = first + r;
	}
}

static void find_cpus(const struct source *source, struct numbers *out)
{
	find_rows(source, source->totals.cpu, source->totals.cpus, 0, out);
	/* the last means unknown */
	if (out->len && out->data[out->len - 1] == TOTALS_CPUS_MAX - 1)
		out->len--;
}

static void find_samples(const struct source *source, struct numbers *out)
{
	const uint32_t intervals = points_intervals(source->exp);

	for (uint32_t i = 1; i <= intervals; i++)
		*vec_push(out) = i;
	if (!intervals)
		find_rows(source, source->totals.second, source->totals.seconds, 1, out);
}

/* One row for each command, with its kind of number. */
static const struct {
	const char *key;
	void (*find)(const struct source *source, struct numbers *out);
} kinds[SELECTS] = {
	[SELECT_THREAD] = { "thread_list", find_threads },
	[SELECT_PROCESS] = { "process_list", find_processes },
	[SELECT_CPU] = { "cpu_list", find_cpus },
	[SELECT_SAMPLE] = { "sample_list", find_samples },
};

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* Sorts them, each once. */
static void sort_numbers(struct numbers *numbers)
{
	size_t kept = 0;

	if (numbers->len)
		qsort(numbers->data, numbers->len, sizeof(*numbers->data), by_number);
	for (size_t i = 0; i < numbers->len; i++)
		if (!kept || numbers->data[i] != numbers->data[kept - 1])
			numbers->data[kept++] = numbers->data[i];
	numbers->len = kept;
}

/* In the syntax of the select commands: "1,3-5". */
static void spell_numbers(const struct numbers *numbers, struct strbuf *out)
{
	size_t next;

	for (size_t i = 0; i < numbers->len; i = next) {
		for (next = i + 1; next < numbers->len; next++)
			if (numbers->data[next] != numbers->data[next - 1] + 1)
				break;
		strbuf_addf(out, "%s%llu", i ? "," : "",
			    (unsigned long long)numbers->data[i]);
		if (next > i + 1)
			strbuf_addf(out, "-%llu",
				    (unsigned long long)numbers->data[next - 1]);
	}
}

static void add_row(const struct session *s, enum select_kind kind, size_t index,
		    struct table *table)
{
	const struct source *source = &s->model.sources.data[index];
	const char *selected = s->set.selection.lists[kind];
	struct numbers numbers = { 0 };
	struct strbuf text = { 0 };

	kinds[kind].find(source, &numbers);
	sort_numbers(&numbers);
	spell_numbers(&numbers, &text);
	table_add_number(table, index + 1);
	table_add_text(table, selected ? selected : "all");
	table_add_number(table, numbers.len);
	table_add_text(table, strbuf_str(&text));
	vec_release(&numbers);
	strbuf_release(&text);
}

static int show_kind(struct session *s, enum select_kind kind, struct strbuf *err)
{
	struct table table = { .key = kinds[kind].key };

	table_column(&table, "experiment", "Exp", COLUMN_NUMBER);
	table_column(&table, "selected", "Selected", COLUMN_TEXT);
	table_column(&table, "total", "Total", COLUMN_NUMBER);
	table_column(&table, "present", "There are", COLUMN_TEXT);
	for (size_t i = 0; i < s->model.sources.len; i++)
		add_row(s, kind, i, &table);
	return command_show(s, &table, err);
}

static int run_thread_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_kind(s, SELECT_THREAD, err);
}

const struct cmd cmd_thread_list = {
	.name = "thread_list",
	.args = "",
	.help = "all threads, and those selected",
	.group = GROUP_FIND,
	.run = run_thread_list,
};

static int run_process_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_kind(s, SELECT_PROCESS, err);
}

const struct cmd cmd_process_list = {
	.name = "process_list",
	.args = "",
	.help = "all processes, and those selected",
	.group = GROUP_FIND,
	.run = run_process_list,
};

static int run_cpu_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_kind(s, SELECT_CPU, err);
}

const struct cmd cmd_cpu_list = {
	.name = "cpu_list",
	.args = "",
	.help = "all CPUs, and those selected",
	.group = GROUP_FIND,
	.run = run_cpu_list,
};

static int run_sample_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_kind(s, SELECT_SAMPLE, err);
}

const struct cmd cmd_sample_list = {
	.name = "sample_list",
	.args = "",
	.help = "all seconds, and those selected",
	.group = GROUP_FIND,
	.run = run_sample_list,
};
