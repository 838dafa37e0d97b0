/* SPDX-License-Identifier: Apache-2.0 */
/* cgroups: every control group, by the threads that ran in it. */
#include "base/strtab.h"
#include "views/place.h"
#include "views/views.h"

/* Groups of one path in several experiments share a row, unless runs are compared. */
struct cgroups {
	struct strtab paths;
	struct idmap first; /* path → index of the first place */
	VEC(struct place) places;
	bool apart;
};

/* A place's row is the string of its path; 0: not known. */
static const char *path_of(const struct experiment *exp, uint32_t row)
{
	return row ? experiment_string(exp, row) : "<Unknown>";
}

static struct place cgroup_of(const struct place_kind *kind, const struct model *model,
			      struct place row)
{
	const struct experiment *exp = model->sources.data[row.source].exp;
	struct cgroups *c = kind->ctx;
	uint32_t next = (uint32_t)c->places.len, id;

	row.row = exp->threads.data[row.row].cgroup;
	if (c->apart)
		return row;
	id = idmap_intern(&c->first, strtab_intern(&c->paths, path_of(exp, row.row)), 0,
			  next);
	if (id == next)
		*vec_push(&c->places) = row;
	return c->places.data[id];
}

static void cgroup_columns(struct table *table)
{
	table_column(table, "name", "Control group", COLUMN_TEXT);
}

static void cgroup_cells(const struct place_kind *kind, const struct model *model,
			 struct place place, struct table *table)
{
	(void)kind;
	table_add_text(table, path_of(model->sources.data[place.source].exp, place.row));
}

static void cgroup_identity(const struct model *model, struct place place,
			    struct strbuf *out)
{
	strbuf_addstr(out, path_of(model->sources.data[place.source].exp, place.row));
}

static void cgroup_row_columns(struct table *table)
{
	table_column(table, "name", "Control group", COLUMN_TEXT);
}

static void cgroup_row_cells(void *ctx, uint32_t row, struct table *table)
{
	const struct place_rows *rows = ctx;

	table_add_text(table, row == COMPARED_TOTAL ? "<Total>"
						    : path_of(place_experiment(rows, row),
							      rows->first.data[row].row));
}

static const struct compare_view cgroup_view = {
	.key = "compare_cgroups",
	.title = "Control groups",
	.flavors = VIEW_FLAVOR(EXCLUSIVE),
	.columns = cgroup_row_columns,
	.cells = cgroup_row_cells,
};

static int run_cgroups(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct cgroups c = { .apart = s->set.compare };
	const struct place_kind kind = {
		.key = "cgroups",
		.title = "Control groups",
		.ctx = &c,
		.sums = place_thread_sums,
		.place_of = cgroup_of,
		.add_columns = cgroup_columns,
		.add_cells = cgroup_cells,
		.put_identity = cgroup_identity,
		.compared = &cgroup_view,
	};
	int status;

	(void)argc;
	(void)argv;
	strtab_init(&c.paths);
	status = place_view_run(s, &kind, err);
	vec_release(&c.places);
	idmap_release(&c.first);
	strtab_release(&c.paths);
	return status;
}

const struct cmd cmd_cgroups = {
	.name = "cgroups",
	.args = "",
	.help = "every control group with its metrics",
	.run = run_cgroups,
};
