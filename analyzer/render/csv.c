/* SPDX-License-Identifier: Apache-2.0 */
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/numbers.h"

#define LINE_END "\r\n" /* RFC 4180 */

static void put_seconds(struct strbuf *out, const struct column *column,
			const struct estimate *e)
{
	number_exact(out, e->amount * column->seconds);
}

static void put_count(struct strbuf *out, const struct column *column,
		      const struct estimate *e)
{
	(void)column;
	number_exact(out, e->amount);
}

static void put_low(struct strbuf *out, const struct column *column,
		    const struct estimate *e)
{
	number_exact(out, e->low * column_bound_unit(column, e));
}

static void put_high(struct strbuf *out, const struct column *column,
		     const struct estimate *e)
{
	number_exact(out, e->high * column_bound_unit(column, e));
}

static void put_percent(struct strbuf *out, const struct column *column,
			const struct estimate *e)
{
	(void)column;
	number_exact(out, e->percent);
}

static void put_counted(struct strbuf *out, const struct column *column,
			const struct estimate *e)
{
	(void)e;
	number_exact(out, 100 * column->counted);
}

#define SHOW_ANY (~0u)

/*
 * The parts of an estimate, each a field of its own; the field of a ratio's value has
 * only its name. The last shows that numbers are scaled.
 */
static const struct part {
	enum column_type column;
	unsigned show;
	const char *word;
	void (*put)(struct strbuf *out, const struct column *column,
		    const struct estimate *e);
} parts[] = {
	{ COLUMN_ESTIMATE, SHOW_TIME, "_seconds", put_seconds },
	{ COLUMN_ESTIMATE, SHOW_COUNT, "_count", put_count },
	{ COLUMN_ESTIMATE, SHOW_INTERVAL, "_low", put_low },
	{ COLUMN_ESTIMATE, SHOW_INTERVAL, "_high", put_high },
	{ COLUMN_ESTIMATE, SHOW_PERCENT, "_percent", put_percent },
	{ COLUMN_RATIO, SHOW_TIME, "", put_count },
	{ COLUMN_RATIO, SHOW_INTERVAL, "_low", put_low },
	{ COLUMN_RATIO, SHOW_INTERVAL, "_high", put_high },
	{ COLUMN_ESTIMATE, SHOW_ANY, "_counted_percent", put_counted },
	{ COLUMN_RATIO, SHOW_ANY, "_counted_percent", put_counted },
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static bool is_part_of(const struct part *part, const struct column *column)
{
	return part->column == column->type && part->show & column->show &&
	       (part->put != put_counted || column->counted > 0);
}

static void put_number(const struct table *table, const struct cell *cell, char separator,
		       struct strbuf *out)
{
	(void)table;
	(void)separator;
	strbuf_addf(out, "%llu", (unsigned long long)cell->number);
}

static void put_real(const struct table *table, const struct cell *cell, char separator,
		     struct strbuf *out)
{
	(void)table;
	(void)separator;
	number_exact(out, cell->real);
}

static void put_text(const struct table *table, const struct cell *cell, char separator,
		     struct strbuf *out)
{
	foreign_put_csv(out, table_string(table, cell->text.at), separator);
}

static void put_tree(const struct table *table, const struct cell *cell, char separator,
		     struct strbuf *out)
{
	foreign_put_csv(out, table_string(table, cell->tree.at), separator);
}

static void (*const put_plain[])(const struct table *table, const struct cell *cell,
				 char separator, struct strbuf *out) = {
	[COLUMN_TEXT] = put_text,  [COLUMN_TREE] = put_tree, [COLUMN_NUMBER] = put_number,
	[COLUMN_HEX] = put_number, [COLUMN_REAL] = put_real,
};

/* Ends each field except the last of a line with a separator, removed at the end. */
static void end_line(struct strbuf *out, size_t start)
{
	if (out->len > start)
		out->len--;
	strbuf_addstr(out, LINE_END);
}

void render_csv_header(const struct table *table, char separator, struct stream *stream)
{
	struct strbuf name = { 0 }, *out = &stream->text;
	size_t start = out->len;

	vec_for_each(const struct column, c, &table->columns) {
		if (!column_is_measured(c)) {
			foreign_put_csv(out, c->key, separator);
			strbuf_addch(out, separator);
			continue;
		}
		for (size_t p = 0; p < PARTS; p++) {
			if (!is_part_of(&parts[p], c))
				continue;
			strbuf_clear(&name);
			strbuf_addf(&name, "%s%s%s_", c->group ? c->group : "",
				    c->group ? "_" : "", flavor_names[c->flavor].word);
			foreign_put(&name, c->key);
			strbuf_addstr(&name, parts[p].word);
			foreign_put_csv(out, foreign(name.data), separator);
			strbuf_addch(out, separator);
		}
	}
	end_line(out, start);
	strbuf_release(&name);
}

/* The separator may be a sign that occurs in numbers: the field from START of OUT. */
static void quote_number(struct strbuf *out, size_t start, char separator)
{
	char *field;

	if (!memchr(strbuf_str(out) + start, separator, out->len - start))
		return;
	field = xstrdup(out->data + start);
	strbuf_truncate(out, start);
	strbuf_addf(out, "\"%s\"", field);
	free(field);
}

static void put_cell(const struct table *table, const struct column *c,
		     const struct cell *cell, char separator, struct strbuf *out)
{
	if (!column_is_measured(c)) {
		size_t start = out->len;

		if (!cell->absent)
			put_plain[c->type](table, cell, separator, out);
		if (c->type != COLUMN_TEXT && c->type != COLUMN_TREE)
			quote_number(out, start, separator);
		strbuf_addch(out, separator);
		return;
	}
	for (size_t p = 0; p < PARTS; p++) {
		size_t start = out->len;

		if (!is_part_of(&parts[p], c))
			continue;
		if (!cell->absent)
			parts[p].put(out, c, &cell->estimate);
		quote_number(out, start, separator);
		strbuf_addch(out, separator);
	}
}

void render_csv_rows(struct table *table, char separator, struct stream *stream)
{
	struct strbuf *out = &stream->text;

	for (size_t r = 0; r < table_rows(table) && stream_pass(stream); r++) {
		const struct cell *row = table_row(table, r);
		size_t start = out->len;

		for (size_t c = 0; c < table->columns.len; c++)
			put_cell(table, &table->columns.data[c], &row[c], separator, out);
		end_line(out, start);
	}
}

void render_csv(struct table *table, char separator, struct stream *out)
{
	render_csv_header(table, separator, out);
	render_csv_rows(table, separator, out);
}
