/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/annotated.h"

#include "shell/command.h"
#include "views/view.h"

/* What a line needs of ITEM to be marked; at least one sample. */
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

void annotated_init(struct annotated *a, struct session *s, const char *key,
		    const struct sums *sums, unsigned threshold)
{
	*a = (struct annotated){ .session = s, .sums = sums, .table.key = key };
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), &a->items);
	table_column(&a->table, "hot", "", COLUMN_TEXT);
	vec_for_each(const struct metric_item, item, &a->items) {
		view_column(s, item, &a->table);
		*vec_push(&a->hot) = item->field == FIELD_METRIC && item->show
					     ? hot_from(sums, item, threshold)
					     : UINT64_MAX;
	}
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

/* Of which the values of a row are. */
struct line_row {
	const struct sums *sums;
	uint32_t group;
};

static struct value value_of(const void *line_row, enum flavor flavor, uint32_t metric)
{
	const struct line_row *row = line_row;

	return sums_value(row->sums, flavor, metric, row->group);
}

/* Of a ratio too, what counts is the metric that it divides by. */
static bool has_value(const struct annotated *a, const struct metric_item *item,
		      uint32_t group)
{
	uint32_t metric = metric_item_base(&a->session->model, item);

	return group && value_is_any(sums_value(a->sums, item->flavor, metric, group));
}

void annotated_begin(struct annotated *a, uint32_t group)
{
	const struct line_row values = { a->sums, group };
	const struct view_row row = { .value = value_of, .row = &values };

	if (is_hot(a, group))
		table_add_toned(&a->table, "##", TONE_HOT);
	else
		table_add_text(&a->table, "");
	vec_for_each(const struct metric_item, item, &a->items)
		if (!metric_item_is_value(item))
			continue;
		else if (has_value(a, item, group))
			view_cell(a->session, item, &row, &a->table);
		else
			table_add_absent(&a->table);
}

int annotated_show(struct annotated *a, struct strbuf *err)
{
	vec_release(&a->items);
	vec_release(&a->hot);
	return command_status(session_show(a->session, &a->table),
			      output_name(&a->session->out), err);
}
