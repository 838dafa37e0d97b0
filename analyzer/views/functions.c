/* SPDX-License-Identifier: Apache-2.0 */
/* functions, fsummary: each function once, with its exclusive and inclusive metrics. */
#include "rows/function_table.h"
#include "views/views.h"

static int show(struct session *s, const struct sums *sums,
		const struct region_functions *regions, bool whole)
{
	struct function_table t;
	struct ranks ranks;
	int error;

	functions_ranked(s, sums, regions, &ranks);
	function_table_init(&t, s, sums, regions, whole);
	t.table.key = "functions";
	table_set_title(&t.table, view_title(s, "Functions", &t.sort));
	t.table.layout = whole ? LAYOUT_RECORDS : LAYOUT_COLUMNS;
	function_table_order(&t, &ranks, s->set.limit, true);
	error = session_show(s, &t.table);
	function_table_release(&t);
	vec_release(&ranks);
	return error;
}

/* Those of each branch apart. */
static int show_by_region(struct session *s, bool whole)
{
	struct region_functions regions;
	struct frame_map shown;
	struct sums sums;
	int error;

	session_shown(s, &shown);
	region_functions_make(&regions, &s->model, &shown);
	sums_build(&sums, &s->model, &regions.map, false);
	error = show(s, &sums, &regions, whole);
	sums_release(&sums);
	region_functions_release(&regions);
	frame_map_release(&shown);
	return error;
}

/* WHOLE: each function as a paragraph, with everything about it. */
static int show_functions(struct session *s, bool whole, struct strbuf *err)
{
	int error = s->model.by_region
			    ? show_by_region(s, whole)
			    : show(s, &session_analysis(s, ANALYSIS_SUMS)->sums, NULL,
				   whole);

	return command_shown(s, error, err);
}

static int run_functions(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return s->set.compare ? compare_functions(s, err) : show_functions(s, false, err);
}

const struct cmd cmd_functions = {
	.name = "functions",
	.args = "",
	.help = "every function, exclusive and inclusive",
	.run = run_functions,
};

static int run_fsummary(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show_functions(s, true, err);
}

const struct cmd cmd_fsummary = {
	.name = "fsummary",
	.args = "",
	.help = "every function in full",
	.run = run_fsummary,
	.comparable = "functions",
};
