/* SPDX-License-Identifier: Apache-2.0 */
#include "render/json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/numbers.h"

const struct json_style json_compact = { .colon = ":", .comma = ",", .pad = "" };
const struct json_style json_spaced = { .colon = ": ", .comma = ", ", .pad = "" };
const struct json_style json_padded = { .colon = ": ", .comma = ", ", .pad = " " };
const struct json_style json_pretty = {
	.colon = ": ", .comma = ",", .pad = "", .pretty = true
};

enum { INDENT = 2 };

static struct strbuf *text_of(const struct json_writer *w)
{
	return &w->out->text;
}

static bool is_in_object(const struct json_writer *w)
{
	return w->depth && w->closing[w->depth - 1] == '}';
}

static void begin_line(const struct json_writer *w)
{
	strbuf_addch(text_of(w), '\n');
	strbuf_pad(text_of(w), ' ', w->style->pretty ? w->depth * INDENT : 0);
}

/* The text before a key, or before a value without one. */
static void begin_item(struct json_writer *w)
{
	bool line = w->line || (w->style->pretty && w->depth);

	if (w->follows)
		strbuf_addstr(text_of(w),
			      is_in_object(w) && !line ? w->style->comma : ",");
	else if (is_in_object(w))
		strbuf_addstr(text_of(w), w->style->pad);
	if (line)
		begin_line(w);
	w->line = false;
}

static struct strbuf *begin_value(struct json_writer *w)
{
	if (!w->keyed)
		begin_item(w);
	w->keyed = false;
	w->follows = w->depth > 0;
	return text_of(w);
}

static void begin(struct json_writer *w, char opening, char closing)
{
	strbuf_addch(begin_value(w), opening);
	assert(w->depth < JSON_DEPTH_MAX);
	w->closing[w->depth++] = closing;
	w->follows = false;
}

void json_begin_object(struct json_writer *w)
{
	begin(w, '{', '}');
}

void json_begin_array(struct json_writer *w)
{
	begin(w, '[', ']');
}

void json_end(struct json_writer *w)
{
	bool in_object = is_in_object(w), line = w->line || w->style->pretty;
	char closing;

	assert(w->depth);
	closing = w->closing[--w->depth];
	if (line && (w->follows || closing == ']'))
		begin_line(w);
	else if (in_object)
		strbuf_addstr(text_of(w), w->style->pad);
	strbuf_addch(text_of(w), closing);
	w->line = false;
	w->follows = w->depth > 0;
}

void json_line(struct json_writer *w)
{
	w->line = true;
}

void json_key_ready(struct json_writer *w, const char *quoted)
{
	begin_item(w);
	strbuf_addstr(text_of(w), quoted);
	strbuf_addstr(text_of(w), w->style->colon);
	w->keyed = true;
}

void json_key(struct json_writer *w, const char *key)
{
	begin_item(w);
	foreign_put_json(text_of(w), foreign(key));
	strbuf_addstr(text_of(w), w->style->colon);
	w->keyed = true;
}

void json_foreign(struct json_writer *w, struct foreign text)
{
	foreign_put_json(begin_value(w), text);
}

void json_text(struct json_writer *w, const char *text)
{
	json_foreign(w, foreign(text));
}

void json_unsigned(struct json_writer *w, uint64_t number)
{
	strbuf_addf(begin_value(w), "%" PRIu64, number);
}

void json_signed(struct json_writer *w, int64_t number)
{
	strbuf_addf(begin_value(w), "%" PRId64, number);
}

void json_number(struct json_writer *w, double number)
{
	number_exact(begin_value(w), number);
}

void json_bound(struct json_writer *w, double bound, double value)
{
	char text[32];
	double rounded;

	snprintf(text, sizeof(text), "%.9g", bound);
	rounded = strtod(text, NULL);
	if (bound <= value && rounded > value)
		rounded = value;
	if (bound >= value && rounded < value)
		rounded = value;
	json_number(w, bound == value ? value : rounded);
}

void json_ready(struct json_writer *w, const char *json)
{
	strbuf_addstr(begin_value(w), json);
}

void json_bool(struct json_writer *w, bool value)
{
	json_ready(w, value ? "true" : "false");
}

void json_null(struct json_writer *w)
{
	json_ready(w, "null");
}
