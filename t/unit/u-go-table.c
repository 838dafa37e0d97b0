/* SPDX-License-Identifier: Apache-2.0 */
/* Go's table of functions: its versions, damaged ones, and the cost of reading. */
#include <stdlib.h>
#include <string.h>

#include "go_program.h"
#include "tap.h"
#include "elf/go_table.h"

static void test_table(const struct layout *l)
{
	struct table t;
	struct go_table table;
	struct go_func f, outer;
	uint32_t fuel = 1000;
	int32_t depth = -1;

	make_table(&t, l);
	ok(go_table_init(&table, t.bytes, t.len), "%s: a table", l->version);
	ok(go_table_find(&table, start_of(GROW) + 7, &f) && f.start == start_of(GROW) &&
		   f.end == start_of(GROW + 1) && go_func_is(&table, &f, "main.grow"),
	   "%s: a function in the middle", l->version);
	ok(go_func_depth(&table, &f, f.start, &fuel, &depth) && depth == 0 &&
		   go_func_depth(&table, &f, f.start + 1, &fuel, &depth) && depth == 8 &&
		   go_func_depth(&table, &f, f.end - 1, &fuel, &depth) && depth == 8,
	   "%s: its depths", l->version);
	ok(!go_func_depth(&table, &f, f.end, &fuel, &depth), "%s: none beyond",
	   l->version);
	ok(go_table_find(&table, start_of(MCALL), &f) && f.flags == GO_FUNC_SPWRITE,
	   "%s: flags", l->version);
	ok(!go_table_find(&table, TEXT - 1, &f) &&
		   !go_table_find(&table, start_of(FUNCS), &f) &&
		   go_table_find(&table, start_of(FUNCS) - 1, &f),
	   "%s: nothing before the first and behind the last", l->version);
	ok(go_table_find(&table, start_of(CLOSURE), &f) &&
		   go_table_find_outer(&table, &f, &fuel, &outer) &&
		   outer.start == start_of(GROW) &&
		   !go_table_find_outer(&table, &outer, &fuel, &f),
	   "%s: where a closure was written", l->version);
}

/* Cut at every byte, and with every byte changed: nothing is read beyond the end. */
static void test_damaged(const struct layout *l)
{
	struct table t;

	make_table(&t, l);
	for (size_t i = 0; i < 2 * t.len; i++) {
		const size_t len = i < t.len ? i : t.len;
		unsigned char *bytes = malloc(len ? len : 1);
		struct go_table table;
		struct go_func f, outer;
		uint32_t fuel = 1000000;
		int32_t depth;

		memcpy(bytes, t.bytes, len);
		if (i >= t.len)
			bytes[i - t.len] ^= 0xff;
		if (go_table_init(&table, bytes, len))
			for (uint64_t at = TEXT - 1; at <= start_of(FUNCS); at += 15)
				if (go_table_find(&table, at, &f)) {
					go_func_depth(&table, &f, at, &fuel, &depth);
					go_table_find_outer(&table, &f, &fuel, &outer);
				}
		free(bytes);
	}
	ok(true, "%s: damaged tables cause no crash", l->version);
}

/* A distance larger than any stack would overflow when the return address is added. */
static void test_depths(const struct layout *l)
{
	static const struct {
		const char *change; /* from -1 */
		int64_t depth;      /* -1: refused */
	} depths[] = {
		{ "\x82\x80\x80\x80\x08", 1 << 30 },
		{ "\x84\x80\x80\x80\x08", -1 },
		{ "\x80\x80\x80\x80\x10", -1 }, /* INT32_MAX */
		{ "\x82\x80\x80\x80\x10", -1 }, /* INT32_MIN */
		{ "\x0f", -1 },                 /* -9 */
	};
	const size_t n = sizeof(depths) / sizeof(*depths);

	for (size_t i = 0; i < n; i++) {
		struct table t;
		struct go_table table;
		struct go_func f;
		uint32_t fuel = 1000;
		int32_t depth;
		size_t at;
		bool found;

		make_table(&t, l);
		at = put_text(&t, depths[i].change);
		t.bytes[t.len - 1] = FUNC; /* for all of the function */
		go_table_init(&table, t.bytes, t.len);
		go_table_find(&table, start_of(GROW), &f);
		f.pcsp = (uint32_t)(at - table.pctab);
		found = go_func_depth(&table, &f, f.start, &fuel, &depth);
		ok(found ? depth == depths[i].depth : depths[i].depth < 0,
		   "%s: depth %zu", l->version, i);
	}
}

/* Each function and each change of a depth costs one; a name has at most 4 KiB. */
static void test_fuel(const struct layout *l)
{
	enum { LONG = 4096 };
	struct table t;
	struct go_table table;
	struct go_func f, outer;
	uint32_t fuel = 2;
	int32_t depth;
	size_t at;

	make_table(&t, l);
	at = put_text(&t, "");
	memset(t.bytes + at, 'x', LONG);
	t.len = at + LONG;
	put_text(&t, ".func1");
	go_table_init(&table, t.bytes, t.len);
	go_table_find(&table, start_of(GROW), &f);
	ok(go_func_depth(&table, &f, f.end - 1, &fuel, &depth) && !fuel &&
		   !go_func_depth(&table, &f, f.start, &fuel, &depth),
	   "%s: a depth costs as much as it has changes before", l->version);
	go_table_find(&table, start_of(CLOSURE), &f);
	fuel = GROW + 1;
	ok(go_table_find_outer(&table, &f, &fuel, &outer) && !fuel,
	   "%s: a search costs as much as it has functions", l->version);
	fuel = GROW;
	ok(!go_table_find_outer(&table, &f, &fuel, &outer) && !fuel,
	   "%s: and ends with that", l->version);
	f.name = (uint32_t)(at - table.names);
	fuel = 1000;
	ok(!go_table_find_outer(&table, &f, &fuel, &outer) && fuel == 1000,
	   "%s: a name of more than 4 KiB is ignored", l->version);
}

int main(void)
{
	for (size_t i = 0; i < LAYOUTS; i++) {
		test_table(&layouts[i]);
		test_damaged(&layouts[i]);
		test_fuel(&layouts[i]);
		test_depths(&layouts[i]);
	}
	return done_testing();
}
