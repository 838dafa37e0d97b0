/* SPDX-License-Identifier: Apache-2.0 */
/* functions: each function once, with its exclusive and inclusive metrics. */
#include "function_table.h"
#include "views.h"
#include "xalloc.h"

static char *title_of(const struct session *s)
{
	struct sort_key sort = session_sort(s);
	struct strbuf text = { 0 };

	strbuf_addstr(&text, "Functions sorted by metric: ");
	metric_item_title(&s->model, &sort.by, &text);
	return strbuf_detach(&text);
}

static int run_functions(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct function_table t;
	struct ranks ranks;
	int error;

	(void)argc;
	(void)argv;
	if (s->compare)
		return compare_show(s, err);
	functions_ranked(s, &ranks);
	function_table_init(&t, s, false);
	t.table.key = "functions";
	t.table.title = title_of(s);
	function_table_add(&t, FUNCTION_TOTAL);
	for (size_t i = 0; i < ranks.len && (!s->limit || i < s->limit); i++)
		function_table_add(&t, ranks.data[i].id);
	error = session_show(s, &t.table);
	function_table_release(&t);
	vec_release(&ranks);
	return command_status(error, output_name(&s->out), err);
}

const struct cmd cmd_functions = {
	.name = "functions",
	.args = "",
	.help = "every function, exclusive and inclusive",
	.run = run_functions,
};
