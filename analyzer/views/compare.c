/* SPDX-License-Identifier: Apache-2.0 */
/* compare, fail-above: the changes between two groups of runs; here by function. */
#include <ctype.h>
#include <stdlib.h>

#include "rows/compare_table.h"
#include "rows/view.h"
#include "views/views.h"

/* ---- functions ---- */

struct function_rows {
	struct session *session;
	struct counterparts parts;
};

static void add_columns(struct table *table)
{
	table_name_column(table, COLUMN_TEXT);
	table_machine_column(table, "object", COLUMN_TEXT);
	table_machine_column(table, "function_id", COLUMN_TEXT);
}

static void add_cells(void *ctx, uint32_t row, struct table *table)
{
	struct function_rows *rows = ctx;
	struct session *s = rows->session;
	uint32_t function;

	if (row == COMPARED_TOTAL) {
		table_add_text(table, "<Total>");
		table_add_text(table, "");
		view_function_id(s, MODEL_NONE, table);
		return;
	}
	function = rows->parts.first.data[row];
	table_add_text(table, session_function(s, function));
	table_add_text(table,
		       object_path(&s->model, s->model.functions.data[function].object));
	view_function_id(s, function, table);
}

static const struct compare_view functions = {
	.key = "compare",
	.title = "Functions",
	.flavors = VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE),
	.columns = add_columns,
	.cells = add_cells,
};

int compare_functions(struct session *s, struct strbuf *err)
{
	struct function_rows rows = { .session = s };
	struct frame_map frames;
	struct sums apart;
	int status;

	session_shown_apart(s, &rows.parts, &frames);
	session_sums_apart(s, &rows.parts, &frames, &apart);
	status = compare_rows_show(s, &functions, &apart, &rows, err);
	sums_release(&apart);
	frame_map_release(&frames);
	counterparts_release(&rows.parts);
	return status;
}

/* ---- the mode ---- */

int compare_finish(struct session *s, struct strbuf *err)
{
	if (!s->compare_due)
		return 0;
	s->compare_due = false;
	return compare_functions(s, err);
}

static int run_compare(struct session *s, int argc, char **argv, struct strbuf *err)
{
	enum compare_mode mode;
	int status;

	(void)argc;
	if (!compare_mode_find(argv[0], &mode)) {
		strbuf_addf(err, "compare takes on, delta, ratio or off, not '%s'",
			    argv[0]);
		return CMD_USAGE;
	}
	if (s->reading_rc && !session_has_groups(s))
		return 0;
	if (mode != COMPARE_OFF && s->incomplete) {
		strbuf_addstr(err, "compare needs both sides whole, and an experiment "
				   "could not be opened");
		return CMD_FAILED;
	}
	status = compare_finish(s, err);
	if (status)
		return status;
	s->set.compare = mode;
	names_clear(&s->names);
	s->names.represent = mode ? counterparts_represent : NULL;
	session_changed(s, INPUT_NAMES);
	s->compare_due = mode != COMPARE_OFF && !s->reading_rc;
	return 0;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.args = "MODE",
	.help = "two groups, in each view: on, delta, ratio; off",
	.values = "on off delta ratio",
	.group = GROUP_COMPARE,
	.example = "compare delta",
	.run = run_compare,
	.setting = true,
};

static int run_fail_above(struct session *s, int argc, char **argv, struct strbuf *err)
{
	char *end;
	double percent = strtod(argv[0], &end);

	(void)argc;
	if (!isdigit((unsigned char)*argv[0]) || *end || !(percent < 1e9)) {
		strbuf_addf(err, "fail-above takes a percentage, not '%s'", argv[0]);
		return CMD_USAGE;
	}
	s->set.fail_given = true;
	s->set.fail_above = percent;
	return 0;
}

const struct cmd cmd_fail_above = {
	.name = "fail-above",
	.args = "PCT",
	.help = "exit with 3 if compare finds such an increase",
	.group = GROUP_COMPARE,
	.example = "fail-above 2",
	.run = run_fail_above,
	.alone = true,
};
