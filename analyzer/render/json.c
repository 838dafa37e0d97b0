/* SPDX-License-Identifier: Apache-2.0 */
#include "render/render.h"

#include "render/json_value.h"

static json_object *text_of(const struct table *table, const struct cell *cell)
{
	return foreign_json(table_string(table, cell->text.at));
}

static json_object *tree_of(const struct table *table, const struct cell *cell)
{
	return foreign_json(table_string(table, cell->tree.at));
}

static json_object *number_of(const struct table *table, const struct cell *cell)
{
	(void)table;
	return json_object_new_uint64(cell->number);
}

static json_object *real_of(const struct table *table, const struct cell *cell)
{
	(void)table;
	return json_number(cell->real);
}

/* What people see as a ~ is said once a value. */
static void mark_scaled(json_object *value, const struct column *column)
{
	if (value && column_is_measured(column) && column->counted > 0)
		json_object_object_add(value, "scaled", json_object_new_boolean(true));
}

static json_object *measured(const struct estimate *e, bool share)
{
	json_object *value = json_object_new_object();

	json_object_object_add(value, "value", json_number(e->amount));
	if (share)
		json_object_object_add(value, "percent", json_number(e->percent));
	json_object_object_add(value, "samples", json_object_new_uint64(e->samples));
	json_object_object_add(value, "low", json_bound(e->low, e->amount));
	json_object_object_add(value, "high", json_bound(e->high, e->amount));
	return value;
}

static json_object *estimate_of_cell(const struct table *table, const struct cell *cell)
{
	(void)table;
	return measured(&cell->estimate, true);
}

static json_object *ratio_of(const struct table *table, const struct cell *cell)
{
	(void)table;
	return measured(&cell->estimate, false);
}

static json_object *(*const value_of[])(const struct table *, const struct cell *) = {
	[COLUMN_TEXT] = text_of,     [COLUMN_TREE] = tree_of,
	[COLUMN_NUMBER] = number_of, [COLUMN_HEX] = number_of,
	[COLUMN_REAL] = real_of,     [COLUMN_ESTIMATE] = estimate_of_cell,
	[COLUMN_RATIO] = ratio_of,
};

/* The object KEY in OBJECT, made where there is none. */
static json_object *member(json_object *object, const char *key)
{
	json_object *found;

	if (!json_object_object_get_ex(object, key, &found)) {
		found = json_object_new_object();
		json_object_object_add(object, key, found);
	}
	return found;
}

/*
 * Where a column's value belongs in a row: estimates are grouped, and by flavor; ratios
 * apart from them, since a reader may sum what it finds there.
 */
static json_object *place_of(json_object *row, const struct column *column)
{
	if (!column_is_measured(column))
		return row;
	if (column->group)
		row = member(row, column->group);
	if (column->type == COLUMN_RATIO)
		row = member(row, "ratios");
	return member(row, flavor_names[column->flavor].word);
}

static json_object *row_object(const struct table *table, size_t r)
{
	const struct cell *cells = table_row(table, r);
	json_object *row = json_object_new_object();

	for (size_t c = 0; c < table->columns.len; c++) {
		const struct column *column = &table->columns.data[c];

		json_object *value = cells[c].absent
					     ? NULL
					     : value_of[column->type](table, &cells[c]);

		mark_scaled(value, column);
		foreign_json_add(place_of(row, column), column->key, value);
	}
	return row;
}

/* Row by row, so that there are never many objects at a time. */
void render_json(const struct table *table, struct strbuf *out)
{
	for (size_t r = 0; r < table_rows(table); r++) {
		json_object *row = row_object(table, r);

		if (out->len)
			strbuf_addstr(out, ",\n");
		foreign_put_json(out, row,
				 JSON_C_TO_STRING_SPACED |
					 JSON_C_TO_STRING_NOSLASHESCAPE);
		json_object_put(row);
	}
}
