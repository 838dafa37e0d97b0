/* SPDX-License-Identifier: Apache-2.0 */
/* overview: the most important facts, on one screen. */
#include "rows/function_table.h"
#include "rows/overview_fields.h"
#include "views/views.h"

/* This many functions leave room for the rest. */
#define FUNCTIONS_MAX 10

static int show_functions(struct session *s)
{
	size_t limit = s->set.limit && s->set.limit < FUNCTIONS_MAX ? s->set.limit
								    : FUNCTIONS_MAX;
	const struct sums *sums = &session_analysis(s, ANALYSIS_SUMS)->sums;
	struct function_table t;
	struct ranks ranks;
	int error;

	functions_ranked(s, sums, NULL, &ranks);
	function_table_init(&t, s, sums, NULL, false);
	t.table.key = "overview_functions";
	function_table_order(&t, &ranks, limit, false);
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
	overview_fields(s, &table);
	error = session_show(s, &table);
	if (!error)
		error = show_functions(s);
	return command_shown(s, error, err);
}

const struct cmd cmd_overview = {
	.name = "overview",
	.args = "",
	.help = "on one screen: the command, and where its time went",
	.run = run_overview,
	.comparable = "functions",
};
