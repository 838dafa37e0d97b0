/* SPDX-License-Identifier: Apache-2.0 */
/* lines, lsummary: each line of source once, with its metrics. */
#include <string.h>

#include "rows/compare_table.h"
#include "rows/group_view.h"
#include "rows/view.h"
#include "views/views.h"

static const struct site *site_at(const void *sites, uint32_t group)
{
	return &((const struct sites *)sites)->sites.data[group];
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Without a line, the function stands alone. */
static void put_name(struct session *s, const void *sites, uint32_t group,
		     struct strbuf *out)
{
	const struct site *site = site_at(sites, group);

	strbuf_addstr(out, session_function(s, site->function));
	if (site->line)
		strbuf_addf(out, ", line %u in \"%s\"", site->line,
			    base_name(model_string(&s->model, site->file)));
}

enum { PLACE_COLUMNS = 5 };

static void add_columns(struct table *table)
{
	table_column(table, "function", "Function", COLUMN_TEXT);
	table_column(table, "file", "File", COLUMN_TEXT);
	table_column(table, "line", "Line", COLUMN_NUMBER);
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_machine_column(table, "function_id", COLUMN_TEXT);
}

static void add_cells(struct session *s, const void *sites, uint32_t group,
		      struct table *table)
{
	const struct site *site = site_at(sites, group);

	table_add_text(table, session_function(s, site->function));
	if (site->line) {
		table_add_text(table, model_string(&s->model, site->file));
		table_add_number(table, site->line);
	} else {
		table_add_absent(table);
		table_add_absent(table);
	}
	table_add_text(
		table,
		object_path(&s->model, s->model.functions.data[site->function].object));
	view_function_id(s, site->function, table);
}

/* Of put_name. */
#define KEPT ", line "

static const struct group_kind lines = {
	.key = "lines",
	.title = "Lines",
	.name = put_name,
	.columns = add_columns,
	.cells = add_cells,
	.kept = KEPT,
};

static int show(struct session *s, bool whole, struct strbuf *err)
{
	const struct sites *sites = &session_analysis(s, ANALYSIS_SITES)->sites;
	struct sums sums;
	int status;

	sums_build(&sums, &s->model, &sites->map, false);
	status = group_view_show(s, &lines, sites, &sums, whole, err);
	sums_release(&sums);
	return status;
}

/* ---- compared ---- */

struct line_rows {
	struct session *session;
	const struct sites *sites;
	struct counterparts parts;
};

static void add_compared_columns(struct table *table)
{
	size_t before;

	table_name_column(table, COLUMN_TEXT);
	before = table->columns.len;
	table->columns.data[before - 1].kept = KEPT;
	add_columns(table);
	for (size_t i = before; i < table->columns.len; i++)
		table->columns.data[i].machine_only = true;
}

static void add_compared_cells(void *ctx, uint32_t row, struct table *table)
{
	struct line_rows *rows = ctx;
	struct strbuf name = { 0 };

	if (row == COMPARED_TOTAL) {
		table_add_text(table, "<Total>");
		for (int i = 0; i < PLACE_COLUMNS; i++)
			table_add_absent(table);
		return;
	}
	put_name(rows->session, rows->sites, rows->parts.first.data[row], &name);
	table_add_text(table, name.data);
	add_cells(rows->session, rows->sites, rows->parts.first.data[row], table);
	strbuf_release(&name);
}

static const struct compare_view compared = {
	.key = "compare_lines",
	.title = "Lines",
	.flavors = VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE),
	.columns = add_compared_columns,
	.cells = add_compared_cells,
	.by_line = true,
};

static int compare_lines(struct session *s, struct strbuf *err)
{
	struct line_rows rows = { s,
				  &session_analysis(s, ANALYSIS_SITES)->sites,
				  { { 0 } } };
	struct sums sums;
	int status;

	counterparts_sites(&rows.parts, &s->model, rows.sites);
	sums_build_grouped(&sums, &s->model, &rows.sites->map, rows.parts.row.data,
			   counterparts_rows(&rows.parts), true);
	status = compare_rows_show(s, &compared, &sums, &rows, err);
	sums_release(&sums);
	counterparts_release(&rows.parts);
	return status;
}

static int run_lines(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return s->set.compare ? compare_lines(s, err) : show(s, false, err);
}

const struct cmd cmd_lines = {
	.name = "lines",
	.args = "",
	.help = "every source line with its metrics",
	.run = run_lines,
};

static int run_lsummary(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show(s, true, err);
}

const struct cmd cmd_lsummary = {
	.name = "lsummary",
	.args = "",
	.help = "every source line in full",
	.run = run_lsummary,
	.comparable = "lines",
};
