/* SPDX-License-Identifier: Apache-2.0 */
#include "render/text_layout.h"

#include "base/utf8.h"

/* "0." means exactly zero, not little. */
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
	uint32_t depth = cell->tree.place.depth;
	uint32_t level = depth < layout->levels ? depth : layout->levels;

	(void)column;
	if (level)
		strbuf_addstr(&layout->text, "  ");
	for (uint32_t i = 1; i < level; i++)
		strbuf_addstr(&layout->text, layout->branches.open[i] ? "|  " : "   ");
	layout->branches.open[level] = !cell->tree.place.last;
	strbuf_addstr(&layout->text, "+-");
	if (depth > level)
		strbuf_addf(&layout->text, "[%u] ", depth);
	foreign_put(&layout->text, table_string(layout->table, cell->tree.at));
	tree_place_put_repeat(&cell->tree.place, layout->ascii ? "x" : "\xc3\x97",
			      &layout->text);
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

/* Marks a scaled amount. */
static void put_mark(struct text_layout *layout, const struct column *column)
{
	if (column->counted > 0)
		strbuf_addch(&layout->text, '~');
}

static void put_real(struct text_layout *layout, const struct column *column,
		     const struct cell *cell)
{
	double number = cell->real * (column->seconds > 0 ? column->seconds : 1);

	put_mark(layout, column);
	strbuf_addf(&layout->text, column->sign ? "%+.*f" : "%.*f", column->digits,
		    number);
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

/* In the order of an estimate's parts. */
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

/* Adds the displayed parts of a column. */
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

static enum tone tone_of(const struct table *table, const struct cell *row)
{
	for (size_t c = 0; c < table->columns.len; c++)
		if (table->columns.data[c].type == COLUMN_TEXT && row[c].text.tone)
			return row[c].text.tone;
	return TONE_PLAIN;
}

/* Adds a row behind the kept ones. */
static void format_row(struct text_layout *layout, size_t r)
{
	const struct cell *row = table_row(layout->table, r);

	layout->read = layout->kept * layout->parts.len;
	layout->cells.len = layout->read;
	layout->tone = tone_of(layout->table, row);
	strbuf_truncate(&layout->text, layout->kept_text);
	vec_for_each(struct part, part, &layout->parts) {
		const struct cell *cell = &row[part->column];

		*vec_push(&layout->cells) = (struct text_cell){
			.at = layout->text.len,
			.marked = part->kind->column == COLUMN_TEXT && cell->text.marked,
		};
		put_cell(layout, part, cell);
		strbuf_addch(&layout->text, '\0');
	}
}

static void widen_parts(struct text_layout *layout)
{
	for (size_t p = 0; p < layout->parts.len; p++) {
		struct part *part = &layout->parts.data[p];
		size_t width = utf8_length(text_layout_text(layout, p));

		part->width = width > part->width ? width : part->width;
	}
}

/* Bytes of text to keep. */
#define KEEP_MAX (1 << 20)

static void keep_row(struct text_layout *layout)
{
	*vec_push(&layout->tones) = layout->tone;
	layout->kept++;
	layout->kept_text = layout->text.len;
}

void text_layout_measure(struct text_layout *layout)
{
	struct branches branches = layout->branches;
	bool keep = true;

	for (size_t r = 0; r < table_rows(layout->table); r++) {
		format_row(layout, r);
		widen_parts(layout);
		keep = keep && layout->text.len <= KEEP_MAX;
		if (!keep)
			continue;
		keep_row(layout);
		branches = layout->branches;
	}
	layout->branches = branches;
}

void text_layout_read(struct text_layout *layout, size_t row)
{
	if (row >= layout->kept) {
		format_row(layout, row);
		return;
	}
	layout->read = row * layout->parts.len;
	layout->tone = layout->tones.data[row];
}

void text_layout_init(struct text_layout *out, struct table *table, unsigned levels,
		      unsigned spared)
{
	*out = (struct text_layout){ .table = table, .levels = levels };
	for (size_t i = 0; i < table->columns.len; i++)
		if (!table->columns.data[i].spare ||
		    table->columns.data[i].spare > spared)
			add_parts(out, i);
}

void text_layout_release(struct text_layout *layout)
{
	vec_release(&layout->parts);
	vec_release(&layout->cells);
	vec_release(&layout->tones);
	strbuf_release(&layout->text);
}
