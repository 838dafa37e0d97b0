/* SPDX-License-Identifier: Apache-2.0 */
#include "render/text_layout.h"

#include "base/utf8.h"

/* Zero is told apart from little: "0." alone. */
static void put_decimal(struct strbuf *out, double number, int digits)
{
	if (number != 0) {
		strbuf_addf(out, "%.*f", digits, number);
		return;
	}
	strbuf_addstr(out, "0.");
	strbuf_pad(out, ' ', (size_t)digits);
}

static void put_text(struct text_layout *layout, const struct column *column,
		     const struct cell *cell)
{
	(void)column;
	foreign_put(&layout->text, table_string(layout->table, cell->text.at));
}

static void put_tree(struct text_layout *layout, const struct column *column,
		     const struct cell *cell)
{
	uint32_t depth = cell->tree.depth;
	uint32_t level = depth < layout->levels ? depth : layout->levels;

	(void)column;
	if (level)
		strbuf_addstr(&layout->text, "  ");
	for (uint32_t i = 1; i < level; i++)
		strbuf_addstr(&layout->text, layout->branches.open[i] ? "|  " : "   ");
	layout->branches.open[level] = !cell->tree.last;
	strbuf_addstr(&layout->text, "+-");
	if (depth > level)
		strbuf_addf(&layout->text, "[%u] ", depth);
	foreign_put(&layout->text, table_string(layout->table, cell->tree.at));
}

static void put_number(struct text_layout *layout, const struct column *column,
		       const struct cell *cell)
{
	(void)column;
	strbuf_addf(&layout->text, "%llu", (unsigned long long)cell->number);
}

static void put_hex(struct text_layout *layout, const struct column *column,
		    const struct cell *cell)
{
	(void)column;
	strbuf_addf(&layout->text, "0x%llx", (unsigned long long)cell->number);
}

static void put_real(struct text_layout *layout, const struct column *column,
		     const struct cell *cell)
{
	double number = cell->real * (column->seconds > 0 ? column->seconds : 1);

	strbuf_addf(&layout->text, column->sign ? "%+.*f" : "%.*f", column->digits,
		    number);
}

/* Before what was scaled. */
static void put_mark(struct text_layout *layout, const struct column *column)
{
	if (column->counted > 0)
		strbuf_addch(&layout->text, '~');
}

static void put_time(struct text_layout *layout, const struct column *column,
		     const struct cell *cell)
{
	put_mark(layout, column);
	put_decimal(&layout->text, cell->estimate.amount * column->seconds, 3);
}

static void put_count(struct text_layout *layout, const struct column *column,
		      const struct cell *cell)
{
	put_mark(layout, column);
	strbuf_addf(&layout->text, "%.0f", cell->estimate.amount);
}

static void put_interval(struct text_layout *layout, const struct column *column,
			 const struct cell *cell)
{
	double unit = column_bound_unit(column, &cell->estimate);
	int digits = column->show & SHOW_COUNT ? 0 : 2;

	if (column_shows_time(column))
		digits = 3;
	strbuf_addf(&layout->text, "%.*f-%.*f", digits, cell->estimate.low * unit, digits,
		    cell->estimate.high * unit);
}

static void put_percent(struct text_layout *layout, const struct column *column,
			const struct cell *cell)
{
	(void)column;
	put_decimal(&layout->text, cell->estimate.percent, 2);
}

static void put_ratio(struct text_layout *layout, const struct column *column,
		      const struct cell *cell)
{
	put_mark(layout, column);
	strbuf_addf(&layout->text, "%.*f", column->digits, cell->estimate.amount);
}

static void put_ratio_interval(struct text_layout *layout, const struct column *column,
			       const struct cell *cell)
{
	strbuf_addf(&layout->text, "%.*f-%.*f", column->digits, cell->estimate.low,
		    column->digits, cell->estimate.high);
}

/* In the order in which the parts of an estimate stand. */
static const struct part_kind kinds[] = {
	{ COLUMN_TEXT, 0, "", true, put_text },
	{ COLUMN_TREE, 0, "", true, put_tree },
	{ COLUMN_NUMBER, 0, "", false, put_number },
	{ COLUMN_HEX, 0, "", false, put_hex },
	{ COLUMN_REAL, 0, "", false, put_real },
	{ COLUMN_ESTIMATE, SHOW_TIME, "sec.", false, put_time },
	{ COLUMN_ESTIMATE, SHOW_COUNT, "count", false, put_count },
	{ COLUMN_ESTIMATE, SHOW_INTERVAL, "95 % int.", false, put_interval },
	{ COLUMN_ESTIMATE, SHOW_PERCENT, "%", false, put_percent },
	{ COLUMN_RATIO, SHOW_TIME, NULL, false, put_ratio },
	{ COLUMN_RATIO, SHOW_INTERVAL, "95 % int.", false, put_ratio_interval },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The parts that a person sees of a column. */
static void add_parts(struct text_layout *layout, size_t index)
{
	const struct column *column = &layout->table->columns.data[index];
	bool first = true;

	for (size_t k = 0; k < KINDS; k++) {
		if (column->machine_only || kinds[k].column != column->type ||
		    (kinds[k].show && !(kinds[k].show & column->show)))
			continue;
		*vec_push(&layout->parts) = (struct part){ .kind = &kinds[k],
							   .column = index,
							   .first = first };
		first = false;
	}
}

static void put_cell(struct text_layout *layout, const struct part *part,
		     const struct cell *cell)
{
	const struct column *column = &layout->table->columns.data[part->column];

	if (!cell->absent)
		part->kind->put(layout, column, cell);
	else if (cell->undefined)
		strbuf_addch(&layout->text, '-');
}

/* Formats every cell, and makes each part as wide as its widest. */
static void format_cells(struct text_layout *layout)
{
	for (size_t r = 0; r < table_rows(layout->table); r++) {
		const struct cell *row = table_row(layout->table, r);

		vec_for_each(struct part, part, &layout->parts) {
			size_t at = layout->text.len, width;

			*vec_push(&layout->at) = at;
			put_cell(layout, part, &row[part->column]);
			strbuf_addch(&layout->text, '\0');
			width = utf8_length(layout->text.data + at);
			part->width = width > part->width ? width : part->width;
		}
	}
}

void text_layout_fill(struct text_layout *out, const struct table *table, unsigned levels)
{
	*out = (struct text_layout){ .table = table, .levels = levels };
	for (size_t i = 0; i < table->columns.len; i++)
		add_parts(out, i);
	format_cells(out);
}

void text_layout_release(struct text_layout *layout)
{
	vec_release(&layout->parts);
	vec_release(&layout->at);
	strbuf_release(&layout->text);
}
