/* SPDX-License-Identifier: Apache-2.0 */
/* Overlapping mappings: the newer one wins, the rest of the older one stays. */
#include <stdbool.h>

#include "process/space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "tap.h"

/* Writes the space as "START-END@OFFSET=MODULE …", in hex. */
static void show(const struct space *s, struct strbuf *out)
{
	strbuf_clear(out);
	for (const struct mapping *m = space_above(s, 0); m; m = space_above(s, m->end))
		strbuf_addf(out, "%s%" PRIx64 "-%" PRIx64 "@%" PRIx64 "=%u",
			    out->len ? " " : "", m->start, m->end, m->offset, m->module);
}

/* A third mapping beside 100-200@0 and 400-500@1000. */
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
	struct space_room room = { .most = SPACE_MAX };
	struct strbuf got = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct space s;

		space_init(&s, &room);
		space_add(&s, &(struct mapping){ 0x400, 0x500, 0x1000, 2 }, 1);
		space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, 2);
		space_add(&s, &(struct mapping){ rows[i].start, rows[i].end, 0x70, 3 },
			  3);
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
	struct space_room room = { .most = SPACE_MAX };
	struct space s;

	space_init(&s, &room);
	ok(!space_find(&s, 0), "nothing is in an empty space");
	space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, 1);
	space_add(&s, &(struct mapping){ 0x200, 0x300, 0, 2 }, 1);
	ok(!space_find(&s, 0xff), "below");
	ok(space_find(&s, 0x100) && space_find(&s, 0x100)->module == 1, "first byte");
	ok(space_find(&s, 0x1ff) && space_find(&s, 0x1ff)->module == 1, "last byte");
	ok(space_find(&s, 0x200) && space_find(&s, 0x200)->module == 2, "the next");
	ok(!space_find(&s, 0x300), "above");
	ok(!space_find(&s, UINT64_MAX), "far above");
	space_release(&s);
}

/* Changes of a copy or its original do not affect the other. */
static void test_copy(void)
{
	struct space_room room = { .most = SPACE_MAX };
	struct space s, copy, empty;

	space_init(&s, &room);
	space_init(&copy, &room);
	space_init(&empty, &room);
	space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, 5);
	space_add(&copy, &(struct mapping){ 0x900, 0xa00, 0, 9 }, 6);
	space_copy(&copy, &s);
	ok(copy.len == 1 && copy.generation == 5, "a copy replaces the mappings");
	is_u64(room.held, 1, "and takes no room");
	space_add(&s, &(struct mapping){ 0x180, 0x280, 0, 2 }, 7);
	ok(space_find(&copy, 0x190)->module == 1 && !space_find(&copy, 0x200),
	   "and does not follow the original");
	space_release(&s);
	ok(!space_find(&s, 0x100), "a released space is empty");
	space_copy(&copy, &empty);
	ok(!copy.len, "a copy of nothing");
	is_u64(room.held, 0, "the room is empty again");
}

/* ---- random changes of several spaces, compared with an array of all addresses ---- */

enum { SPAN = 1 << 15, SPACES = 4 };

struct cell {
	uint32_t module; /* 0: none */
	uint64_t delta;  /* of offset and address */
};

struct model {
	struct space_room room;
	struct space spaces[SPACES];
	struct cell cells[SPACES][SPAN];
	uint64_t seed;
	uint32_t generation;
	uint64_t left_out;
};

static uint64_t draw(struct model *m, uint64_t below)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (m->seed >> 33) % below;
}

static void model_init(struct model *m, uint64_t seed, size_t most)
{
	m->seed = seed;
	m->room.most = most;
	for (size_t i = 0; i < SPACES; i++)
		space_init(&m->spaces[i], &m->room);
}

/* Mostly small, for thousands of mappings; of few modules, so that some merge. */
static void change(struct model *m, size_t which)
{
	uint64_t start = draw(m, SPAN), len = 1 + draw(m, draw(m, 200) ? 8 : SPAN / 4);
	bool cut = !draw(m, 4);
	struct mapping one = { .start = start, .end = start + len };
	struct cell cell = { 0 };

	if (one.end > SPAN)
		one.end = SPAN;
	one.module = 1 + (uint32_t)draw(m, 3);
	one.offset = one.start + one.module * draw(m, 3);
	m->generation++;
	if (cut)
		m->left_out += space_cut(&m->spaces[which], start, one.end,
					 m->generation);
	else
		m->left_out += space_add(&m->spaces[which], &one, m->generation);
	if (!cut)
		cell = (struct cell){ one.module, one.offset - one.start };
	for (uint64_t a = start; a < one.end; a++)
		m->cells[which][a] = cell;
}

static void copy(struct model *m, size_t to, size_t from)
{
	if (to == from)
		return;
	space_copy(&m->spaces[to], &m->spaces[from]);
	memcpy(m->cells[to], m->cells[from], sizeof(m->cells[to]));
}

static void empty(struct model *m, size_t which)
{
	space_release(&m->spaces[which]);
	memset(m->cells[which], 0, sizeof(m->cells[which]));
}

static void step(struct model *m)
{
	uint64_t what = draw(m, 4000);
	size_t which = draw(m, SPACES);

	if (what < 10)
		copy(m, which, draw(m, SPACES));
	else if (what == 10)
		empty(m, which);
	else
		change(m, which);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->module == b->module && (!a->module || a->delta == b->delta);
}

/* How many addresses have the wrong mapping; ABSENT: how many more have none. */
static uint64_t wrong_in(const struct model *m, size_t which, uint64_t *absent)
{
	uint64_t wrong = 0;

	for (uint64_t a = 0; a < SPAN; a++) {
		const struct mapping *found = space_find(&m->spaces[which], a);
		struct cell got = { 0 };

		if (found)
			got = (struct cell){ found->module,
					     found->offset - found->start };
		if (same(&got, &m->cells[which][a]))
			continue;
		if (got.module)
			wrong++;
		else
			++*absent;
	}
	return wrong;
}

/* The runs of equal cells: each is one mapping. */
static size_t runs_in(const struct model *m, size_t which)
{
	const struct cell *cells = m->cells[which];
	size_t runs = 0;

	for (size_t a = 0; a < SPAN; a++)
		runs += cells[a].module && (!a || !same(&cells[a], &cells[a - 1]));
	return runs;
}

static void test_model(void)
{
	struct model *m = xcalloc(1, sizeof(*m));
	uint64_t wrong = 0, absent = 0, lens = 0, most = 0;

	model_init(m, 1, SIZE_MAX);
	for (uint32_t i = 1; i <= 40000; i++) {
		step(m);
		if (i % 1000)
			continue;
		for (size_t which = 0; which < SPACES; which++) {
			wrong += wrong_in(m, which, &absent);
			lens += m->spaces[which].len != runs_in(m, which);
			if (m->spaces[which].len > most)
				most = m->spaces[which].len;
		}
	}
	ok(!wrong && !absent,
	   "40,000 changes of four spaces that become each other's copy");
	ok(!lens && most > 1000, "mappings are merged, and over a thousand remain");
	is_u64(m->left_out + m->room.emptied, 0, "none is left out");
	for (size_t which = 0; which < SPACES; which++)
		empty(m, which);
	is_u64(m->room.held, 0, "and nothing is held at the end");
	free(m);
}

/* If the room is too small, mappings are missing, but none is wrong. */
static void test_small_room(void)
{
	struct model *m = xcalloc(1, sizeof(*m));
	uint64_t wrong = 0, absent = 0, over = 0;

	model_init(m, 2, 3000);
	for (uint32_t i = 1; i <= 20000; i++) {
		step(m);
		over += m->room.held > m->room.most;
		for (size_t which = 0; which < SPACES && !(i % 200); which++)
			wrong += wrong_in(m, which, &absent);
	}
	ok(!wrong && !over, "the room keeps its limit, and no mapping is wrong");
	ok(absent && m->left_out && m->room.emptied, "missing ones are counted");
	for (size_t which = 0; which < SPACES; which++)
		empty(m, which);
	is_u64(m->room.held, 0, "nothing is held at the end");
	free(m);
}

static struct mapping page(uint64_t number)
{
	return (struct mapping){ number << 13, (number << 13) + 4096, 0,
				 (uint32_t)number };
}

/* A process with 100,000 mappings forks 10,000 times; each child maps three areas. */
static void test_forks(void)
{
	enum { MAPPINGS = 100000, FORKS = 10000 };
	struct space_room room = { .most = 1 << 21 };
	struct space parent, child;
	size_t most = 0;

	space_init(&parent, &room);
	for (uint64_t i = 1; i <= MAPPINGS; i++)
		space_add(&parent,
			  &(struct mapping){ i << 13, (i << 13) + 4096, 0, (uint32_t)i },
			  0);
	for (uint64_t i = 0; i < FORKS; i++) {
		space_init(&child, &room);
		space_copy(&child, &parent);
		for (uint64_t at = 1; at <= 3; at++) {
			struct mapping one = page((i * 7919 + at * 30011) % MAPPINGS + 1);

			one.module = 0;
			space_add(&child, &one, 0);
		}
		if (room.held > most)
			most = room.held;
		space_release(&child);
	}
	ok(most - MAPPINGS < 5000 && room.held == MAPPINGS,
	   "a fork copies little more than it changes");
	space_release(&parent);
}

/* The same two mappings in a full room: what is left out, and what remains. */
static const struct {
	const char *what;
	uint64_t start, end;
	unsigned added, cut; /* how many each leaves out */
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
		struct space_room room = { .most = 2 };
		struct space s;
		unsigned left_out;

		space_init(&s, &room);
		space_add(&s, &(struct mapping){ 0x400, 0x500, 0x1000, 2 }, 1);
		space_add(&s, &(struct mapping){ 0x100, 0x200, 0, 1 }, 2);
		takes = space_takes(&s, &m);
		left_out = cut ? space_cut(&s, m.start, m.end, 3) : space_add(&s, &m, 3);
		show(&s, &got);
		is_str(strbuf_str(&got),
		       cut ? full[i / 2].want_cut : full[i / 2].want_added,
		       "%s %s a full space", cut ? "cut" : "add", full[i / 2].what);
		is_u64(left_out, cut ? full[i / 2].cut : full[i / 2].added, "%s",
		       "those left out are counted");
		ok(cut || takes == !left_out, "space_takes predicts it");
		space_release(&s);
	}
	strbuf_release(&got);
}

/* Cuts many small holes into one large mapping. */
static void test_holes(void)
{
	enum { HOLES = 3 * SPACE_MAX };
	struct space_room room = { .most = SPACE_MAX };
	struct space s;
	uint64_t left_out = 0;

	space_init(&s, &room);
	space_add(&s, &(struct mapping){ 0, UINT64_C(1) << 40, 0, 1 }, 0);
	for (uint64_t i = 0; i < HOLES; i++)
		left_out += space_cut(&s, 0x2000 * i + 0x1000, 0x2000 * (i + 1), 0);
	ok(s.len == SPACE_MAX && left_out == 1,
	   "holes make no more mappings than the room has");
	space_release(&s);
}

/* Beyond SPACE_MAX a space may have as many mappings as it leaves to others. */
static void test_share(void)
{
	enum { MOST = 4 * SPACE_MAX };
	struct space_room room = { .most = MOST };
	struct space one, other;
	uint64_t left_out = 0;

	space_init(&one, &room);
	space_init(&other, &room);
	for (uint64_t i = 1; i <= MOST; i++) {
		struct mapping m = page(i);

		left_out += space_add(&one, &m, 0);
	}
	ok(one.len == MOST / 2 && left_out == MOST / 2, "one space has half of a room");
	for (uint64_t i = 1; i <= MOST; i++) {
		struct mapping m = page(i);

		space_add(&other, &m, 0);
	}
	is_u64(other.len, SPACE_MAX, "the next one has SPACE_MAX, or half of the rest");
	space_release(&one);
	space_release(&other);
}

int main(void)
{
	test_overlaps();
	test_find();
	test_copy();
	test_model();
	test_small_room();
	test_forks();
	test_full();
	test_holes();
	test_share();
	return done_testing();
}
