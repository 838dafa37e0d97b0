/* SPDX-License-Identifier: Apache-2.0 */
#include "render/render.h"

#include <string.h>

#include "render/columns.h"
#include "render/text_layout.h"
#include "render/text_fit.h"
#include "base/utf8.h"

/* ---- fields ---- */

/* "Label:   text", the texts below one another; a row without a label continues. */
static void put_fields(struct table *table, unsigned width, struct stream *stream)
{
	struct strbuf *out = &stream->text;
	struct text_layout layout;

	text_layout_init(&layout, table, TEXT_LEVELS_MAX, 0);
	text_layout_measure(&layout);
	for (size_t r = 0; r < table_rows(table) && stream_pass(stream); r++) {
		size_t indent = layout.parts.data[0].width + 3, start = out->len, used;
		const char *label;

		text_layout_read(&layout, r);
		label = text_layout_text(&layout, 0);
		used = utf8_length(label);
		strbuf_addstr(out, label);
		strbuf_addch(out, used ? ':' : ' ');
		strbuf_pad(out, ' ', indent - used - 1);
		text_put_wrapped(out, text_layout_text(&layout, 1), indent, width);
		text_end_line(out, start);
	}
	text_layout_release(&layout);
}

/* ---- records ---- */

/* The title of a part in a record: "Exclusive CPU Cycles". */
static void record_title(const struct column *column, struct strbuf *out)
{
	strbuf_clear(out);
	if (column_is_measured(column))
		strbuf_addf(out, "%s ", flavor_names[column->flavor].title);
	foreign_put(out, column->title);
}

static size_t record_width(const struct text_layout *layout)
{
	struct strbuf title = { 0 };
	size_t width = 0;

	for (size_t p = 0; p < layout->parts.len; p++) {
		record_title(text_layout_column(layout, p), &title);
		width = title.len > width ? title.len : width;
	}
	strbuf_release(&title);
	return width;
}

/* TEXT without the blanks that align it in a column. */
static void put_bare(struct strbuf *out, const char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	strbuf_add(out, text, len);
}

/* A line for each column that is not empty; the parts of an estimate are side by side. */
static void put_record(const struct text_layout *layout, size_t width, struct strbuf *out)
{
	struct strbuf title = { 0 };

	for (size_t p = 0; p < layout->parts.len; p++) {
		const struct part *part = &layout->parts.data[p];
		const char *unit = text_layout_unit(layout, p);

		if (part->first && !*text_layout_text(layout, p))
			continue;
		if (part->first) {
			record_title(text_layout_column(layout, p), &title);
			strbuf_addf(out, "%s%s:", p ? "\n" : "", title.data);
			strbuf_pad(out, ' ', width - title.len + 1);
		}
		strbuf_addstr(out, part->first ? "" : "  ");
		put_bare(out, text_layout_text(layout, p));
		strbuf_addf(out, "%s%s", *unit ? " " : "", unit);
	}
	strbuf_addch(out, '\n');
	strbuf_release(&title);
}

static void put_records(struct table *table, struct stream *out)
{
	struct text_layout layout;
	size_t width;

	text_layout_init(&layout, table, TEXT_LEVELS_MAX, 0);
	width = record_width(&layout);
	for (size_t r = 0; r < table_rows(table) && stream_pass(out); r++) {
		text_layout_read(&layout, r);
		strbuf_addstr(&out->text,
			      r || foreign_is_any(table_title(table)) ? "\n" : "");
		put_record(&layout, width, &out->text);
	}
	text_layout_release(&layout);
}

/* ---- all layouts ---- */

static void put_lines(struct table *table, struct text_style style, struct stream *out)
{
	switch (table->layout) {
	case LAYOUT_COLUMNS:
		render_columns(table, style, out);
		break;
	case LAYOUT_RECORDS:
		put_records(table, out);
		break;
	case LAYOUT_FIELDS:
		put_fields(table, style.width, out);
		break;
	}
}

void render_text(struct table *table, struct text_style style, struct stream *stream)
{
	struct strbuf *out = &stream->text;

	if (foreign_is_any(table_title(table))) {
		foreign_put(out, table_title(table));
		strbuf_addstr(out, table->layout == LAYOUT_COLUMNS ? "\n\n" : "\n");
	}
	put_lines(table, style, stream);
	if (foreign_is_any(table_note(table))) {
		strbuf_addch(out, '(');
		foreign_put(out, table_note(table));
		strbuf_addstr(out, ")\n");
	}
}
