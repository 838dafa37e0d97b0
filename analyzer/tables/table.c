/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/table.h"

#include <stdlib.h>
#include <string.h>

void table_release(struct table *table)
{
	free(table->own_title);
	vec_release(&table->columns);
	vec_release(&table->cells);
	vec_release(&table->breaks);
	strbuf_release(&table->text);
	strbuf_release(&table->note);
	*table = (struct table){ 0 };
}

void table_clear(struct table *table)
{
	vec_clear(&table->cells);
	strbuf_clear(&table->text);
}

const struct cell *table_row(struct table *table, size_t row)
{
	if (!table->source.add)
		return table->cells.data + row * table->columns.len;
	if (table->read != row + 1) {
		table_clear(table);
		table->source.add(table->source.ctx, row, table);
		table->read = row + 1;
	}
	return table->cells.data;
}

void table_column(struct table *table, const char *key, const char *title,
		  enum column_type type)
{
	*vec_push(&table->columns) = (struct column){ .key = foreign(key),
						      .title = foreign(title),
						      .type = type };
}

void table_machine_column(struct table *table, const char *key, enum column_type type)
{
	*vec_push(&table->columns) = (struct column){ .key = foreign(key),
						      .title = foreign(key),
						      .type = type,
						      .machine_only = true };
}

void table_name_column(struct table *table, enum column_type type)
{
	table_column(table, "name", "Name", type);
	table->columns.data[table->columns.len - 1].names = true;
}

void table_code_column(struct table *table, const char *key, const char *title)
{
	*vec_push(&table->columns) = (struct column){ .key = foreign(key),
						      .title = foreign(title),
						      .type = COLUMN_TEXT,
						      .code = true };
}

void table_estimate_column(struct table *table, const struct column *column)
{
	*vec_push(&table->columns) = *column;
}

static size_t keep(struct table *table, const char *text)
{
	size_t at = table->text.len;

	strbuf_add(&table->text, text, strlen(text) + 1);
	return at;
}

void table_add_text(struct table *table, const char *text)
{
	*vec_push(&table->cells) = (struct cell){ .text = { .at = keep(table, text) } };
}

void table_add_marked(struct table *table, const char *text)
{
	table_add_text(table, text);
	table->cells.data[table->cells.len - 1].text.marked = true;
}

void table_add_toned(struct table *table, const char *text, enum tone tone)
{
	table_add_text(table, text);
	table->cells.data[table->cells.len - 1].text.tone = tone;
}

void table_add_tree(struct table *table, const char *text, struct tree_place place)
{
	*vec_push(&table->cells) = (struct cell){
		.tree = { .at = keep(table, text), .place = place },
	};
}

void tree_place_put_repeat(const struct tree_place *place, const char *times,
			   struct strbuf *out)
{
	if (place->frames > 1)
		strbuf_addf(out, " %s%u", times, place->frames);
	if (place->cycle)
		strbuf_addf(out, ", cycle of %u", place->cycle);
}

void table_add_number(struct table *table, uint64_t number)
{
	*vec_push(&table->cells) = (struct cell){ .number = number };
}

void table_add_real(struct table *table, double real)
{
	*vec_push(&table->cells) = (struct cell){ .real = real };
}

void table_add_estimate(struct table *table, struct estimate estimate)
{
	*vec_push(&table->cells) = (struct cell){ .estimate = estimate };
}

void table_add_absent(struct table *table)
{
	*vec_push(&table->cells) = (struct cell){ .absent = true };
}

void table_add_undefined(struct table *table)
{
	*vec_push(&table->cells) = (struct cell){ .absent = true, .undefined = true };
}

void table_set_title(struct table *table, char *title)
{
	free(table->own_title);
	table->own_title = title;
}

void table_break_detail(struct table *table, const char *heading, const char *detail)
{
	*vec_push(&table->breaks) = (struct table_break){ .row = table_rows(table),
							  .heading = foreign(heading),
							  .detail = foreign(detail) };
}

void table_break(struct table *table, const char *heading)
{
	table_break_detail(table, heading, NULL);
}
