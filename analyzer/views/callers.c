/* SPDX-License-Identifier: Apache-2.0 */
/* callers-callees: each function's callers and callees, with their cost. */
#include "rows/call_table.h"
#include "rows/compare_calls.h"
#include "rows/function_table.h"
#include "views/views.h"

static int show_calls(struct session *s, struct strbuf *err)
{
	const struct analysis *analysis = session_analysis(s,
							   ANALYSIS_SUMS | ANALYSIS_TREE);
	struct call_table t;
	struct ranks ranks;
	int error;

	functions_ranked(s, &analysis->sums, NULL, &ranks);
	call_table_init(&t, s);
	callers_build(&t.callers, &analysis->tree, s->model.functions.len);
	for (size_t i = 0; i < ranks.len && (!s->set.limit || i < s->set.limit); i++) {
		table_break(&t.table, NULL);
		call_table_add(&t, &ranks.data[i].id, 1, false);
	}
	error = session_show(s, &t.table);
	call_table_release(&t);
	vec_release(&ranks);
	return command_shown(s, error, err);
}

static int run_callers_callees(struct session *s, int argc, char **argv,
			       struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return s->set.compare ? compare_calls_show(s, NULL, err) : show_calls(s, err);
}

const struct cmd cmd_callers_callees = {
	.name = "callers-callees",
	.args = "",
	.help = "the callers and callees of every function",
	.run = run_callers_callees,
};
