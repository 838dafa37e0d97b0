/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/view.h"

#include <stdlib.h>
#include <string.h>

#include "model/ratio.h"
#include "model/scales.h"

/* The parts of a metric or ratio that are displayed in any flavor. */
static unsigned shown_parts(const struct session *s, enum metric_field field,
			    uint32_t metric)
{
	unsigned show = 0;

	vec_for_each(const struct metric_item, item, &s->set.metrics)
		if (item->field == field && item->metric == metric)
			show |= item->show;
	return show;
}

static bool has_item(const struct metric_list *list, const struct metric_item *like)
{
	vec_for_each(const struct metric_item, item, list)
		if (item->field == like->field && item->flavor == like->flavor &&
		    item->metric == like->metric)
			return true;
	return false;
}

/* Whether something is displayed in one of FLAVORS. */
static bool has_flavor(const struct metric_list *list, unsigned flavors)
{
	vec_for_each(const struct metric_item, item, list)
		if (metric_item_is_value(item) && item->show &&
		    flavors & VIEW_FLAVOR(item->flavor))
			return true;
	return false;
}

/*
 * Adds all COUNT metrics, or ratios, in FLAVORS that OUT lacks; in those of SEEN as
 * displayed elsewhere.
 */
static void add_rest(const struct session *s, enum metric_field field, size_t count,
		     unsigned flavors, unsigned seen, struct metric_list *out)
{
	for (uint32_t m = 0; m < count; m++)
		for (int f = 0; f < FLAVORS; f++) {
			struct metric_item item = { .field = field,
						    .flavor = (enum flavor)f,
						    .metric = m };

			if (!(flavors & VIEW_FLAVOR(f)) || has_item(out, &item))
				continue;
			if (seen & VIEW_FLAVOR(f))
				item.show = shown_parts(s, field, m);
			*vec_push(out) = item;
		}
}

void view_items(const struct session *s, unsigned flavors, struct metric_list *out)
{
	unsigned attributed = flavors & VIEW_FLAVOR(ATTRIBUTED);
	unsigned wanted = attributed ? attributed : flavors;
	unsigned seen = has_flavor(&s->set.metrics, wanted) ? 0 : wanted;

	*out = (struct metric_list){ 0 };
	vec_for_each(const struct metric_item, item, &s->set.metrics)
		if (!metric_item_is_value(item) || flavors & VIEW_FLAVOR(item->flavor))
			*vec_push(out) = *item;
	add_rest(s, FIELD_METRIC, s->model.metrics.len, flavors, seen, out);
	add_rest(s, FIELD_RATIO, s->model.ratios.len, flavors, seen, out);
}

/* ---- columns ---- */

/* The value of column.counted: only below 1. */
static double counted_share(double scale)
{
	return scale > 1 ? 1 / scale : 0;
}

static double counted_of(const struct session *s, uint32_t metric)
{
	return counted_share(s->model.metrics.data[metric].mean_scale);
}

/* Of both parts of a ratio. */
static double least_counted(double top, double bottom)
{
	return top > 0 && (bottom <= 0 || top < bottom) ? top : bottom;
}

double view_side_counted(const struct session *s, const struct metric_item *item,
			 uint32_t side)
{
	const struct ratio *ratio;

	if (item->field != FIELD_RATIO)
		return counted_share(scales_mean(&s->model, item->metric, side));
	ratio = &s->model.ratios.data[item->metric];
	return least_counted(counted_share(scales_mean(&s->model, ratio->top, side)),
			     counted_share(scales_mean(&s->model, ratio->bottom, side)));
}

/* column.spare: waits that the user did not ask for, the smallest first. */
static unsigned spare_rank(const struct session *s, uint32_t m)
{
	const struct metric *of = &s->model.metrics.data[m];
	const struct metric_item by = session_sort(s).by;
	unsigned rank = 1;

	if (!of->state || s->set.metrics_spec ||
	    (by.field == FIELD_METRIC && by.metric == m))
		return 0;
	vec_for_each(const struct metric, other, &s->model.metrics)
		rank += other->all.weight < of->all.weight ||
			(other->all.weight == of->all.weight && other > of);
	return rank;
}

static struct column metric_column(const struct session *s,
				   const struct metric_item *item)
{
	const struct metric *metric = &s->model.metrics.data[item->metric];

	return (struct column){
		.key = foreign(model_string(&s->model, metric->id)),
		.title = foreign(model_string(&s->model, metric->label)),
		.type = COLUMN_ESTIMATE,
		.seconds = metric_seconds(metric),
		.counted = counted_of(s, item->metric),
		.spare = spare_rank(s, item->metric),
	};
}

static struct column ratio_column(const struct session *s, const struct metric_item *item)
{
	const struct ratio *ratio = &s->model.ratios.data[item->metric];

	return (struct column){
		.key = foreign(model_string(&s->model, ratio->id)),
		.title = foreign(model_string(&s->model, ratio->id)),
		.type = COLUMN_RATIO,
		.unit = ratio->kind->unit,
		.digits = ratio->kind->digits,
		.counted = least_counted(counted_of(s, ratio->top),
					 counted_of(s, ratio->bottom)),
	};
}

void view_column(const struct session *s, const struct metric_item *item,
		 struct table *table)
{
	struct column column;

	if (!metric_item_is_value(item))
		return;
	column = item->field == FIELD_RATIO ? ratio_column(s, item)
					    : metric_column(s, item);
	column.flavor = item->flavor;
	column.show = item->show && s->set.interval ? item->show | SHOW_INTERVAL
						    : item->show;
	table_estimate_column(table, &column);
}

void view_columns(const struct session *s, const struct metric_list *items,
		  struct table *table)
{
	vec_for_each(const struct metric_item, item, items)
		view_column(s, item, table);
}

/* ---- cells ---- */

static bool ratio_of(const struct session *s, const struct metric_item *item,
		     const struct view_row *row, struct estimate *out)
{
	const struct ratio *ratio = &s->model.ratios.data[item->metric];
	struct value top = row->value(row->row, item->flavor, ratio->top);
	struct value bottom = row->value(row->row, item->flavor, ratio->bottom);

	if (row->total &&
	    bottom.weight == s->model.metrics.data[ratio->bottom].total.weight)
		return ratio_total(&s->model, ratio, out);
	return ratio_estimate(&s->model, ratio, top, bottom, out);
}

static struct estimate metric_of(const struct session *s, const struct metric_item *item,
				 const struct view_row *row)
{
	const struct metric *metric = &s->model.metrics.data[item->metric];

	struct value v = row->value(row->row, item->flavor, item->metric);

	if (row->total && v.weight == metric->total.weight)
		return estimate_total(metric);
	return estimate_of(metric, v,
			   row->whole ? row->whole(row->row, item->metric)
				      : metric->total);
}

void view_cell(const struct session *s, const struct metric_item *item,
	       const struct view_row *row, struct table *table)
{
	struct estimate ratio;

	if (row->none && metric_item_is_value(item))
		table_add_absent(table);
	else if (item->field == FIELD_METRIC)
		table_add_estimate(table, metric_of(s, item, row));
	else if (item->field != FIELD_RATIO)
		return;
	else if (ratio_of(s, item, row, &ratio))
		table_add_estimate(table, ratio);
	else
		table_add_undefined(table);
}

void view_cells(const struct session *s, const struct metric_list *items,
		const struct view_row *row, struct table *table)
{
	vec_for_each(const struct metric_item, item, items)
		view_cell(s, item, row, table);
}

/* ---- order ---- */

/* Nonnegative numbers have the order of their bits. */
static uint64_t order_of(double amount)
{
	uint64_t bits;

	memcpy(&bits, &amount, sizeof(bits));
	return bits;
}

void view_rank(const struct session *s, const struct metric_item *item,
	       const struct view_row *row, struct rank *rank)
{
	struct estimate ratio;

	if (row->none) {
		rank->absent = true;
	} else if (item->field == FIELD_METRIC) {
		struct value v = row->value(row->row, item->flavor, item->metric);

		rank->weight = v.weight;
		rank->samples = v.samples;
	} else if (item->field == FIELD_RATIO) {
		rank->absent = !ratio_of(s, item, row, &ratio);
		rank->weight = rank->absent ? 0 : order_of(ratio.amount);
		rank->samples = rank->absent ? 0 : ratio.samples;
	}
}

/* ITEM in a flavor of LIST; NULL: it has none. */
static const struct metric_item *find_item(const struct metric_list *list,
					   const struct metric_item *item)
{
	vec_for_each(const struct metric_item, other, list)
		if (other->field == item->field && other->metric == item->metric)
			return other;
	return NULL;
}

struct sort_key view_order(const struct session *s, const struct metric_list *items,
			   unsigned fields)
{
	struct sort_key sort = session_sort(s), other = sort_key_default(items);
	const struct metric_item *found;

	if (!metric_item_is_value(&sort.by))
		return fields & VIEW_FIELD(sort.by.field) ||
				       !metric_item_is_value(&other.by)
			       ? sort
			       : other;
	found = find_item(items, &sort.by);
	if (!has_item(items, &sort.by) && found)
		sort.by.flavor = found->flavor;
	return sort;
}

char *view_title(const struct session *s, const char *what, const struct sort_key *sort)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s sorted by metric: ", what);
	sort_key_title(&s->model, sort, &text);
	return strbuf_detach(&text);
}

void view_function_id(const struct session *s, uint32_t function, struct table *table)
{
	struct strbuf id = { 0 };

	if (function != MODEL_NONE)
		function_id(&s->model, function, &id);
	table_add_text(table, strbuf_str(&id));
	strbuf_release(&id);
}

static int by_rank(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;
	int order;

	if (a->absent != b->absent)
		return a->absent ? 1 : -1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static int by_rank_reversed(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;

	return a->absent != b->absent ? by_rank(a, b) : by_rank(b, a);
}

void ranks_sort(struct ranks *ranks, bool reverse)
{
	if (ranks->len)
		qsort(ranks->data, ranks->len, sizeof(*ranks->data),
		      reverse ? by_rank_reversed : by_rank);
}
