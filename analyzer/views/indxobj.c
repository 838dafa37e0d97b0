/* SPDX-License-Identifier: Apache-2.0 */
/* indxobj and its kin: samples grouped by the values of an expression. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/index_sums.h"
#include "rows/compare_table.h"
#include "rows/group_view.h"
#include "rows/view.h"
#include "session/index_objects.h"
#include "views/views.h"

/* ---- the table ---- */

/* What rows are made from. */
struct indexed {
	struct index_object object;
	struct index_sums sums;
};

static void put_name(struct session *s, const void *groups, uint32_t group,
		     struct strbuf *out)
{
	const struct indexed *x = groups;

	(void)s;
	strbuf_addf(out, "%" PRId64, x->sums.values.data[group]);
}

static void add_columns(struct table *table)
{
	table_column(table, "value", "Value", COLUMN_REAL);
	table_column(table, "index", "Index", COLUMN_TEXT);
}

static void add_cells(struct session *s, const void *groups, uint32_t group,
		      struct table *table)
{
	const struct indexed *x = groups;

	(void)s;
	table_add_real(table, (double)x->sums.values.data[group]);
	table_add_text(table, x->object.name);
}

static int show(struct session *s, const struct indexed *x, struct strbuf *err)
{
	char *title = xasprintf("%s (%s)", x->object.name, x->object.expression);
	struct group_kind kind = {
		.key = "indxobj",
		.title = title,
		.name = put_name,
		.columns = add_columns,
		.cells = add_cells,
		.numbers = true,
	};
	int status = group_view_show(s, &kind, x, &x->sums.sums, false, err);

	free(title);
	return status;
}

/* ---- compared ---- */

static void compared_columns(struct table *table)
{
	table_column(table, "name", "Value", COLUMN_TEXT);
	table_machine_column(table, "value", COLUMN_REAL);
	table_machine_column(table, "index", COLUMN_TEXT);
}

static void compared_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct indexed *x = ctx;
	struct strbuf text = { 0 };

	if (row == COMPARED_TOTAL)
		strbuf_addstr(&text, "<Total>");
	else
		put_name(NULL, x, row, &text);
	table_add_text(table, strbuf_str(&text));
	if (row == COMPARED_TOTAL)
		table_add_absent(table);
	else
		table_add_real(table, (double)x->sums.values.data[row]);
	table_add_text(table, x->object.name);
	strbuf_release(&text);
}

static int compare(struct session *s, struct indexed *x, struct strbuf *err)
{
	char *title = xasprintf("%s (%s)", x->object.name, x->object.expression);
	struct compare_view view = {
		.key = "compare_indxobj",
		.title = title,
		.flavors = VIEW_FLAVOR(EXCLUSIVE),
		.columns = compared_columns,
		.cells = compared_cells,
	};
	int status = compare_rows_show(s, &view, &x->sums.sums, x, err);

	free(title);
	return status;
}

/* ---- the commands ---- */

static int unknown(const char *name, struct strbuf *err)
{
	strbuf_addf(err,
		    "there is no index object '%s'; indxobj_list has them, and "
		    "indxobj_define %s EXPR defines it",
		    name, name);
	return CMD_USAGE;
}

/* Reads the samples, and shows them; the expression was checked when it was defined. */
static int show_indexed(struct session *s, struct indexed *x,
			const struct filter *expression, struct strbuf *err)
{
	struct frame_map frames;
	int status;

	session_frames(s, &frames);
	status = index_sums_read(&x->sums, &s->model, expression, &frames,
				 s->set.compare != COMPARE_OFF);
	frame_map_release(&frames);
	if (status) {
		strbuf_addf(err, "%s has more than %d values; divide it, as in %s/1000",
			    x->object.name, INDEX_VALUES_MAX, x->object.expression);
		return CMD_FAILED;
	}
	status = s->set.compare ? compare(s, x, err) : show(s, x, err);
	index_sums_release(&x->sums);
	return status;
}

static int run_indxobj(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct filter expression;
	struct indexed x = { 0 };
	int status;

	(void)argc;
	if (!index_object_find(&s->set.index_objects, argv[0], &x.object))
		return unknown(argv[0], err);
	status = filter_parse(x.object.expression, &expression, err);
	if (!status)
		status = show_indexed(s, &x, &expression, err);
	filter_release(&expression);
	return status;
}

const struct cmd cmd_indxobj = {
	.name = "indxobj",
	.args = "I",
	.help = "metrics by the values of I; see indxobj_define",
	.example = "indxobj cpus",
	.run = run_indxobj,
};

static int run_indxobj_list(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct table table = { .key = "indxobj_list" };
	struct index_object object;

	(void)argc;
	(void)argv;
	table_column(&table, "name", "Name", COLUMN_TEXT);
	table_column(&table, "expression", "Expression", COLUMN_TEXT);
	for (size_t i = 0; index_object_at(&s->set.index_objects, i, &object); i++) {
		table_add_text(&table, object.name);
		table_add_text(&table, object.expression);
	}
	return command_show(s, &table, err);
}

const struct cmd cmd_indxobj_list = {
	.name = "indxobj_list",
	.args = "",
	.help = "the index objects and their expressions",
	.group = GROUP_FIND,
	.run = run_indxobj_list,
	.alone = true,
};

static int run_indxobj_define(struct session *s, int argc, char **argv,
			      struct strbuf *err)
{
	(void)argc;
	return index_object_define(&s->set.index_objects, argv[0], argv[1], err)
		       ? CMD_USAGE
		       : 0;
}

const struct cmd cmd_indxobj_define = {
	.name = "indxobj_define",
	.args = "I EXPR",
	.help = "for indxobj: samples by the values of EXPR",
	.group = GROUP_SET,
	.example = "indxobj_define tenths TSTAMP / 100ms",
	.run = run_indxobj_define,
	.alone = true,
	.setting = true,
	.verbatim = true,
};
