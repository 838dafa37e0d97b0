/* SPDX-License-Identifier: Apache-2.0 */
/* fsingle: everything about one function. */
#include "rows/function_match.h"
#include "rows/function_table.h"
#include "rows/source_file.h"
#include "views/views.h"

static int run_fsingle(struct session *s, int argc, char **argv, struct strbuf *err)
{
	const unsigned parts = ANALYSIS_SUMS | ANALYSIS_SITES;
	struct function_table t;
	uint32_t function, file;
	int status = function_argument(s, argc, argv, &function, err);

	if (status)
		return status;
	function_table_init(&t, s, &session_analysis(s, parts)->sums, NULL, true);
	t.table.key = "fsingle";
	t.table.joins = true;
	t.table.layout = LAYOUT_RECORDS;
	table_column(&t.table, "file", "Source file", COLUMN_TEXT);
	function_table_add(&t, function);
	file = source_file_of(s, &session_analysis(s, parts)->sites, function);
	table_add_text(&t.table, model_string(&s->model, file));
	status = command_show(s, &t.table, err);
	function_table_release(&t);
	return status;
}

const struct cmd cmd_fsingle = {
	.name = "fsingle",
	.args = "F [N]",
	.help = "F in full; N: which of several",
	.group = GROUP_FIND,
	.example = "fsingle main",
	.run = run_fsingle,
	.comparable = "functions or csingle",
};
