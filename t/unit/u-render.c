/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as text, CSV and JSON: the layout, and names with any bytes. */
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "render/text_fit.h"
#include "tap.h"
#include "base/utf8.h"
#include "base/xalloc.h"

static void add_row(struct table *table, double amount, double percent, const char *name)
{
	table_add_estimate(table, (struct estimate){ .amount = amount,
						     .percent = percent,
						     .low = amount / 2,
						     .high = amount * 2,
						     .samples = 3 });
	table_add_text(table, name);
	table_add_number(table, 7);
}

static void make(struct table *table)
{
	*table = (struct table){ .key = "rows" };
	table_set_title(table, xstrdup("Title"));
	table_estimate_column(table, &(struct column){ .key = foreign("cycles"),
						       .title = foreign("CPU Cycles"),
						       .type = COLUMN_ESTIMATE,
						       .flavor = INCLUSIVE,
						       .show = SHOW_TIME | SHOW_PERCENT,
						       .seconds = 0.5 });
	table_column(table, "name", "Name", COLUMN_TEXT);
	table_machine_column(table, "id", COLUMN_NUMBER);
	add_row(table, 3, 75, "f(int, char)");
	add_row(table, 0, 0, "say \"x\"\n\x1b[1m\xff");
}

static void check_text(struct table *table)
{
	struct stream out = { 0 };

	render_text(table, (struct text_style){ .width = 0 }, &out);
	is_str(out.text.data,
	       "Title\n\n"
	       "Incl. CPU     Name\n"
	       "Cycles\n"
	       " sec.     %\n"
	       "1.500 75.00   f(int, char)\n"
	       "0.     0.     say \"x\"??[1m\xef\xbf\xbd\n",
	       "text");
	strbuf_clear(&out.text);
	render_text(table, (struct text_style){ .width = 30 }, &out);
	is_str(out.text.data,
	       "Title\n\n"
	       "Incl. CPU     Name\n"
	       "Cycles\n"
	       " sec.     %\n"
	       "1.500 75.00   f(int, char)\n"
	       "0.     0.     say \"x\"??[1m\xef\xbf\xbd\n",
	       "text at a width that is enough");
	strbuf_release(&out.text);
}

static void check_csv(struct table *table)
{
	struct stream out = { 0 };

	render_csv(table, ',', &out);
	is_str(out.text.data,
	       "inclusive_cycles_seconds,inclusive_cycles_percent,name,id\r\n"
	       "1.5,75,\"f(int, char)\",7\r\n"
	       "0,0,\"say \"\"x\"\"??[1m\xef\xbf\xbd\",7\r\n",
	       "CSV");
	strbuf_clear(&out.text);
	render_csv(table, ';', &out);
	is_str(out.text.data,
	       "inclusive_cycles_seconds;inclusive_cycles_percent;name;id\r\n"
	       "1.5;75;f(int, char);7\r\n"
	       "0;0;\"say \"\"x\"\"??[1m\xef\xbf\xbd\";7\r\n",
	       "CSV with another separator");
	strbuf_release(&out.text);
}

static void check_json(struct table *table)
{
	struct stream out = { 0 };

	render_json(table, false, &out);
	is_str(out.text.data,
	       "{ \"inclusive\": { \"cycles\": { \"value\": 3, \"percent\": 75, "
	       "\"samples\": 3, "
	       "\"low\": 1.5, \"high\": 6 } }, \"name\": \"f(int, char)\", \"id\": 7 },\n"
	       "{ \"inclusive\": { \"cycles\": { \"value\": 0, \"percent\": 0, "
	       "\"samples\": 3, "
	       "\"low\": 0, \"high\": 0 } }, "
	       "\"name\": \"say \\\"x\\\"\\n\\u001b[1m\xef\xbf\xbd\", \"id\": 7 }",
	       "JSON has every part of a value, and is valid UTF-8");
	strbuf_release(&out.text);
}

static void check_width(void)
{
	struct table table = { .key = "rows" };
	struct stream out = { 0 };

	table_column(&table, "n", "N", COLUMN_NUMBER);
	table_column(&table, "name", "Name", COLUMN_TEXT);
	table_add_number(&table, 1);
	table_add_text(&table, "abcdefghijklmnopqrstuvwxyz\xc3\xa4\xc3\xb6\xc3\xbc");
	render_text(&table, (struct text_style){ .width = 24 }, &out);
	is_str(out.text.data,
	       "N   Name\n1   abcdefghij\xe2\x80\xa6uvwxyz\xc3\xa4\xc3\xb6\xc3\xbc\n",
	       "a long name loses its middle, by characters and not by bytes");
	table_release(&table);
	strbuf_release(&out.text);
}

static const struct {
	const char *in, *out;
} texts[] = {
	{ "plain", "plain" },
	{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "\xc3", "\xef\xbf\xbd" },
	{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
};

/* A text whose number must stay whole in every room: random names around it. */
static void check_kept(void)
{
	uint64_t seed = RANDOM_SEED;
	bool fit = true, whole = true, both = true;

	for (int i = 0; i < 2000; i++) {
		struct strbuf text = { 0 }, out = { 0 };
		size_t before = random_below(&seed, 90), behind = random_below(&seed, 60);
		size_t room = TEXT_KEPT_MIN + random_below(&seed, 100);
		char *number = xasprintf("line %u", random_below(&seed, 100000));

		strbuf_pad(&text, 'f', before);
		strbuf_addstr(&text, i % 5 ? "" : "(x, line 7)");
		strbuf_addf(&text, ", %s in \"", number);
		strbuf_pad(&text, 'p', behind);
		strbuf_addch(&text, '"');
		text_put_shortened(&out, text.data, room,
				   (struct text_cut){ .mark = i % 2 ? "..." : "…",
						      .kept = ", line " });
		fit &= utf8_length(out.data) <= room;
		whole &= strstr(out.data, number) != NULL;
		both &= room < 40 || !before || out.data[0] == 'f';
		both &= room < 40 || out.data[out.len - 1] == '"';
		strbuf_release(&text);
		strbuf_release(&out);
		free(number);
	}
	ok(fit, "a text with a number that stays fits");
	ok(whole, "its number is whole");
	ok(both, "with both ends of the text, if there is room");
}

int main(void)
{
	struct strbuf clean = { 0 };
	struct table table;

	make(&table);
	check_text(&table);
	check_csv(&table);
	check_json(&table);
	check_width();
	check_kept();
	table_release(&table);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		strbuf_clear(&clean);
		utf8_clean(&clean, texts[i].in);
		is_str(strbuf_str(&clean), texts[i].out, "bytes %zu become UTF-8", i);
	}
	strbuf_release(&clean);
	return done_testing();
}
