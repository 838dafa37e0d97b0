/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/annotated.h"

#include <stdlib.h>

#include "session/cmd.h"
#include "rows/view.h"
#include "base/xalloc.h"

/* The least weight in ITEM of a marked line; at least one sample. */
static uint64_t hot_from(const struct sums *sums, const struct metric_item *item,
			 unsigned threshold)
{
	uint64_t most = 0;
	double from;

	for (size_t g = 1; g < sums->groups; g++) {
		struct value v = sums_value(sums, item->flavor, item->metric, g);

		most = v.weight > most ? v.weight : most;
	}
	from = (double)most * threshold / 100;
	return from < 1 ? 1 : (uint64_t)from;
}

/* Group 0 is no line, and no row. */
static void compare_lines(struct annotated *a)
{
	size_t lines = a->sums->groups - 1;
	uint32_t *groups = xcalloc(lines + 1, sizeof(*groups));
	const struct model *model = &a->session->model;
	struct sums sums;

	for (size_t i = 0; i < lines; i++)
		groups[i] = (uint32_t)i + 1;
	sums_select(&sums, a->sums, model->metrics.len * model->sources.len, groups,
		    lines);
	compare_table_compare(&a->compare, &sums);
	sums_release(&sums);
	free(groups);
}

/* NULL: the line has no samples. */
static const struct compared *compared_line(const struct annotated *a, uint32_t group)
{
	return group ? compare_table_find(&a->compare, group - 1) : NULL;
}

static int init_compared(struct annotated *a, const char *key, struct strbuf *err)
{
	int status = compare_table_init(&a->compare, a->session, key,
					VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE),
					err);

	if (status)
		return status;
	a->table = &a->compare.table;
	compare_lines(a);
	compare_table_columns(&a->compare);
	return 0;
}

static void init_plain(struct annotated *a, const char *key, unsigned threshold)
{
	a->own.key = key;
	a->table = &a->own;
	view_items(a->session, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE),
		   &a->items);
	table_column(a->table, "hot", "", COLUMN_TEXT);
	vec_for_each(const struct metric_item, item, &a->items) {
		view_column(a->session, item, a->table);
		*vec_push(&a->hot) = item->field == FIELD_METRIC && item->show
					     ? hot_from(a->sums, item, threshold)
					     : UINT64_MAX;
	}
}

int annotated_init(struct annotated *a, struct session *s,
		   const struct annotated_kind *kind, const struct sums *sums,
		   unsigned threshold, struct strbuf *err)
{
	*a = (struct annotated){ .session = s, .sums = sums };
	if (s->set.compare)
		return init_compared(a, kind->compared_key, err);
	init_plain(a, kind->key, threshold);
	return 0;
}

void annotated_end_columns(struct annotated *a)
{
	if (a->session->set.compare)
		compare_table_end_columns(&a->compare);
}

static bool is_hot(const struct annotated *a, uint32_t group)
{
	for (size_t i = 0; group && i < a->items.len; i++) {
		const struct metric_item *item = &a->items.data[i];

		if (item->field == FIELD_METRIC &&
		    sums_value(a->sums, item->flavor, item->metric, group).weight >=
			    a->hot.data[i])
			return true;
	}
	return false;
}

/* The source of a row's values. */
struct line_row {
	const struct sums *sums;
	uint32_t group;
};

static struct value value_of(const void *line_row, enum flavor flavor, uint32_t metric)
{
	const struct line_row *row = line_row;

	return sums_value(row->sums, flavor, metric, row->group);
}

/* For a ratio, its divisor counts. */
static bool has_value(const struct annotated *a, const struct metric_item *item,
		      uint32_t group)
{
	uint32_t metric;

	return metric_item_base(&a->session->model, item, &metric) && group &&
	       value_is_any(sums_value(a->sums, item->flavor, metric, group));
}

void annotated_begin(struct annotated *a, uint32_t group)
{
	const struct line_row values = { a->sums, group };
	const struct view_row row = { .value = value_of, .row = &values };

	if (a->session->set.compare) {
		compare_table_begin(&a->compare, compared_line(a, group));
		return;
	}
	if (is_hot(a, group))
		table_add_toned(a->table, "##", TONE_HOT);
	else
		table_add_text(a->table, "");
	vec_for_each(const struct metric_item, item, &a->items)
		if (!metric_item_is_value(item))
			continue;
		else if (has_value(a, item, group))
			view_cell(a->session, item, &row, a->table);
		else
			table_add_absent(a->table);
}

void annotated_end(struct annotated *a, uint32_t group)
{
	if (a->session->set.compare)
		compare_table_end(&a->compare, compared_line(a, group));
}

int annotated_show(struct annotated *a, struct strbuf *err)
{
	vec_release(&a->items);
	vec_release(&a->hot);
	if (a->session->set.compare)
		return compare_table_show(&a->compare, err);
	return command_show(a->session, a->table, err);
}
