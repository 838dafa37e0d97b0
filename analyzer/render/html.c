/* SPDX-License-Identifier: Apache-2.0 */
#include "render/render.h"

#include <string.h>

#include "render/html_page.h"
#include "render/name_set.h"
#include "model/metric.h"
#include "render/text_layout.h"

/* Bytes of text that certainly fit into two lines. */
#define LONG_TEXT 160

/* Columns for the name of a function; longer ones are shortened. */
#define NAME_ROOM 80

/* The number of parts in the column that begins with part P. */
static size_t parts_of_column(const struct text_layout *layout, size_t p)
{
	size_t next = p + 1;

	while (next < layout->parts.len && !layout->parts.data[next].first)
		next++;
	return next - p;
}

/* ---- headings ---- */

static void put_title(const struct column *column, struct strbuf *out)
{
	if (column_is_measured(column)) {
		if (column->group)
			strbuf_addf(out, "%s: ", column->group);
		strbuf_addf(out, "%s ", flavor_names[column->flavor].title);
	}
	foreign_put_html(out, column->title);
}

/* The heading of part P, which sorts by its column if that is possible. */
static void put_heading(const struct text_layout *layout, size_t p, bool sorts,
			struct strbuf *out)
{
	bool text = layout->parts.data[p].kind->is_text;

	strbuf_addf(out, "<th%s", text ? "" : " class=\"n\"");
	if (sorts)
		strbuf_addf(out, " data-i=\"%zu\"", p);
}

/* Titles; an estimate's spans its parts' units. */
static void put_titles(const struct text_layout *layout, const char *rows, bool sorts,
		       struct strbuf *out)
{
	strbuf_addstr(out, "<tr>");
	for (size_t p = 0; p < layout->parts.len; p += parts_of_column(layout, p)) {
		const struct column *column = text_layout_column(layout, p);

		if (column_is_measured(column)) {
			strbuf_addf(out, "<th colspan=\"%zu\">",
				    parts_of_column(layout, p));
		} else {
			put_heading(layout, p, sorts, out);
			strbuf_addf(out, "%s>", rows);
		}
		put_title(column, out);
		strbuf_addstr(out, "</th>");
	}
	strbuf_addstr(out, "</tr>\n");
}

static void put_units(const struct text_layout *layout, bool sorts, struct strbuf *out)
{
	strbuf_addstr(out, "<tr>");
	for (size_t p = 0; p < layout->parts.len; p++) {
		if (!column_is_measured(text_layout_column(layout, p)))
			continue;
		put_heading(layout, p, sorts, out);
		strbuf_addf(out, ">%s</th>", text_layout_unit(layout, p));
	}
	strbuf_addstr(out, "</tr>\n");
}

static void put_headings(const struct text_layout *layout, bool sorts, struct strbuf *out)
{
	bool units = false;

	for (size_t p = 0; p < layout->parts.len; p++)
		units |= column_is_measured(text_layout_column(layout, p));
	strbuf_addstr(out, "<thead>\n");
	put_titles(layout, units ? " rowspan=\"2\"" : "", sorts, out);
	if (units)
		put_units(layout, sorts, out);
	strbuf_addstr(out, "</thead>\n");
}

/* ---- rows ---- */

static const char *const tone_classes[TONES] = {
	[TONE_PLAIN] = "",
	[TONE_WORSE] = " worse",
	[TONE_BETTER] = " better",
	[TONE_HOT] = " worse",
};

static bool has_key(const struct column *column, const char *key)
{
	return foreign_same(column->key, foreign(key));
}

/* The function of the row, which links to its other rows and is found by the search. */
static void put_function(const struct table *table, const struct cell *cells,
			 struct strbuf *out)
{
	for (size_t c = 0; c < table->columns.len; c++) {
		struct foreign id;

		if (!has_key(&table->columns.data[c], "function_id") || cells[c].absent)
			continue;
		id = table_string(table, cells[c].text.at);
		if (foreign_same(id, foreign("")))
			continue;
		strbuf_addstr(out, " data-f=\"");
		foreign_put_html(out, id);
		strbuf_addch(out, '"');
	}
}

static void put_row_begin(struct table *table, size_t r, struct strbuf *out)
{
	const struct cell *cells = table_row(table, r);
	struct strbuf classes = { 0 };

	strbuf_addstr(out, "<tr");
	for (size_t c = 0; c < table->columns.len; c++) {
		enum column_type type = table->columns.data[c].type;

		if (type == COLUMN_TREE)
			strbuf_addf(out, " data-d=\"%u\"", cells[c].tree.place.depth);
		if (type != COLUMN_TEXT || cells[c].absent)
			continue;
		strbuf_addstr(&classes, tone_classes[cells[c].text.tone]);
		strbuf_addstr(&classes, cells[c].text.marked ? " marked" : "");
	}
	if (classes.len)
		strbuf_addf(out, " class=\"%s\"", classes.data + 1);
	put_function(table, cells, out);
	strbuf_addch(out, '>');
	strbuf_release(&classes);
}

/* The page shortens text that may take more than two lines until it is clicked. */
static void put_text(struct foreign text, struct strbuf *out)
{
	struct strbuf shown = { 0 };
	bool is_long;

	foreign_put(&shown, text);
	is_long = shown.len > LONG_TEXT;
	strbuf_release(&shown);
	strbuf_addstr(out, is_long ? "<div class=\"long\">" : "");
	foreign_put_html(out, text);
	strbuf_addstr(out, is_long ? "</div>" : "");
}

/* Shortened, if it is too long, with the whole name in a tooltip. */
static void put_name(const struct name_set *names, struct foreign name,
		     struct strbuf *out)
{
	struct strbuf whole = { 0 }, brief = { 0 };

	foreign_put(&whole, name);
	name_set_put(names, strbuf_str(&whole), NAME_ROOM, &brief);
	if (!strcmp(strbuf_str(&whole), strbuf_str(&brief))) {
		put_text(name, out);
	} else {
		strbuf_addstr(out, "<span class=\"cut\" title=\"");
		foreign_put_html(out, name);
		strbuf_addstr(out, "\">");
		foreign_put_html(out, foreign(strbuf_str(&brief)));
		strbuf_addstr(out, "</span>");
	}
	strbuf_release(&whole);
	strbuf_release(&brief);
}

static struct foreign name_in(struct table *table, const struct column *column,
			      const struct cell *cell)
{
	return table_string(table,
			    column->type == COLUMN_TREE ? cell->tree.at : cell->text.at);
}

/* Collects the names of all rows, which are then read again. */
static void add_names(struct table *table, struct name_set *names)
{
	for (size_t c = 0; c < table->columns.len; c++) {
		const struct column *column = &table->columns.data[c];

		for (size_t r = 0; column->names && r < table_rows(table); r++) {
			const struct cell *cell = &table_row(table, r)[c];
			struct strbuf name = { 0 };

			if (cell->absent)
				continue;
			foreign_put(&name, name_in(table, column, cell));
			name_set_add(names, strbuf_str(&name), NAME_ROOM);
			strbuf_release(&name);
		}
	}
	name_set_distinguish(names);
}

/* A text or tree cell. */
static void put_words(const struct text_layout *layout, size_t p, struct foreign text,
		      const struct name_set *names, struct strbuf *out)
{
	if (names && text_layout_column(layout, p)->names)
		put_name(names, text, out);
	else
		put_text(text, out);
}

/* A share also has a bar behind its number.  NAMES: NULL, they are not shortened. */
static void put_cell(const struct text_layout *layout, size_t r, size_t p,
		     const struct name_set *names, struct strbuf *out)
{
	const struct part *part = &layout->parts.data[p];
	const struct cell *cell = &table_row(layout->table, r)[part->column];

	if (part->kind->column == COLUMN_TREE) {
		strbuf_addf(out, "<td class=\"tree\" style=\"--d:%u\">",
			    cell->tree.place.depth < TEXT_LEVELS_MAX
				    ? cell->tree.place.depth
				    : TEXT_LEVELS_MAX);
		put_words(layout, p, table_string(layout->table, cell->tree.at), names,
			  out);
		tree_place_put_repeat(&cell->tree.place, "\xc3\x97", out);
	} else {
		if (part->kind->show == SHOW_PERCENT && cell->estimate.percent >= 0.5)
			strbuf_addf(out, "<td class=\"n p\" style=\"--p:%.0f%%\">",
				    cell->estimate.percent);
		else if (!part->kind->is_text)
			strbuf_addstr(out, "<td class=\"n\">");
		else if (has_key(text_layout_column(layout, p), "name"))
			strbuf_addstr(out, "<td class=\"f\">");
		else
			strbuf_addstr(out, "<td>");
		put_words(layout, p, foreign(text_layout_text(layout, p)), names, out);
	}
	strbuf_addstr(out, "</td>");
}

/* Puts the breaks before ROW, from NEXT on; returns the next one. */
static size_t put_breaks(const struct text_layout *layout, size_t row, size_t next,
			 struct strbuf *out)
{
	const struct table *table = layout->table;

	for (; next < table->breaks.len && table->breaks.data[next].row <= row; next++) {
		const struct table_break *at = &table->breaks.data[next];

		if (!next && !foreign_is_any(at->heading))
			continue;
		strbuf_addf(out, "<tr class=\"break\"><th colspan=\"%zu\">",
			    layout->parts.len);
		if (foreign_is_any(at->heading))
			foreign_put_html(out, at->heading);
		if (foreign_is_any(at->detail)) {
			strbuf_addstr(out, "<div>");
			foreign_put_html(out, at->detail);
			strbuf_addstr(out, "</div>");
		}
		strbuf_addstr(out, "</th></tr>\n");
	}
	return next;
}

/*
 * Rows under a heading or a branch must not be sorted away from it; a note below all rows
 * does not matter.
 */
static bool can_sort(const struct table *table)
{
	vec_for_each(const struct column, column, &table->columns)
		if (column->type == COLUMN_TREE)
			return false;
	return !table->breaks.len || table->breaks.data[0].row >= table_rows(table);
}

static void put_columns(struct table *table, bool whole_names, struct stream *stream)
{
	struct strbuf *out = &stream->text;
	bool sorts = can_sort(table);
	struct text_layout layout;
	struct name_set names;
	size_t next = 0;

	name_set_init(&names, "\xe2\x80\xa6");
	if (!whole_names)
		add_names(table, &names);
	text_layout_init(&layout, table, TEXT_LEVELS_MAX, 0);
	strbuf_addf(out, "<table%s>\n", sorts ? " class=\"sortable\"" : "");
	put_headings(&layout, sorts, out);
	strbuf_addstr(out, "<tbody>\n");
	for (size_t r = 0; r < table_rows(table) && stream_pass(stream); r++) {
		text_layout_read(&layout, r);
		next = put_breaks(&layout, r, next, out);
		put_row_begin(table, r, out);
		for (size_t p = 0; p < layout.parts.len; p++)
			put_cell(&layout, r, p, whole_names ? NULL : &names, out);
		strbuf_addstr(out, "</tr>\n");
	}
	strbuf_addstr(out, "</tbody>\n");
	if (next < table->breaks.len) {
		strbuf_addstr(out, "<tfoot>\n");
		put_breaks(&layout, table_rows(table), next, out);
		strbuf_addstr(out, "</tfoot>\n");
	}
	strbuf_addstr(out, "</table>\n");
	text_layout_release(&layout);
	name_set_release(&names);
}

/* ---- other layouts: a label and a text in each row ---- */

static void put_labelled(const char *label, struct strbuf *out)
{
	strbuf_addstr(out, "<tr><th class=\"label\">");
	foreign_put_html(out, foreign(label));
	strbuf_addstr(out, "</th><td>");
}

static void put_fields(struct table *table, struct stream *stream)
{
	struct strbuf *out = &stream->text;
	struct text_layout layout;

	text_layout_init(&layout, table, TEXT_LEVELS_MAX, 0);
	strbuf_addstr(out, "<table>\n");
	for (size_t r = 0; r < table_rows(table) && stream_pass(stream); r++) {
		text_layout_read(&layout, r);
		put_labelled(text_layout_text(&layout, 0), out);
		foreign_put_html(out, foreign(text_layout_text(&layout, 1)));
		strbuf_addstr(out, "</td></tr>\n");
	}
	strbuf_addstr(out, "</table>\n");
	text_layout_release(&layout);
}

/* A column of a record, with its parts beside one another. */
static void put_field(const struct text_layout *layout, size_t p, struct strbuf *out)
{
	size_t count = parts_of_column(layout, p);

	strbuf_addstr(out, "<tr><th class=\"label\">");
	put_title(text_layout_column(layout, p), out);
	strbuf_addstr(out, "</th><td>");
	for (size_t i = p; i < p + count; i++) {
		const char *unit = text_layout_unit(layout, i);

		foreign_put_html(out, foreign(text_layout_text(layout, i)));
		strbuf_addf(out, "%s%s%s", *unit ? " " : "", unit,
			    i + 1 < p + count ? "  " : "");
	}
	strbuf_addstr(out, "</td></tr>\n");
}

static void put_records(struct table *table, struct stream *stream)
{
	struct strbuf *out = &stream->text;
	struct text_layout layout;

	text_layout_init(&layout, table, TEXT_LEVELS_MAX, 0);
	for (size_t r = 0; r < table_rows(table) && stream_pass(stream); r++) {
		text_layout_read(&layout, r);
		strbuf_addstr(out, r ? "<hr>\n<table>\n" : "<table>\n");
		for (size_t p = 0; p < layout.parts.len; p += parts_of_column(&layout, p))
			if (*text_layout_text(&layout, p))
				put_field(&layout, p, out);
		strbuf_addstr(out, "</table>\n");
	}
	text_layout_release(&layout);
}

/* Besides columns. */
static void (*const put_layout[])(struct table *table, struct stream *out) = {
	[LAYOUT_RECORDS] = put_records,
	[LAYOUT_FIELDS] = put_fields,
};

void render_html(struct table *table, bool whole_names, struct stream *stream)
{
	struct strbuf *out = &stream->text;

	strbuf_addstr(out, "<section>\n");
	if (foreign_is_any(table_title(table))) {
		strbuf_addstr(out, "<h2>");
		foreign_put_html(out, table_title(table));
		strbuf_addstr(out, "</h2>\n");
	}
	if (table->layout == LAYOUT_COLUMNS)
		put_columns(table, whole_names, stream);
	else
		put_layout[table->layout](table, stream);
	if (foreign_is_any(table_note(table))) {
		strbuf_addstr(out, "<p class=\"note\">");
		foreign_put_html(out, table_note(table));
		strbuf_addstr(out, "</p>\n");
	}
	strbuf_addstr(out, "</section>\n");
}
