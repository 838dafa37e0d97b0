/* SPDX-License-Identifier: Apache-2.0 */
#include "sheet.h"

#include "utf8.h"

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

static void put_tree(struct sheet *sheet, const struct cell *cell)
{
	uint32_t depth = cell->tree.depth;
	uint32_t level = depth < SHEET_LEVELS_MAX ? depth : SHEET_LEVELS_MAX;

	if (level)
		strbuf_addstr(&sheet->text, "  ");
	for (uint32_t i = 1; i < level; i++)
		strbuf_addstr(&sheet->text, sheet->branches.open[i] ? "|  " : "   ");
	sheet->branches.open[level] = !cell->tree.last;
	strbuf_addstr(&sheet->text, "+-");
	if (depth > level)
		strbuf_addf(&sheet->text, "[%u] ", depth);
	utf8_printable(&sheet->text, table_string(sheet->table, cell->tree.at));
}

static void put_cell(struct sheet *sheet, const struct part *part,
		     const struct cell *cell)
{
	const struct column *column = &sheet->table->columns.data[part->column];
	struct strbuf *out = &sheet->text;

	if (cell->absent)
		return;
	switch (part->kind) {
	case PART_TEXT:
		utf8_printable(out, table_string(sheet->table, cell->text.at));
		break;
	case PART_TREE:
		put_tree(sheet, cell);
		break;
	case PART_NUMBER:
		strbuf_addf(out, "%llu", (unsigned long long)cell->number);
		break;
	case PART_HEX:
		strbuf_addf(out, "0x%llx", (unsigned long long)cell->number);
		break;
	case PART_REAL:
		put_decimal(out, cell->real, 3);
		break;
	case PART_TIME:
		put_decimal(out, cell->estimate.amount * column->seconds, 3);
		break;
	case PART_COUNT:
		strbuf_addf(out, "%.0f", cell->estimate.amount);
		break;
	case PART_PERCENT:
		put_decimal(out, cell->estimate.percent, 2);
		break;
	}
}

static const struct {
	unsigned show;
	enum part_kind kind;
} estimate_parts[] = {
	{ SHOW_TIME, PART_TIME },
	{ SHOW_COUNT, PART_COUNT },
	{ SHOW_PERCENT, PART_PERCENT },
};

#define ESTIMATE_PARTS (sizeof(estimate_parts) / sizeof(estimate_parts[0]))

static const enum part_kind plain_parts[] = {
	[COLUMN_TEXT] = PART_TEXT,     [COLUMN_TREE] = PART_TREE,
	[COLUMN_NUMBER] = PART_NUMBER, [COLUMN_HEX] = PART_HEX,
	[COLUMN_REAL] = PART_REAL,
};

static void add_part(struct sheet *sheet, enum part_kind kind, size_t column, bool first)
{
	*vec_push(&sheet->parts) =
		(struct part){ .kind = kind, .column = column, .first = first };
}

static void choose_parts(struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->table->columns.len; i++) {
		const struct column *column = &sheet->table->columns.data[i];
		bool first = true;

		if (column->machine_only)
			continue;
		if (column->type != COLUMN_ESTIMATE) {
			add_part(sheet, plain_parts[column->type], i, true);
			continue;
		}
		for (size_t p = 0; p < ESTIMATE_PARTS; p++)
			if (column->show & estimate_parts[p].show) {
				add_part(sheet, estimate_parts[p].kind, i, first);
				first = false;
			}
	}
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

void sheet_fill(struct sheet *out, const struct table *table)
{
	*out = (struct sheet){ .table = table };
	choose_parts(out);
	format_cells(out);
}

void sheet_release(struct sheet *sheet)
{
	vec_release(&sheet->parts);
	vec_release(&sheet->at);
	strbuf_release(&sheet->text);
}

const char *part_unit(const struct part *part)
{
	switch (part->kind) {
	case PART_TIME:
		return "sec.";
	case PART_COUNT:
		return "count";
	case PART_PERCENT:
		return "%";
	default:
		return "";
	}
}

bool part_is_text(const struct part *part)
{
	return part->kind == PART_TEXT || part->kind == PART_TREE;
}
