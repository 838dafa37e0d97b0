/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/group_view.h"

#include <stdlib.h>

#include "session/cmd.h"
#include "rows/view.h"

/* Instead of a group: the row of <Total>. */
#define GROUP_TOTAL UINT32_MAX

struct group_table {
	struct session *session;
	const struct group_kind *kind;
	const void *groups;
	const struct sums *sums;
	struct metric_list items;
	struct sort_key sort;
	struct table table;
	VEC(char *) names; /* of the ranked groups */
	struct ranks ranks;
};

/* The source of a row's values. */
struct group_row {
	const struct group_table *table;
	uint32_t group;
};

static struct value value_of(const void *group_row, enum flavor flavor, uint32_t metric)
{
	const struct group_row *row = group_row;

	if (row->group == GROUP_TOTAL)
		return row->table->session->model.metrics.data[metric].total;
	return sums_value(row->table->sums, flavor, metric, row->group);
}

static bool has_samples(const struct group_table *t, uint32_t group)
{
	for (size_t m = 0; m < t->session->model.metrics.len; m++)
		if (value_is_any(sums_value(
			    t->sums, t->kind->numbers ? EXCLUSIVE : INCLUSIVE, m, group)))
			return true;
	return false;
}

/* Low addresses first. */
static void rank_address(const struct group_table *t, uint32_t group, struct rank *rank)
{
	uint64_t address = 0;

	rank->absent = !t->kind->address(t->session, t->groups, group, &address);
	rank->weight = UINT64_MAX - address;
}

static void rank_groups(struct group_table *t)
{
	for (uint32_t g = 0; g < t->sums->groups; g++) {
		const struct group_row values = { t, g };
		const struct view_row row = { .value = value_of, .row = &values };
		struct strbuf name = { 0 };
		struct rank rank = { .id = g };

		if (!has_samples(t, g))
			continue;
		if (t->sort.by.field == FIELD_ADDRESS)
			rank_address(t, g, &rank);
		else
			view_rank(t->session, &t->sort.by, &row, &rank);
		t->kind->name(t->session, t->groups, g, &name);
		*vec_push(&t->names) = strbuf_detach(&name);
		rank.name = t->kind->numbers ? "" : t->names.data[t->names.len - 1];
		*vec_push(&t->ranks) = rank;
	}
	ranks_sort(&t->ranks, t->sort.reverse);
}

static void make_columns(struct group_table *t, bool whole)
{
	size_t before;

	view_columns(t->session, &t->items, &t->table);
	table_name_column(&t->table, COLUMN_TEXT);
	before = t->table.columns.len;
	t->table.columns.data[before - 1].kept = t->kind->kept;
	t->kind->columns(&t->table);
	for (size_t i = before; i < t->table.columns.len; i++)
		t->table.columns.data[i].machine_only = !whole;
}

static void add_row(struct group_table *t, uint32_t group, const char *name)
{
	const struct group_row values = { t, group };
	const struct view_row row = { .value = value_of,
				      .row = &values,
				      .total = group == GROUP_TOTAL };

	view_cells(t->session, &t->items, &row, &t->table);
	table_add_text(&t->table, name);
	if (group != GROUP_TOTAL)
		t->kind->cells(t->session, t->groups, group, &t->table);
	else
		while (t->table.cells.len % t->table.columns.len)
			table_add_absent(&t->table);
}

static void add_group(struct group_table *t, uint32_t group)
{
	struct strbuf name = { 0 };

	t->kind->name(t->session, t->groups, group, &name);
	add_row(t, group, strbuf_str(&name));
	strbuf_release(&name);
}

static void add_ranked(void *ctx, size_t row, struct table *table)
{
	struct group_table *t = ctx;

	(void)table;
	if (row)
		add_group(t, t->ranks.data[row - 1].id);
	else
		add_row(t, GROUP_TOTAL, "<Total>");
}

/* The fields by which rows can be sorted. */
static unsigned fields_of(const struct group_kind *kind)
{
	return VIEW_FIELD(FIELD_NAME) | (kind->address ? VIEW_FIELD(FIELD_ADDRESS) : 0);
}

int group_view_show(struct session *s, const struct group_kind *kind, const void *groups,
		    const struct sums *sums, bool whole, struct strbuf *err)
{
	struct group_table t = {
		.session = s,
		.kind = kind,
		.groups = groups,
		.sums = sums,
		.table.key = kind->key,
	};
	size_t rows;
	int error;

	view_items(s,
		   VIEW_FLAVOR(EXCLUSIVE) | (kind->numbers ? 0 : VIEW_FLAVOR(INCLUSIVE)),
		   &t.items);
	t.sort = view_order(s, &t.items, fields_of(kind));
	rank_groups(&t);
	make_columns(&t, whole);
	table_set_title(&t.table, view_title(s, kind->title, &t.sort));
	t.table.layout = whole ? LAYOUT_RECORDS : LAYOUT_COLUMNS;
	rows = s->set.limit && s->set.limit < t.ranks.len ? s->set.limit : t.ranks.len;
	t.table.source =
		(struct table_source){ .add = add_ranked, .ctx = &t, .rows = rows + 1 };
	error = session_show(s, &t.table);
	vec_release(&t.ranks);
	vec_for_each(char *, name, &t.names)
		free(*name);
	vec_release(&t.names);
	vec_release(&t.items);
	return command_shown(s, error, err);
}
