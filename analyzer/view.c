/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* The parts of a metric that are seen in any flavor. */
static unsigned shown_parts(const struct session *s, uint32_t metric)
{
	unsigned show = 0;

	vec_for_each(const struct metric_item, item, &s->metrics)
		if (item->field == FIELD_METRIC && item->metric == metric)
			show |= item->show;
	return show;
}

static bool has_item(const struct metric_list *list, enum flavor flavor, uint32_t metric)
{
	vec_for_each(const struct metric_item, item, list)
		if (item->field == FIELD_METRIC && item->flavor == flavor &&
		    item->metric == metric)
			return true;
	return false;
}

static bool has_flavor(const struct metric_list *list, enum flavor flavor)
{
	vec_for_each(const struct metric_item, item, list)
		if (item->field == FIELD_METRIC && item->flavor == flavor && item->show)
			return true;
	return false;
}

void view_items(const struct session *s, unsigned flavors, struct metric_list *out)
{
	bool derive = flavors & VIEW_FLAVOR(ATTRIBUTED) &&
		      !has_flavor(&s->metrics, ATTRIBUTED);

	*out = (struct metric_list){ 0 };
	vec_for_each(const struct metric_item, item, &s->metrics)
		if (item->field != FIELD_METRIC || flavors & VIEW_FLAVOR(item->flavor))
			*vec_push(out) = *item;
	for (int f = 0; f < FLAVORS; f++)
		for (uint32_t m = 0; m < s->model.metrics.len; m++) {
			enum flavor flavor = (enum flavor)f;

			if (!(flavors & VIEW_FLAVOR(flavor)) || has_item(out, flavor, m))
				continue;
			*vec_push(out) = (struct metric_item){
				.flavor = flavor,
				.metric = m,
				.show = flavor == ATTRIBUTED && derive ? shown_parts(s, m)
								       : 0,
			};
		}
}

void view_metric_column(const struct session *s, const struct metric_item *item,
			struct table *table)
{
	const struct metric *metric = &s->model.metrics.data[item->metric];

	table_estimate_column(table,
			      &(struct column){
				      .key = model_string(&s->model, metric->id),
				      .title = model_string(&s->model, metric->label),
				      .type = COLUMN_ESTIMATE,
				      .flavor = item->flavor,
				      .show = item->show && s->interval
						      ? item->show | SHOW_INTERVAL
						      : item->show,
				      .seconds = metric_seconds(metric),
			      });
}

struct sort_key view_attributed_order(const struct session *s,
				      const struct metric_list *items)
{
	struct sort_key sort = session_sort(s);

	if (sort.by.field == FIELD_METRIC)
		sort.by.flavor = ATTRIBUTED;
	else if (sort.by.field != FIELD_NAME)
		sort.by = sort_key_default(items).by;
	return sort;
}

static int by_rank(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;
	int order;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static int by_rank_reversed(const void *a, const void *b)
{
	return by_rank(b, a);
}

void ranks_sort(struct ranks *ranks, bool reverse)
{
	if (ranks->len)
		qsort(ranks->data, ranks->len, sizeof(*ranks->data),
		      reverse ? by_rank_reversed : by_rank);
}
