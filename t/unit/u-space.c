/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings that overlap: the newer one wins, what is left of the older one stays. */
#include <stdbool.h>

#include "process/space.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "tap.h"

/* "START-END@OFFSET=MODULE …" in hex, as it lies in the space. */
static void show(const struct space *s, struct strbuf *out)
{
	strbuf_clear(out);
	vec_for_each(const struct mapping, m, &s->v)
		strbuf_addf(out, "%s%" PRIx64 "-%" PRIx64 "@%" PRIx64 "=%u",
			    out->len ? " " : "", m->start, m->end, m->offset, m->module);
}

/* Beside two mappings, 100-200@0 and 400-500@1000, a third. */
static const struct {
	const char *what;
	uint64_t start, end;
	const char *want;
} rows[] = {
	{ "between them", 0x280, 0x300, "100-200@0=1 280-300@70=3 400-500@1000=2" },
	{ "below both", 0x10, 0x20, "10-20@70=3 100-200@0=1 400-500@1000=2" },
	{ "above both", 0x600, 0x700, "100-200@0=1 400-500@1000=2 600-700@70=3" },
	{ "touching both", 0x200, 0x400, "100-200@0=1 200-400@70=3 400-500@1000=2" },
	{ "the same", 0x100, 0x200, "100-200@70=3 400-500@1000=2" },
	{ "over the head", 0x80, 0x140, "80-140@70=3 140-200@40=1 400-500@1000=2" },
	{ "over the tail", 0x440, 0x600, "100-200@0=1 400-440@1000=2 440-600@70=3" },
	{ "inside", 0x420, 0x440,
	  "100-200@0=1 400-420@1000=2 420-440@70=3 440-500@1040=2" },
	{ "around one", 0x80, 0x280, "80-280@70=3 400-500@1000=2" },
	{ "around both", 0x80, 0x600, "80-600@70=3" },
	{ "from one into the other", 0x180, 0x480,
	  "100-180@0=1 180-480@70=3 480-500@1080=2" },
	{ "from the same start", 0x100, 0x140,
	  "100-140@70=3 140-200@40=1 400-500@1000=2" },
	{ "to the same end", 0x140, 0x200, "100-140@0=1 140-200@70=3 400-500@1000=2" },
	{ "empty", 0x140, 0x140, "100-200@0=1 400-500@1000=2" },
	{ "wrapping", 0x140, 0x40, "100-200@0=1 400-500@1000=2" },
	{ "everything", 0, UINT64_MAX, "0-ffffffffffffffff@70=3" },
};

static void test_overlaps(void)
{
	struct strbuf got = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct space s = { 0 };

		space_add(&s, &(struct mapping){ 0x400, 0x500, 0x1000, 2 }, SPACE_MAX, 1);
		space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, SPACE_MAX, 2);
		space_add(&s, &(struct mapping){ rows[i].start, rows[i].end, 0x70, 3 },
			  SPACE_MAX, 3);
		show(&s, &got);
		is_str(strbuf_str(&got), rows[i].want, "%s", rows[i].what);
		is_u64(s.generation, rows[i].start < rows[i].end ? 3 : 2,
		       "%s: the generation", rows[i].what);
		space_release(&s);
	}
	strbuf_release(&got);
}

static void test_find(void)
{
	struct space s = { 0 };

	ok(!space_find(&s, 0), "nothing is in an empty space");
	space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, SPACE_MAX, 1);
	space_add(&s, &(struct mapping){ 0x200, 0x300, 0, 2 }, SPACE_MAX, 1);
	ok(!space_find(&s, 0xff), "below");
	ok(space_find(&s, 0x100) && space_find(&s, 0x100)->module == 1, "first byte");
	ok(space_find(&s, 0x1ff) && space_find(&s, 0x1ff)->module == 1, "last byte");
	ok(space_find(&s, 0x200) && space_find(&s, 0x200)->module == 2, "the next");
	ok(!space_find(&s, 0x300), "above");
	ok(!space_find(&s, UINT64_MAX), "far above");
	space_release(&s);
}

/* The copy is its own: neither sees what happens to the other. */
static void test_copy(void)
{
	struct space s = { 0 }, copy = { 0 }, empty = { 0 };

	space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, SPACE_MAX, 5);
	space_add(&copy, &(struct mapping){ 0x900, 0xa00, 0, 9 }, SPACE_MAX, 6);
	space_copy(&copy, &s);
	ok(copy.v.len == 1 && copy.generation == 5, "a copy replaces what was there");
	space_add(&s, &(struct mapping){ 0x180, 0x280, 0, 2 }, SPACE_MAX, 7);
	ok(space_find(&copy, 0x190)->module == 1 && !space_find(&copy, 0x200),
	   "and stays as it is");
	space_release(&s);
	ok(!space_find(&s, 0x100), "what is released has nothing");
	space_copy(&copy, &empty);
	ok(!copy.v.len, "a copy of nothing");
	space_release(&copy);
}

/* Random mappings against an array of bytes that says whose each is. */
static void test_model(void)
{
	enum { SPAN = 200 };
	uint32_t owner[SPAN] = { 0 }, seed = 1;
	struct space s = { 0 };
	size_t wrong = 0;

	for (uint32_t i = 1; i <= 2000; i++) {
		bool cut = i % 5 == 0;
		uint64_t start, len;

		seed = seed * 1664525 + 1013904223;
		start = seed >> 8 & 127;
		len = 1 + (seed >> 20 & 63);
		if (cut)
			space_cut(&s, start, start + len, SPACE_MAX, i);
		else
			space_add(&s, &(struct mapping){ start, start + len, start, i },
				  SPACE_MAX, i);
		for (uint64_t a = start; a < start + len; a++)
			owner[a] = cut ? 0 : i;
		for (uint64_t a = 0; a < SPAN; a++) {
			const struct mapping *m = space_find(&s, a);

			wrong += m ? m->module != owner[a] ||
						 m->offset + (a - m->start) != a
				   : owner[a] != 0;
		}
	}
	is_u64(wrong, 0, "two thousand mappings and cuts over each other");
	space_release(&s);
}

/* The same two mappings, of which there may be no more: what is left out, what is left. */
static const struct {
	const char *what;
	uint64_t start, end;
	unsigned added, cut; /* left out by the one, by the other */
	const char *want_added, *want_cut;
} full[] = {
	{ "between", 0x280, 0x300, 1, 0, "100-200@0=1 400-500@1000=2",
	  "100-200@0=1 400-500@1000=2" },
	{ "the same", 0x100, 0x200, 0, 0, "100-200@70=3 400-500@1000=2",
	  "400-500@1000=2" },
	{ "around both", 0x80, 0x600, 0, 0, "80-600@70=3", "" },
	{ "over the head", 0x80, 0x140, 1, 0, "140-200@40=1 400-500@1000=2",
	  "140-200@40=1 400-500@1000=2" },
	{ "over the tail", 0x440, 0x600, 1, 0, "100-200@0=1 400-440@1000=2",
	  "100-200@0=1 400-440@1000=2" },
	{ "inside", 0x420, 0x440, 2, 1, "100-200@0=1 400-420@1000=2",
	  "100-200@0=1 400-420@1000=2" },
	{ "from one into the other", 0x180, 0x480, 1, 0, "100-180@0=1 480-500@1080=2",
	  "100-180@0=1 480-500@1080=2" },
	{ "empty", 0x140, 0x140, 0, 0, "100-200@0=1 400-500@1000=2",
	  "100-200@0=1 400-500@1000=2" },
};

static void test_full(void)
{
	struct strbuf got = { 0 };

	for (size_t i = 0; i < 2 * sizeof(full) / sizeof(*full); i++) {
		const struct mapping m = { full[i / 2].start, full[i / 2].end, 0x70, 3 };
		bool cut = i % 2, takes;
		struct space s = { 0 };
		unsigned left_out;

		space_add(&s, &(struct mapping){ 0x400, 0x500, 0x1000, 2 }, 2, 1);
		space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, 2, 2);
		takes = space_takes(&s, &m, 2);
		left_out = cut ? space_cut(&s, m.start, m.end, 2, 3)
			       : space_add(&s, &m, 2, 3);
		show(&s, &got);
		is_str(strbuf_str(&got),
		       cut ? full[i / 2].want_cut : full[i / 2].want_added,
		       "%s %s a full space", cut ? "cut" : "add", full[i / 2].what);
		is_u64(left_out, cut ? full[i / 2].cut : full[i / 2].added, "%s",
		       "what is left out is counted");
		ok(cut || takes == !left_out, "and known before");
		space_release(&s);
	}
	strbuf_release(&got);
}

/* Small holes in one large mapping, one after the other. */
static void test_holes(void)
{
	enum { HOLES = 3 * SPACE_MAX };
	struct space s = { 0 };
	uint64_t left_out = 0;

	space_add(&s, &(struct mapping){ 0, UINT64_C(1) << 40, 0, 1 }, SPACE_MAX, 0);
	for (uint64_t i = 0; i < HOLES; i++)
		left_out += space_cut(&s, 0x2000 * i + 0x1000, 0x2000 * (i + 1),
				      SPACE_MAX, 0);
	ok(s.v.len == SPACE_MAX && left_out == 1, "make no more than a space may have");
	space_release(&s);
}

int main(void)
{
	test_overlaps();
	test_find();
	test_copy();
	test_model();
	test_full();
	test_holes();
	return done_testing();
}
