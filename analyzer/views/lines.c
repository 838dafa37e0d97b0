/* SPDX-License-Identifier: Apache-2.0 */
/* lines, lsummary: each line of source once, with its metrics. */
#include <string.h>

#include "tables/group_view.h"
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

/* Without a line there is only the function. */
static void put_name(struct session *s, const void *sites, uint32_t group,
		     struct strbuf *out)
{
	const struct site *site = site_at(sites, group);

	strbuf_addstr(out, session_function(s, site->function));
	if (site->line)
		strbuf_addf(out, ", line %u in \"%s\"", site->line,
			    base_name(model_string(&s->model, site->file)));
}

static void add_columns(struct table *table)
{
	table_column(table, "function", "Function", COLUMN_TEXT);
	table_column(table, "file", "File", COLUMN_TEXT);
	table_column(table, "line", "Line", COLUMN_NUMBER);
	table_column(table, "object", "Object", COLUMN_TEXT);
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
}

static const struct group_kind lines = { "lines", "Lines", put_name, add_columns,
					 add_cells };

static int show(struct session *s, bool whole, struct strbuf *err)
{
	const struct sites *sites = session_sites(s);
	struct analysis analysis;
	int status;

	analysis_build(&analysis, &s->model, &sites->map);
	status = group_view_show(s, &lines, sites, &analysis.sums, whole, err);
	analysis_release(&analysis);
	return status;
}

static int run_lines(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	(void)argv;
	return show(s, false, err);
}

const struct cmd cmd_lines = {
	.name = "lines",
	.args = "",
	.help = "every line of source with its metrics",
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
	.help = "all about every line of source",
	.run = run_lsummary,
};
