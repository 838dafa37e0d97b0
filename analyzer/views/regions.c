/* SPDX-License-Identifier: Apache-2.0 */
/* regions: what the program says it works on, with durations and metrics. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "model/regions.h"
#include "rows/state_columns.h"
#include "rows/view.h"
#include "views/views.h"

struct regions {
	struct session *session;
	struct region_sums sums;
	struct metric_list items;
	VEC(char *) branches; /* by row */
	struct ranks ranks;
	struct table table;
};

#define REGION_TOTAL MODEL_NONE

/* The source of a row's values. */
struct region_values {
	const struct regions *regions;
	uint32_t row; /* or REGION_TOTAL */
};

static struct value value_of(const void *region_values, enum flavor flavor,
			     uint32_t metric)
{
	const struct region_values *of = region_values;
	const struct region_sums *sums = &of->regions->sums;
	const size_t at = of->row * sums->metrics + metric;

	if (of->row == REGION_TOTAL)
		return of->regions->session->model.metrics.data[metric].total;
	return flavor == EXCLUSIVE ? sums->own[at] : sums->whole[at];
}

/* ---- columns ---- */

static void us_column(struct table *table, const char *key, const char *title)
{
	ns_column(table, key, title);
	table->columns.data[table->columns.len - 1].seconds = 1e-3;
}

static bool has_domains(const struct regions *r)
{
	vec_for_each(const struct region_row, row, &r->sums.rows)
		if (row->domain)
			return true;
	return false;
}

static void add_columns(struct regions *r)
{
	struct table *table = &r->table;

	view_columns(r->session, &r->items, table);
	table_column(table, "count", "Instances", COLUMN_NUMBER);
	ns_column(table, "total_ns", "Wall s");
	us_column(table, "mean_ns", "Mean us");
	us_column(table, "shortest_ns", "Shortest us");
	us_column(table, "p50_ns", "50 % us");
	us_column(table, "p95_ns", "95 % us");
	us_column(table, "p99_ns", "99 % us");
	us_column(table, "longest_ns", "Longest us");
	table_machine_column(table, "unended", COLUMN_NUMBER);
	if (has_domains(r))
		table_column(table, "domain", "Domain", COLUMN_TEXT);
	else
		table_machine_column(table, "domain", COLUMN_TEXT);
	table_column(table, "branch", "Region", COLUMN_TEXT);
	table_machine_column(table, "name", COLUMN_TEXT);
	table_machine_column(table, "depth", COLUMN_NUMBER);
	table_machine_column(table, "apart", COLUMN_NUMBER);
}

static void add_durations(const struct region_row *row, struct table *table)
{
	const struct durations *d = &row->durations;

	table_add_number(table, d->count + row->unended);
	if (!d->count) {
		for (int i = 0; i < 7; i++)
			table_add_absent(table);
		return;
	}
	table_add_real(table, (double)d->sum_ns);
	table_add_real(table, (double)d->sum_ns / (double)d->count);
	table_add_real(table, (double)row->shortest_ns);
	table_add_real(table, (double)durations_quantile(d, 50));
	table_add_real(table, (double)durations_quantile(d, 95));
	table_add_real(table, (double)durations_quantile(d, 99));
	table_add_real(table, (double)d->longest_ns);
}

static void add_no_durations(struct table *table)
{
	for (int i = 0; i < 8; i++)
		table_add_absent(table);
}

/* What is said of a region, in the order of the columns. */
static void add_region(struct regions *r, uint32_t id)
{
	const struct region_row *of = &r->sums.rows.data[id];
	const struct model *model = &r->session->model;

	add_durations(of, &r->table);
	table_add_number(&r->table, of->unended);
	table_add_text(&r->table, model_string(model, of->domain));
	table_add_text(&r->table, r->branches.data[id]);
	table_add_text(&r->table, model_string(model, of->name));
	table_add_number(&r->table, of->depth);
	table_add_number(&r->table, of->apart);
}

/* Neither all samples nor those outside are a region. */
static void add_sum(struct regions *r, uint32_t id)
{
	add_no_durations(&r->table);
	table_add_absent(&r->table);
	table_add_absent(&r->table);
	table_add_text(&r->table, id == REGION_TOTAL ? "<Total>" : r->branches.data[id]);
	for (int i = 0; i < 3; i++)
		table_add_absent(&r->table);
}

static struct view_row row_of(const struct region_values *values)
{
	const uint32_t id = values->row;

	return (struct view_row){
		.value = value_of,
		.row = values,
		.total = id == REGION_TOTAL,
		.none = id != REGION_TOTAL && values->regions->sums.rows.data[id].apart,
	};
}

static void add_row(struct regions *r, uint32_t id)
{
	const struct region_values values = { r, id };
	const struct view_row row = row_of(&values);

	view_cells(r->session, &r->items, &row, &r->table);
	if (id == REGION_TOTAL || id == REGION_OUTSIDE)
		add_sum(r, id);
	else
		add_region(r, id);
}

/* ---- rows ---- */

static void rank_rows(struct regions *r, const struct sort_key *sort)
{
	for (uint32_t id = 0; id < r->sums.rows.len; id++) {
		const struct region_values values = { r, id };
		const struct view_row row = row_of(&values);
		struct strbuf branch = { 0 };
		struct rank rank = { .id = id };

		region_put_branch(&r->sums, &r->session->model, id, &branch);
		rank.name = *vec_push(&r->branches) = xstrdup(strbuf_str(&branch));
		strbuf_release(&branch);
		view_rank(r->session, &sort->by, &row, &rank);
		*vec_push(&r->ranks) = rank;
	}
	ranks_sort(&r->ranks, sort->reverse);
}

static void note_faults(struct regions *r)
{
	struct strbuf *note = &r->table.note;

	region_sums_put_faults(&r->sums, note);
	if (!filter_is_set(&r->session->model.filter))
		return;
	strbuf_addf(note, "%sfilter: ", note->len ? "; " : "");
	foreign_put(note, foreign(r->session->model.filter.text));
	strbuf_addstr(note, "; instances and their durations are all");
}

static void fill(struct regions *r)
{
	const size_t limit = r->session->set.limit;

	add_columns(r);
	add_row(r, REGION_TOTAL);
	for (size_t i = 0; i < r->ranks.len && (!limit || i < limit); i++)
		add_row(r, r->ranks.data[i].id);
	note_faults(r);
}

static void regions_release(struct regions *r)
{
	vec_for_each(char *, branch, &r->branches)
		free(*branch);
	vec_release(&r->branches);
	vec_release(&r->ranks);
	vec_release(&r->items);
	region_sums_release(&r->sums);
}

/* Rows of branches, or of what they are summed up by. */
enum { BY_BRANCH, BY_NAME, BY_DOMAIN, WAYS };

static const struct {
	const char *word, *title;
} ways[WAYS] = {
	[BY_BRANCH] = { "branch", "Regions" },
	[BY_NAME] = { "name", "Regions by name" },
	[BY_DOMAIN] = { "domain", "Domains of regions" },
};

static int show_regions(struct session *s, int way, struct strbuf *err)
{
	struct regions r = { .session = s, .table = { .key = "regions" } };
	struct frame_map frames;
	struct sort_key sort;
	int status;

	session_frames(s, &frames);
	region_sums_read(&r.sums, &s->model, &frames);
	frame_map_release(&frames);
	if (way != BY_BRANCH)
		region_sums_group(&r.sums, &s->model, way == BY_DOMAIN);
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &r.items);
	sort = view_order(s, &r.items, 0);
	rank_rows(&r, &sort);
	table_set_title(&r.table, view_title(s, ways[way].title, &sort));
	fill(&r);
	status = command_show(s, &r.table, err);
	regions_release(&r);
	return status;
}

/* Whether a region has the name or branch; else ERR has the nearest. */
static bool is_there(struct session *s, const char *name, struct strbuf *err)
{
	struct region_sums sums;
	struct frame_map frames;
	struct nearest near;
	bool found = false;

	nearest_init(&near, name);
	session_frames(s, &frames);
	region_sums_read(&sums, &s->model, &frames);
	frame_map_release(&frames);
	for (uint32_t id = 1; id < sums.rows.len && !found; id++) {
		const char *own = model_string(&s->model, sums.rows.data[id].name);
		struct strbuf branch = { 0 };

		region_put_branch(&sums, &s->model, id, &branch);
		found = !sums.rows.data[id].apart &&
			(!strcmp(own, name) || !strcmp(strbuf_str(&branch), name));
		nearest_offer(&near, own);
		strbuf_release(&branch);
	}
	if (!found) {
		strbuf_addf(err, "no region of a thread is called %s", name);
		if (near.count) {
			strbuf_addstr(err, "; did you mean ");
			nearest_join(&near, err);
			strbuf_addch(err, '?');
		}
	}
	nearest_release(&near);
	region_sums_release(&sums);
	return found;
}

/* The functions of the samples in NAME: as under a filter. */
static int show_functions(struct session *s, const char *name, struct strbuf *err)
{
	struct selection before = s->set.selection, within;
	struct strbuf text = { 0 };
	int status;

	if (!is_there(s, name, err))
		return CMD_FAILED;
	if (before.expression)
		strbuf_addf(&text, "(%s) && ", before.expression);
	strbuf_addstr(&text, "REGION==\"");
	for (const char *c = name; *c; c++)
		strbuf_addf(&text, *c == '"' ? "\\%c" : "%c", *c);
	strbuf_addch(&text, '"');
	selection_copy(&before, &within);
	selection_set_expression(&within, strbuf_str(&text));
	strbuf_release(&text);
	s->set.selection = within;
	status = session_select(s, err) ? CMD_FAILED : cmd_functions.run(s, 0, NULL, err);
	selection_release(&s->set.selection);
	s->set.selection = before;
	if (session_select(s, err))
		return CMD_FAILED;
	return status;
}

static int run_regions(struct session *s, int argc, char **argv, struct strbuf *err)
{
	if (!model_has_regions(&s->model)) {
		strbuf_addstr(err, REGIONS_MISSING);
		return CMD_FAILED;
	}
	for (int way = 0; argc && way < WAYS; way++)
		if (!strcmp(argv[0], ways[way].word))
			return show_regions(s, way, err);
	return argc ? show_functions(s, argv[0], err) : show_regions(s, BY_BRANCH, err);
}

const struct cmd cmd_regions = {
	.name = "regions",
	.args = "[WHAT]",
	.help = "what the program says it works on, with metrics",
	.run = run_regions,
	.names = true,
	.comparable = "functions",
};
