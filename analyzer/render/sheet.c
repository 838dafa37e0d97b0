/* SPDX-License-Identifier: Apache-2.0 */
#include "render/sheet.h"

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

static void put_text(struct sheet *sheet, const struct column *column,
		     const struct cell *cell)
{
	(void)column;
	foreign_put(&sheet->text, table_string(sheet->table, cell->text.at));
}

static void put_tree(struct sheet *sheet, const struct column *column,
		     const struct cell *cell)
{
	uint32_t depth = cell->tree.depth;
	uint32_t level = depth < sheet->levels ? depth : sheet->levels;

	(void)column;
	if (level)
		strbuf_addstr(&sheet->text, "  ");
	for (uint32_t i = 1; i < level; i++)
		strbuf_addstr(&sheet->text, sheet->branches.open[i] ? "|  " : "   ");
	sheet->branches.open[level] = !cell->tree.last;
	strbuf_addstr(&sheet->text, "+-");
	if (depth > level)
		strbuf_addf(&sheet->text, "[%u] ", depth);
	foreign_put(&sheet->text, table_string(sheet->table, cell->tree.at));
}

static void put_number(struct sheet *sheet, const struct column *column,
		       const struct cell *cell)
{
	(void)column;
	strbuf_addf(&sheet->text, "%llu", (unsigned long long)cell->number);
}

static void put_hex(struct sheet *sheet, const struct column *column,
		    const struct cell *cell)
{
	(void)column;
	strbuf_addf(&sheet->text, "0x%llx", (unsigned long long)cell->number);
}

static void put_real(struct sheet *sheet, const struct column *column,
		     const struct cell *cell)
{
	double number = cell->real * (column->seconds > 0 ? column->seconds : 1);

	strbuf_addf(&sheet->text, column->sign ? "%+.*f" : "%.*f", column->digits,
		    number);
}

/* Before what was scaled. */
static void put_mark(struct sheet *sheet, const struct column *column)
{
	if (column->counted > 0)
		strbuf_addch(&sheet->text, '~');
}

static void put_time(struct sheet *sheet, const struct column *column,
		     const struct cell *cell)
{
	put_mark(sheet, column);
	put_decimal(&sheet->text, cell->estimate.amount * column->seconds, 3);
}

static void put_count(struct sheet *sheet, const struct column *column,
		      const struct cell *cell)
{
	put_mark(sheet, column);
	strbuf_addf(&sheet->text, "%.0f", cell->estimate.amount);
}

static void put_interval(struct sheet *sheet, const struct column *column,
			 const struct cell *cell)
{
	double unit = column_bound_unit(column, &cell->estimate);
	int digits = column->show & SHOW_COUNT ? 0 : 2;

	if (column_shows_time(column))
		digits = 3;
	strbuf_addf(&sheet->text, "%.*f-%.*f", digits, cell->estimate.low * unit, digits,
		    cell->estimate.high * unit);
}

static void put_percent(struct sheet *sheet, const struct column *column,
			const struct cell *cell)
{
	(void)column;
	put_decimal(&sheet->text, cell->estimate.percent, 2);
}

static void put_ratio(struct sheet *sheet, const struct column *column,
		      const struct cell *cell)
{
	put_mark(sheet, column);
	strbuf_addf(&sheet->text, "%.*f", column->digits, cell->estimate.amount);
}

static void put_ratio_interval(struct sheet *sheet, const struct column *column,
			       const struct cell *cell)
{
	strbuf_addf(&sheet->text, "%.*f-%.*f", column->digits, cell->estimate.low,
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
static void add_parts(struct sheet *sheet, size_t index)
{
	const struct column *column = &sheet->table->columns.data[index];
	bool first = true;

	for (size_t k = 0; k < KINDS; k++) {
		if (column->machine_only || kinds[k].column != column->type ||
		    (kinds[k].show && !(kinds[k].show & column->show)))
			continue;
		*vec_push(&sheet->parts) = (struct part){ .kind = &kinds[k],
							  .column = index,
							  .first = first };
		first = false;
	}
}

static void put_cell(struct sheet *sheet, const struct part *part,
		     const struct cell *cell)
{
	const struct column *column = &sheet->table->columns.data[part->column];

	if (!cell->absent)
		part->kind->put(sheet, column, cell);
	else if (cell->undefined)
		strbuf_addch(&sheet->text, '-');
}

/* Formats every cell, and makes each part as wide as its widest. */
static void format_cells(struct sheet *sheet)
{
	for (size_t r = 0; r < table_rows(sheet->table); r++) {
		const struct cell *row = table_row(sheet->table, r);

		vec_for_each(struct part, part, &sheet->parts) {
			size_t at = sheet->text.len, width;

			*vec_push(&sheet->at) = at;
			put_cell(sheet, part, &row[part->column]);
			strbuf_addch(&sheet->text, '\0');
			width = utf8_length(sheet->text.data + at);
			part->width = width > part->width ? width : part->width;
		}
	}
}

void sheet_fill(struct sheet *out, const struct table *table, unsigned levels)
{
	*out = (struct sheet){ .table = table, .levels = levels };
	for (size_t i = 0; i < table->columns.len; i++)
		add_parts(out, i);
	format_cells(out);
}

void sheet_release(struct sheet *sheet)
{
	vec_release(&sheet->parts);
	vec_release(&sheet->at);
	strbuf_release(&sheet->text);
}
