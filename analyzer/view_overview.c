/* SPDX-License-Identifier: Apache-2.0 */
/* overview: what one wants to know first, on one screen. */
#include <stdlib.h>

#include "fields.h"
#include "function_table.h"
#include "run.h"
#include "views.h"
#include "xalloc.h"

/* As many functions as leave room for the rest. */
#define FUNCTIONS_MAX 10

static void add_run(struct table *table, const struct run *run, size_t n)
{
	char *command = run_command_line(run);

	fields_add(table, n, "Experiment", "%s", run->exp->path);
	fields_add(table, n, "Command", "%s", command);
	fields_add(table, n, "Duration", "%.3f s on %s", run->duration_s,
		   run->exp->log.hostname);
	if (run->has_cpu && run->has_rusage)
		fields_add(table, n, "CPU time",
			   "%.3f s by samples, %.3f s by the kernel", run->cpu_s,
			   run->rusage_cpu_s);
	else if (run->has_cpu)
		fields_add(table, n, "CPU time", "%.3f s by samples", run->cpu_s);
	else if (run->has_rusage)
		fields_add(table, n, "CPU time", "%.3f s by the kernel",
			   run->rusage_cpu_s);
	fields_add(table, n, "Samples", "%llu, %llu lost",
		   (unsigned long long)run->samples,
		   (unsigned long long)run->exp->log.lost);
	vec_for_each(char *, text, &run->errors)
		fields_add(table, n, "Error", "%s", *text);
	vec_for_each(char *, text, &run->warnings)
		fields_add(table, n, "Warning", "%s", *text);
	free(command);
}

static void add_metrics(struct table *table, const struct model *model)
{
	vec_for_each(const struct metric, m, &model->metrics) {
		struct estimate e = estimate_of(m, m->total, m->total);
		double seconds = metric_seconds(m);
		struct strbuf text = { 0 };

		if (m->scale > 1)
			strbuf_addch(&text, '~');
		if (seconds > 0)
			strbuf_addf(&text, "%.3f s", e.amount * seconds);
		if (!m->clock)
			strbuf_addf(&text, "%s%.0f %s", seconds > 0 ? ", " : "", e.amount,
				    metric_unit(model, m));
		fields_add(table, m->source + 1, model_string(model, m->label),
			   "%s, %llu samples", text.data,
			   (unsigned long long)m->total.samples);
		strbuf_release(&text);
	}
}

static int show_functions(struct session *s)
{
	size_t limit = s->limit && s->limit < FUNCTIONS_MAX ? s->limit : FUNCTIONS_MAX;
	struct function_table t;
	struct ranks ranks;
	int error;

	functions_ranked(s, &ranks);
	function_table_init(&t, s, false);
	t.table.key = "overview_functions";
	for (size_t i = 0; i < ranks.len && i < limit; i++)
		function_table_add(&t, ranks.data[i].id);
	error = session_show(s, &t.table);
	function_table_release(&t);
	vec_release(&ranks);
	return error;
}

static int run_overview(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table;
	int error;

	(void)argc;
	(void)argv;
	fields_init(&table, "overview", NULL);
	for (size_t i = 0; i < s->model.sources.len; i++) {
		struct run run;

		run_read(&run, &s->model, i);
		add_run(&table, &run, i + 1);
		run_release(&run);
	}
	add_metrics(&table, &s->model);
	error = session_show(s, &table);
	if (!error)
		error = show_functions(s);
	return command_status(error, output_name(&s->out), err);
}

const struct cmd cmd_overview = {
	.name = "overview",
	.args = "",
	.help = "on one screen: what ran, and where the time went",
	.run = run_overview,
};
