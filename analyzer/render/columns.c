/* SPDX-License-Identifier: Apache-2.0 */
#include "render/columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "render/name_set.h"
#include "render/text_layout.h"
#include "render/text_fit.h"
#include "base/utf8.h"
#include "base/xalloc.h"

/* ---- a table's column is a group of parts ---- */

/* Blanks before a part: names get one more, which leaves room for a mark. */
static size_t gap_before(const struct text_layout *layout, size_t p)
{
	const struct part *part = &layout->parts.data[p];

	if (!p)
		return 0;
	if (!part->first)
		return 1;
	return part->kind->is_text && !(part - 1)->kind->is_text ? 3 : 2;
}

/* The width of one column's parts with the gaps; *NEXT is the next column's first. */
static size_t group_width(const struct text_layout *layout, size_t p, size_t *next)
{
	size_t width = layout->parts.data[p].width;

	while (++p < layout->parts.len && !layout->parts.data[p].first)
		width += gap_before(layout, p) + layout->parts.data[p].width;
	*next = p;
	return width;
}

/* ---- headings ---- */

enum { TITLE_LINES = 2 };

/* Without the "Time" at the end of a title: the unit says it. */
static size_t title_length(const struct strbuf *title)
{
	static const char word[] = " Time";
	size_t len = title->len, tail = sizeof(word) - 1;

	return len > tail && !strcmp(title->data + len - tail, word) ? len - tail : len;
}

/* The first word of an estimate's title goes in the upper line, after the flavor. */
static void put_measured(const struct column *column, const struct strbuf *title,
			 int line, struct strbuf *out)
{
	size_t word = strcspn(strbuf_str(title), " "), len = title_length(title);
	const char *flavor = flavor_names[column->flavor].brief;

	if (column->group) {
		strbuf_addstr(out, line == 0 ? column->group : flavor);
		if (line == 1)
			strbuf_addf(out, " %.*s", (int)len, strbuf_str(title));
		else
			out->data[0] = (char)toupper((unsigned char)out->data[0]);
	} else if (line == 0) {
		strbuf_addf(out, "%s %.*s", flavor, (int)word, strbuf_str(title));
	} else if (word < len) {
		strbuf_add(out, title->data + word + 1, len - word - 1);
	}
}

static void put_title(const struct column *column, int line, struct strbuf *out)
{
	struct strbuf title = { 0 };

	strbuf_clear(out);
	foreign_put(&title, column->title);
	if (column_is_measured(column))
		put_measured(column, &title, line, out);
	else if (line == 0)
		strbuf_addstr(out, strbuf_str(&title));
	strbuf_release(&title);
}

/* Parts become as wide as their units, and columns as their titles. */
static void widen(struct text_layout *layout)
{
	struct strbuf title = { 0 };
	size_t next;

	for (size_t p = 0; p < layout->parts.len; p++) {
		struct part *part = &layout->parts.data[p];
		size_t unit = strlen(text_layout_unit(layout, p));

		unit += unit > 0;
		part->width = part->width > unit ? part->width : unit;
	}
	for (size_t p = 0; p < layout->parts.len; p = next) {
		size_t width = group_width(layout, p, &next);

		for (int line = 0; line < TITLE_LINES; line++) {
			size_t need;

			put_title(text_layout_column(layout, p), line, &title);
			need = utf8_length(strbuf_str(&title));
			layout->parts.data[p].width += need > width ? need - width : 0;
			width = need > width ? need : width;
		}
	}
	strbuf_release(&title);
}

/* ---- width ---- */

/* Texts are not shortened to less than this. */
enum { ROOM_MIN = 8 };

/* Nor, where figures leave less anyway, a name: they are little use without it. */
enum { NAME_MIN = 24 };

static size_t text_layout_width(const struct text_layout *layout)
{
	size_t width = 0;

	for (size_t p = 0; p < layout->parts.len; p++)
		width += gap_before(layout, p) + layout->parts.data[p].width;
	return width;
}

/* The least width of a text, of a name NAME_LEAST: the heading stays whole. */
static size_t least_width(const struct text_layout *layout, size_t p, size_t name_least)
{
	struct strbuf title = { 0 };
	size_t len;

	foreign_put(&title, text_layout_column(layout, p)->title);
	len = utf8_length(strbuf_str(&title));
	strbuf_release(&title);
	if (text_layout_column(layout, p)->names && len < name_least)
		return name_least;
	if (text_layout_column(layout, p)->kept && len < TEXT_KEPT_MIN)
		return TEXT_KEPT_MIN;
	return len > ROOM_MIN ? len : ROOM_MIN;
}

/* The width of lines whose texts are as short as can be, without spare columns up to SPARED. */
static size_t least_of_all(const struct text_layout *layout, unsigned spared,
			   size_t name_least)
{
	size_t width = 0, least;

	for (size_t p = 0; p < layout->parts.len; p++) {
		const struct part *part = &layout->parts.data[p];
		const unsigned spare = text_layout_column(layout, p)->spare;

		if (spare && spare <= spared)
			continue;
		least = part->kind->is_text ? least_width(layout, p, name_least)
					    : part->width;
		width += gap_before(layout, p) +
			 (least < part->width ? least : part->width);
	}
	return width;
}

/* The next number behind SPARED that a column has; 0: none. */
static unsigned next_spare(const struct text_layout *layout, unsigned spared)
{
	unsigned next = 0;

	for (size_t p = 0; p < layout->parts.len; p++) {
		const unsigned spare = text_layout_column(layout, p)->spare;

		if (spare > spared && (!next || spare < next))
			next = spare;
	}
	return next;
}

/* Up to which number columns are left out, so that lines fit; COUNT of metrics. */
static unsigned spare_columns(const struct text_layout *layout, unsigned width,
			      size_t *count)
{
	unsigned spared = 0, next;

	*count = 0;
	while (width && least_of_all(layout, spared, NAME_MIN) > width &&
	       (next = next_spare(layout, spared)) != 0) {
		spared = next;
		++*count;
	}
	return spared;
}

/* The widest text that can be narrower; parts.len: there is none. */
static size_t widest_text(const struct text_layout *layout, bool whole_names,
			  size_t name_least)
{
	size_t widest = layout->parts.len, most = 0;

	for (size_t p = 0; p < layout->parts.len; p++) {
		const struct part *part = &layout->parts.data[p];

		if (part->kind->is_text &&
		    part->width > least_width(layout, p, name_least) &&
		    part->width >= most &&
		    !(whole_names && text_layout_column(layout, p)->names)) {
			widest = p;
			most = part->width;
		}
	}
	return widest;
}

/* Shortens the widest texts until lines fit; returns whether any is shorter. */
static bool narrow(struct text_layout *layout, const struct text_style *style)
{
	size_t p, now = text_layout_width(layout), before = now;
	bool wraps = least_of_all(layout, 0, ROOM_MIN) > style->width;
	size_t name_least = wraps ? NAME_MIN : ROOM_MIN;

	for (; style->width && now > style->width; now--) {
		p = widest_text(layout, style->whole_names, name_least);
		if (p == layout->parts.len)
			break;
		layout->parts.data[p].width--;
	}
	return now < before;
}

static void put_titles(const struct text_layout *layout, int line, struct strbuf *out)
{
	struct strbuf title = { 0 };
	size_t start = out->len, next;

	for (size_t p = 0; p < layout->parts.len; p = next) {
		size_t width = group_width(layout, p, &next), blank;
		bool right = !layout->parts.data[p].kind->is_text &&
			     !column_is_measured(text_layout_column(layout, p));

		put_title(text_layout_column(layout, p), line, &title);
		blank = width - utf8_length(strbuf_str(&title));
		strbuf_pad(out, ' ', gap_before(layout, p) + (right ? blank : 0));
		strbuf_addstr(out, strbuf_str(&title));
		strbuf_pad(out, ' ', right ? 0 : blank);
	}
	text_end_line(out, start);
	strbuf_release(&title);
}

static void put_units(const struct text_layout *layout, struct strbuf *out)
{
	size_t start = out->len;

	for (size_t p = 0; p < layout->parts.len; p++) {
		const char *unit = text_layout_unit(layout, p);

		strbuf_pad(out, ' ', gap_before(layout, p));
		strbuf_pad(out, ' ', layout->parts.data[p].width - strlen(unit));
		strbuf_addstr(out, unit);
	}
	text_end_line(out, start);
}

/* ---- rows ---- */

/* The bytes of a tree's indentation and of "[depth] ", which stay whole. */
static size_t lead_of(const struct part *part, const char *text)
{
	size_t lead, digits;

	if (part->kind->column != COLUMN_TREE)
		return 0;
	lead = strspn(text, " |") + strlen("+-");
	digits = text[lead] == '[' ? strspn(text + lead + 1, "0123456789") : 0;
	if (digits && !strncmp(text + lead + 1 + digits, "] ", 2))
		lead += digits + 3;
	return lead;
}

static size_t room_of(const struct part *part, size_t lead)
{
	return part->width > lead + ROOM_MIN ? part->width - lead : ROOM_MIN;
}

/* A cell in the width of its part. */
static void put_text(const struct text_layout *layout, size_t p, const char *text,
		     const struct name_set *names, struct strbuf *out)
{
	const struct part *part = &layout->parts.data[p];
	const struct column *column = text_layout_column(layout, p);
	size_t lead = lead_of(part, text), room = room_of(part, lead);

	strbuf_add(out, text, lead);
	if (column->names && !column->kept)
		name_set_put(names, text + lead, room, out);
	else
		text_put_shortened(
			out, text + lead, room,
			(struct text_cut){ column->code, names->mark, column->kept });
}

/* Collects the names of all rows, which are then read again. */
static void add_names(struct text_layout *layout, struct name_set *names)
{
	struct branches branches = layout->branches;

	for (size_t r = 0; r < table_rows(layout->table); r++) {
		text_layout_read(layout, r);
		for (size_t p = 0; p < layout->parts.len; p++) {
			const struct part *part = &layout->parts.data[p];
			const char *text = text_layout_text(layout, p);
			size_t lead = lead_of(part, text);

			if (text_layout_column(layout, p)->names)
				name_set_add(names, text + lead, room_of(part, lead));
		}
	}
	layout->branches = branches;
	name_set_distinguish(names);
}

static void put_part(const struct text_layout *layout, size_t p,
		     const struct name_set *names, struct strbuf *out)
{
	const struct part *part = &layout->parts.data[p];
	const char *text = text_layout_text(layout, p);
	size_t gap = gap_before(layout, p), len = utf8_length(text);
	size_t blank = part->width > len ? part->width - len : 0;

	if (text_layout_marked(layout, p) && gap) {
		strbuf_pad(out, ' ', gap - 1);
		strbuf_addch(out, '*');
	} else {
		strbuf_pad(out, ' ', gap);
	}
	strbuf_pad(out, ' ', part->kind->is_text ? 0 : blank);
	if (part->kind->is_text)
		put_text(layout, p, text, names, out);
	else
		strbuf_addstr(out, text);
	strbuf_pad(out, ' ', part->kind->is_text ? blank : 0);
}

#define SGR_BOLD "\033[1m"
#define SGR_END  "\033[m"

static const char *const tone_starts[TONES] = {
	[TONE_PLAIN] = "",
	[TONE_WORSE] = "\033[31m",
	[TONE_BETTER] = "\033[32m",
	[TONE_HOT] = "\033[31m",
};

static void put_row(const struct text_layout *layout, const struct name_set *names,
		    struct strbuf *out)
{
	size_t start = out->len;

	for (size_t p = 0; p < layout->parts.len; p++)
		put_part(layout, p, names, out);
	text_end_line(out, start);
}

/* Puts the breaks before ROW, from NEXT on; returns the next one. */
static size_t put_breaks(const struct table *table, size_t row, size_t next,
			 struct strbuf *out)
{
	for (; next < table->breaks.len && table->breaks.data[next].row <= row; next++) {
		const struct table_break *at = &table->breaks.data[next];

		if (next || foreign_is_any(at->heading))
			strbuf_addch(out, '\n');
		if (foreign_is_any(at->heading)) {
			foreign_put(out, at->heading);
			strbuf_addch(out, '\n');
		}
		if (foreign_is_any(at->detail)) {
			strbuf_addstr(out, "  ");
			foreign_put(out, at->detail);
			strbuf_addch(out, '\n');
		}
	}
	return next;
}

/*
 * Puts the line that begins at START between SGR and its end: pagers need this for each
 * line.
 */
static void paint(struct strbuf *out, size_t start, const char *sgr)
{
	char *line;

	if (out->len == start || !*sgr)
		return;
	line = xstrndup(out->data + start, out->len - start - 1);
	strbuf_truncate(out, start);
	strbuf_addf(out, "%s%s" SGR_END "\n", sgr, line);
	free(line);
}

static void put_headings(const struct text_layout *layout, bool colour,
			 struct strbuf *out)
{
	const char *sgr = colour ? SGR_BOLD : "";
	size_t start;

	for (int line = 0; line < TITLE_LINES; line++) {
		start = out->len;
		put_titles(layout, line, out);
		paint(out, start, sgr);
	}
	start = out->len;
	put_units(layout, out);
	paint(out, start, sgr);
}

/* The levels of indentation: at most half of a line. */
static unsigned tree_levels(unsigned width)
{
	unsigned levels = width / 2 / 3;

	return !width || levels > TEXT_LEVELS_MAX ? TEXT_LEVELS_MAX : levels;
}

/* Returns the next break after the rows. */
static size_t put_rows(struct text_layout *layout, struct text_style style,
		       const struct name_set *names, struct stream *out)
{
	size_t next = 0;

	for (size_t r = 0; r < table_rows(layout->table) && stream_pass(out); r++) {
		size_t start;

		text_layout_read(layout, r);
		next = put_breaks(layout->table, r, next, &out->text);
		start = out->text.len;
		put_row(layout, names, &out->text);
		if (style.colour)
			paint(&out->text, start, tone_starts[layout->tone]);
	}
	return next;
}

static void lay_out(struct table *table, const struct text_style *style, unsigned spared,
		    struct text_layout *out)
{
	text_layout_init(out, table, tree_levels(style->width), spared);
	out->ascii = style->ascii;
	if (out->parts.len) {
		text_layout_measure(out);
		widen(out);
	}
}

/* Lays TABLE out without the columns that leave no room for names; COUNT of metrics. */
static void lay_out_to_fit(struct table *table, const struct text_style *style,
			   struct text_layout *out, size_t *count)
{
	unsigned spared;

	lay_out(table, style, 0, out);
	spared = spare_columns(out, style->width, count);
	if (!spared)
		return;
	text_layout_release(out);
	lay_out(table, style, spared, out);
}

static void put_spared(size_t count, struct strbuf *out)
{
	const bool many = count > 1;

	if (count)
		strbuf_addf(out,
			    "(%zu metric%s of waits %s omitted for want of room: metrics "
			    "default shows %s)\n",
			    count, many ? "s" : "", many ? "are" : "is",
			    many ? "them" : "it");
}

void render_columns(struct table *table, struct text_style style, struct stream *out)
{
	struct text_layout layout;
	struct name_set names;
	size_t next, spared;

	name_set_init(&names, style.ascii ? "..." : "\xe2\x80\xa6");
	lay_out_to_fit(table, &style, &layout, &spared);
	if (layout.parts.len) {
		if (narrow(&layout, &style))
			add_names(&layout, &names);
		put_headings(&layout, style.colour, &out->text);
		next = put_rows(&layout, style, &names, out);
		put_breaks(table, table_rows(table), next, &out->text);
		put_spared(spared, &out->text);
	}
	text_layout_release(&layout);
	name_set_release(&names);
}
