/* SPDX-License-Identifier: Apache-2.0 */
#include "base/idmap.h"

#include "base/pages.h"

#include "tap.h"

enum { MANY = 50000 };

static void test_one(void)
{
	struct idmap map = { 0 };

	is_u64(idmap_get(&map, 1, 2), IDMAP_NONE, "an all-zero idmap is empty");
	is_u64(idmap_intern(&map, 1, 2, 7), 7, "a new pair gets the next id");
	is_u64(idmap_intern(&map, 1, 2, 8), 7, "… and keeps it");
	is_u64(idmap_get(&map, 2, 1), IDMAP_NONE, "the order in the pair matters");
	is_u64(idmap_intern(&map, 0, 0, 0), 0, "zeros are a pair, and 0 is an id");
	is_u64(idmap_intern(&map, UINT64_MAX, UINT32_MAX, 9), 9, "so are all ones");
	is_u64(map.len, 3, "len counts the pairs");
	idmap_set(&map, 1, 2, 11);
	is_u64(idmap_get(&map, 1, 2), 11, "set overwrites");
	idmap_set(&map, 5, 5, 12);
	is_u64(idmap_get(&map, 5, 5), 12, "… and adds");
	is_u64(map.len, 4, "… counting what it adds");
	idmap_release(&map);
	is_u64(idmap_get(&map, 1, 2), IDMAP_NONE, "a released one is empty");
	idmap_release(&map);
}

/* Keys as they come: few modules, offsets that are multiples of 16. */
static void test_many(void)
{
	struct idmap map = { 0 };
	uint32_t next = 0, wrong = 0;

	for (uint32_t i = 0; i < MANY; i++)
		next += idmap_intern(&map, i % 7, i * 16ull, next) == next;
	is_u64(next, MANY, "%d pairs have %d ids", MANY, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		wrong += idmap_get(&map, i % 7, i * 16ull) != i;
	is_u64(wrong, 0, "… each its own, through every growth");
	ok(map.len * 4 <= (map.now.mask + 1) * 3, "… and a quarter of the slots is free");
	for (uint32_t i = 0; i < MANY; i++)
		wrong += idmap_get(&map, i % 7, i * 16ull + 1) != IDMAP_NONE;
	is_u64(wrong, 0, "neighbours are not found");
	idmap_release(&map);
}

/* At each instant of a growth the old pairs are found, and can be changed, once. */
static void test_growth(void)
{
	struct idmap map = { 0 };
	uint32_t wrong = 0, between = 0;

	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t probe = i / 2;

		wrong += idmap_intern(&map, i, 0, i) != i;
		between += map.old.slots != NULL;
		idmap_set(&map, probe, 0, MANY + probe);
		wrong += idmap_get(&map, probe, 0) != MANY + probe;
		wrong += idmap_intern(&map, probe, 0, 5) != MANY + probe;
		wrong += idmap_get(&map, i + 1, 0) != IDMAP_NONE;
	}
	is_u64(wrong, 0, "found and changed in the middle of a growth");
	ok(between > 100 && between < 500,
	   "… which takes its time, and ends (%u of 2000)", between);
	is_u64(map.len, 2000, "… and counts nothing twice");
	for (uint32_t i = 0; i < 2000; i++)
		wrong += idmap_get(&map, i, 0) != (i < 1000 ? MANY + i : i);
	is_u64(wrong, 0, "… and loses no change");
	idmap_release(&map);
}

/* What one insertion does at most, up to a table of 64 MB. */
static void test_steps(void)
{
	enum { PAIRS = 3000000, MOST_MOVED = 1000 };
	struct idmap map = { 0 };
	size_t moved = 0, given_back = 0, pages = 0;
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < PAIRS; i++) {
		size_t before = map.moved, back = map.given_back;

		wrong += idmap_intern(&map, i / 2, i, i) != i;
		wrong += idmap_get(&map, i / 4, i / 2) != i / 2;
		if (map.moved > before && map.moved - before > moved)
			moved = map.moved - before;
		if (map.given_back > back && map.given_back - back > given_back)
			given_back = map.given_back - back;
		pages += map.given_back > back;
	}
	is_u64(wrong, 0, "%d pairs have their ids", PAIRS);
	ok(moved >= 16 && moved <= MOST_MOVED, "an insertion moves few slots: %zu",
	   moved);
	ok(pages > 10 && given_back == PAGES_STEP / sizeof(struct idmap_entry),
	   "and gives back a step at most, %zu times", pages);
	for (uint32_t i = 0; i < PAIRS; i++)
		wrong += idmap_get(&map, i / 2, i) != i;
	is_u64(wrong, 0, "all are there in the end");
	idmap_release(&map);
}

static void test_remove(void)
{
	struct idmap map = { 0 };

	idmap_remove(&map, 1, 2);
	idmap_set(&map, 1, 2, 3);
	idmap_remove(&map, 1, 2);
	idmap_remove(&map, 1, 2);
	is_u64(idmap_get(&map, 1, 2), IDMAP_NONE, "a removed pair has no id");
	is_u64(map.len, 0, "and does not count");
	is_u64(idmap_intern(&map, 1, 2, 4), 4, "it may come back");
	idmap_remove(&map, 1, 2);
	idmap_set(&map, 1, 2, 5);
	ok(idmap_get(&map, 1, 2) == 5 && map.len == 1 && map.removed == 0, "either way");
	idmap_release(&map);
}

/* Pairs come and go, LIVING at a time, and at each instant those are there that should. */
static void test_turnover(void)
{
	enum { PAIRS = 300000, LIVING = 1000 };
	struct idmap map = { 0 };
	size_t slots = 0;
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < PAIRS; i++) {
		idmap_set(&map, i * 16ull, i % 3, i);
		if (i >= LIVING)
			idmap_remove(&map, (i - LIVING) * 16ull, (i - LIVING) % 3);
		for (uint32_t back = 0; back < 3 && back <= i; back++) {
			uint32_t j = i - back * (LIVING / 2);

			if (j > i)
				break;
			wrong += idmap_get(&map, j * 16ull, j % 3) !=
				 (i - j < LIVING ? j : IDMAP_NONE);
		}
		if (map.now.mask + 1 > slots)
			slots = map.now.mask + 1;
	}
	is_u64(wrong, 0, "those that are there are found, and no others");
	is_u64(map.len, LIVING, "they alone count");
	ok(slots <= 8 * LIVING, "%d pairs had %zu slots for %d at a time", PAIRS, slots,
	   LIVING);
	for (uint32_t i = PAIRS - LIVING; i < PAIRS; i++)
		idmap_remove(&map, i * 16ull, i % 3);
	for (uint32_t i = 0; i < 8 * LIVING; i++) {
		idmap_set(&map, i, 9, i);
		idmap_remove(&map, i, 9);
	}
	ok(map.len == 0 && map.now.mask < 256, "a table shrinks when few are left");
	idmap_release(&map);
}

/* Few at a time, in small tables whose removed slots lie in heaps. */
static void test_few(void)
{
	enum { PAIRS = 200000 };
	struct idmap map = { 0 };
	uint32_t wrong = 0;

	for (uint32_t living = 1; living <= 40; living += 13) {
		for (uint32_t i = 0; i < PAIRS; i++) {
			idmap_set(&map, i, living, i);
			if (i >= living)
				idmap_remove(&map, i - living, living);
			for (uint32_t j = i - i % living; j <= i; j++)
				wrong += idmap_get(&map, j, living) != j;
		}
		for (uint32_t i = PAIRS - living; i < PAIRS; i++)
			idmap_remove(&map, i, living);
	}
	ok(!wrong && !map.len, "none is lost");
	idmap_release(&map);
}

/* X such that X ^ X >> 32 is H; X such that X * FACTOR is H. */
static uint64_t unshift(uint64_t h)
{
	return h ^ h >> 32;
}

static uint64_t divide(uint64_t h, uint64_t factor)
{
	uint64_t inverse = factor;

	for (int i = 0; i < 6; i++) /* each doubles the bits that are right */
		inverse *= 2 - factor * inverse;
	return h * inverse;
}

/*
 * Keys that two multiplications with known factors put into one slot.  In a table that
 * used them each of these would have to pass all the others.
 */
static void test_chosen(void)
{
	enum { CHOSEN = 6000, LONGEST = 1000 };
	struct idmap map = { 0 };
	size_t run = 0, longest = 0;

	for (uint32_t i = 0; i < CHOSEN; i++) {
		uint64_t h = divide(i * UINT64_C(0x9e3779b9), 0xd6e8feb86659fd93u);

		h = unshift(h) ^ 0x7f4a7c159e3779b9u;
		idmap_intern(&map, divide(h, 0x9e3779b97f4a7c15u), 0, i);
	}
	is_u64(map.len, CHOSEN, "chosen keys");
	for (size_t i = 0; i <= map.now.mask; i++) {
		run = map.now.slots[i].next_id ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	ok(longest < LONGEST, "lie beside at most %zu others", longest);
	idmap_release(&map);
}

int main(void)
{
	test_chosen();
	test_remove();
	test_turnover();
	test_few();
	test_one();
	test_many();
	test_growth();
	test_steps();
	return done_testing();
}
