/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/function_table.h"

static void add_name(struct session *s, uint32_t function, struct table *table)
{
	table_add_text(table, function == FUNCTION_TOTAL ? "<Total>"
							 : session_function(s, function));
}

/*
 * 0 means that it has no code of its own, for example if all was inlined, or is unknown.
 */
static void add_known(struct table *table, uint64_t number)
{
	if (number)
		table_add_number(table, number);
	else
		table_add_absent(table);
}

static void add_size(struct session *s, uint32_t function, struct table *table)
{
	add_known(table, function == FUNCTION_TOTAL
				 ? 0
				 : s->model.functions.data[function].size);
}

static void add_address(struct session *s, uint32_t function, struct table *table)
{
	add_known(table, function == FUNCTION_TOTAL
				 ? 0
				 : s->model.functions.data[function].start);
}

/* By the displayed name, not the linker's. */
static void rank_name(struct session *s, uint32_t function, struct rank *rank)
{
	rank->name = session_function(s, function);
}

static void rank_size(struct session *s, uint32_t function, struct rank *rank)
{
	rank->weight = s->model.functions.data[function].size;
	rank->absent = !rank->weight;
}

/* Low addresses first. */
static void rank_address(struct session *s, uint32_t function, struct rank *rank)
{
	uint64_t start = s->model.functions.data[function].start;

	rank->weight = UINT64_MAX - start;
	rank->absent = !start;
}

static const struct {
	const char *title;
	enum column_type type;
	void (*add)(struct session *s, uint32_t function, struct table *table);
	void (*rank)(struct session *s, uint32_t function, struct rank *rank);
} fields[METRIC_FIELDS] = {
	[FIELD_NAME] = { "Name", COLUMN_TEXT, add_name, rank_name },
	[FIELD_SIZE] = { "Size", COLUMN_NUMBER, add_size, rank_size },
	[FIELD_ADDRESS] = { "Address", COLUMN_HEX, add_address, rank_address },
};

static bool has_field(const struct metric_list *items, enum metric_field field)
{
	vec_for_each(const struct metric_item, item, items)
		if (item->field == field)
			return true;
	return false;
}

/* Adds properties of a function other than metrics, shown only if there is room. */
static void add_identity(struct table *table, bool whole)
{
	table_column(table, "object", "Object", COLUMN_TEXT);
	table_column(table, "linkage_name", "Linkage name", COLUMN_TEXT);
	for (size_t i = table->columns.len - 2; i < table->columns.len; i++)
		table->columns.data[i].machine_only = !whole;
	table_machine_column(table, "function_id", COLUMN_TEXT);
}

/* Chooses the displayed items and the sort key.  The caller releases ITEMS. */
static struct sort_key choose(const struct session *s, struct metric_list *items)
{
	view_items(s, VIEW_FLAVOR(EXCLUSIVE) | VIEW_FLAVOR(INCLUSIVE), items);
	return view_order(s, items,
			  VIEW_FIELD(FIELD_NAME) | VIEW_FIELD(FIELD_SIZE) |
				  VIEW_FIELD(FIELD_ADDRESS));
}

void function_table_init(struct function_table *t, struct session *s,
			 const struct sums *sums, const struct region_functions *regions,
			 bool whole)
{
	*t = (struct function_table){ .session = s, .sums = sums, .regions = regions };
	t->sort = choose(s, &t->items);
	for (int f = FIELD_NAME; f < (whole ? METRIC_FIELDS : FIELD_NAME + 1); f++)
		if (!has_field(&t->items, (enum metric_field)f))
			*vec_push(&t->items) =
				(struct metric_item){ .field = (enum metric_field)f };
	vec_for_each(const struct metric_item, item, &t->items) {
		view_column(s, item, &t->table);
		if (item->field == FIELD_NAME && regions)
			table_column(&t->table, "region", "Region", COLUMN_TEXT);
		if (item->field == FIELD_NAME)
			table_name_column(&t->table, COLUMN_TEXT);
		else if (!metric_item_is_value(item))
			table_column(&t->table, metric_field_names[item->field],
				     fields[item->field].title, fields[item->field].type);
	}
	add_identity(&t->table, whole);
}

void function_table_release(struct function_table *t)
{
	vec_release(&t->items);
	table_release(&t->table);
}

/* The source of a row's values. */
struct function_row {
	const struct model *model;
	const struct sums *sums;
	uint32_t group;
};

static uint32_t function_of(const struct region_functions *regions, uint32_t group)
{
	if (group == FUNCTION_TOTAL || !regions)
		return group;
	return regions->rows.data[group].function;
}

static struct value value_of(const void *function_row, enum flavor flavor,
			     uint32_t metric)
{
	const struct function_row *row = function_row;

	if (row->group == FUNCTION_TOTAL)
		return row->model->metrics.data[metric].total;
	return sums_value(row->sums, flavor, metric, row->group);
}

static void add_branch(const struct function_table *t, uint32_t group,
		       struct table *table)
{
	table_add_text(table,
		       group == FUNCTION_TOTAL
			       ? ""
			       : model_string(&t->session->model,
					      t->regions->rows.data[group].branch));
}

void function_table_add(struct function_table *t, uint32_t group)
{
	struct session *s = t->session;
	const uint32_t function = function_of(t->regions, group);
	const struct function *f = function == FUNCTION_TOTAL
					   ? NULL
					   : &s->model.functions.data[function];
	const struct function_row values = { &s->model, t->sums, group };
	const struct view_row row = { .value = value_of, .row = &values, .total = !f };

	vec_for_each(const struct metric_item, item, &t->items) {
		view_cell(s, item, &row, &t->table);
		if (item->field == FIELD_NAME && t->regions)
			add_branch(t, group, &t->table);
		if (!metric_item_is_value(item))
			fields[item->field].add(s, function, &t->table);
	}
	table_add_text(&t->table, f ? object_path(&s->model, f->object) : "");
	table_add_text(&t->table, f ? model_string(&s->model, f->name) : "");
	view_function_id(s, function, &t->table);
}

static void add_ranked(void *ctx, size_t row, struct table *table)
{
	struct function_table *t = ctx;

	(void)table;
	if (t->total && !row)
		function_table_add(t, FUNCTION_TOTAL);
	else
		function_table_add(t, t->order->data[row - t->total].id);
}

void function_table_order(struct function_table *t, const struct ranks *order,
			  size_t limit, bool total)
{
	size_t shown = limit && limit < order->len ? limit : order->len;

	t->order = order;
	t->total = total;
	t->table.source = (struct table_source){
		.add = add_ranked,
		.ctx = t,
		.rows = shown + total,
	};
}

/* ---- order ---- */

static bool has_samples(const struct function_row *row)
{
	for (uint32_t m = 0; m < row->model->metrics.len; m++)
		if (value_is_any(value_of(row, INCLUSIVE, m)))
			return true;
	return false;
}

/* The rank of a function: for equal weights, the name decides. */
static struct rank rank_of(struct session *s, const struct metric_item *by,
			   const struct function_row *values, uint32_t function)
{
	struct rank rank = { .id = values->group, .name = session_function(s, function) };
	const struct view_row row = { .value = value_of, .row = values };

	view_rank(s, by, &row, &rank);
	if (!metric_item_is_value(by))
		fields[by->field].rank(s, function, &rank);
	return rank;
}

void functions_ranked(struct session *s, const struct sums *sums,
		      const struct region_functions *regions, struct ranks *out)
{
	struct metric_list items;
	struct sort_key sort = choose(s, &items);
	struct function_row row = { &s->model, sums, 0 };

	*out = (struct ranks){ 0 };
	for (; row.group < sums->groups; row.group++) {
		const uint32_t function = function_of(regions, row.group);

		if (function != MODEL_NONE && has_samples(&row))
			*vec_push(out) = rank_of(s, &sort.by, &row, function);
	}
	ranks_sort(out, sort.reverse);
	vec_release(&items);
}
