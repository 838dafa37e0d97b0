/* SPDX-License-Identifier: Apache-2.0 */
#include "base/idmap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/pages.h"
#include "base/xalloc.h"

/*
 * A table of n slots takes 3/8 n pairs after its doubling, and the old one had n/2 slots
 * to move: at 16 per insertion, all have moved when it is only a sixteenth fuller.
 */
enum { FIRST_SLOTS = 64, MOVED_AT_ONCE = 16 };

#define REMOVED UINT32_MAX /* a next_id */

/* Slots that are freed at once. */
#define GIVEN_BACK (PAGES_STEP / sizeof(struct idmap_entry))

static uint64_t hash(const struct idmap *map, uint64_t a, uint32_t b)
{
	return hash_pair(map->key, a, b);
}

/* The first slot for that hash: its upper bits, as many as the mask has. */
static size_t home(const struct idmap_table *t, uint64_t hashed)
{
	return (size_t)(hashed >> __builtin_clzll(t->mask));
}

static bool is_large(const struct idmap_table *t)
{
	return t->mask >= GIVEN_BACK;
}

static struct idmap_table new_table(size_t count)
{
	struct idmap_table t = { .mask = count - 1 };

	t.slots = is_large(&t) ? pages_alloc(count * sizeof(*t.slots))
			       : xcalloc(count, sizeof(*t.slots));
	return t;
}

/* Frees all but the COUNT slots from GIVEN_BACK on, which are free already. */
static void free_table(struct idmap_table *t, size_t count)
{
	size_t rest = t->mask + 1;

	if (t->slots && is_large(t)) {
		pages_free(t->slots, GIVEN_BACK * sizeof(*t->slots));
		rest -= GIVEN_BACK + count;
		if (rest)
			pages_free(t->slots + GIVEN_BACK + count,
				   rest * sizeof(*t->slots));
	} else {
		free(t->slots);
	}
	*t = (struct idmap_table){ 0 };
}

void idmap_release(struct idmap *map)
{
	free_table(&map->now, 0);
	free_table(&map->old, map->given_back);
	*map = (struct idmap){ 0 };
}

static bool is_of(const struct idmap_entry *e, uint64_t a, uint32_t b)
{
	return !e->next_id || (e->a == a && e->b == b);
}

/* The slot of the pair, or the free one where it would go. */
static struct idmap_entry *slot_now(const struct idmap_table *t, uint64_t hashed,
				    uint64_t a, uint32_t b)
{
	for (size_t i = home(t, hashed);; i = (i + 1) & t->mask)
		if (is_of(&t->slots[i], a, b))
			return &t->slots[i];
}

/* Whether its slot has not moved yet. */
static bool is_old(const struct idmap *map, uint64_t hashed)
{
	return map->old.slots &&
	       ((home(&map->old, hashed) - map->first) & map->old.mask) >= map->moved;
}

/*
 * The slot of the pair, or the free one where it would go.  The last moving slot stays
 * free: a pair that would go there goes to the new table at once.
 */
static struct idmap_entry *slot_of(const struct idmap *map, uint64_t a, uint32_t b)
{
	uint64_t hashed = hash(map, a, b);
	const struct idmap_table *old = &map->old;
	size_t last = (map->first - 1) & old->mask;

	if (is_old(map, hashed))
		for (size_t i = home(old, hashed); i != last; i = (i + 1) & old->mask)
			if (is_of(&old->slots[i], a, b))
				return &old->slots[i];
	return slot_now(&map->now, hashed, a, b);
}

/* Frees the slots behind, except the first pages, which are the last to move. */
static void give_back(struct idmap *map)
{
	struct idmap_table *old = &map->old;
	size_t end = map->first + map->moved;

	if (map->moved > old->mask) {
		free_table(old, map->given_back);
		map->given_back = 0;
	} else if (map->first <= GIVEN_BACK && end <= old->mask &&
		   end >= 2 * GIVEN_BACK + map->given_back) {
		pages_free(old->slots + GIVEN_BACK + map->given_back, PAGES_STEP);
		map->given_back += GIVEN_BACK;
	}
}

/* Moves the next slots of the old table, up to a free one. */
static void move_some(struct idmap *map)
{
	const struct idmap_table *old = &map->old;
	bool ends = false;

	for (size_t n = 0; map->moved <= old->mask && (n < MOVED_AT_ONCE || !ends); n++) {
		const struct idmap_entry *e =
			&old->slots[(map->first + map->moved++) & old->mask];

		ends = !e->next_id;
		if (!ends && e->next_id != REMOVED)
			*slot_now(&map->now, hash(map, e->a, e->b), e->a, e->b) = *e;
	}
	give_back(map);
}

/* Three quarters of the slots are taken: at most three eighths of the next table's are. */
static size_t next_count(const struct idmap *map)
{
	size_t count = map->now.mask + 1;

	if (!map->now.slots)
		return FIRST_SLOTS;
	if (map->len * 8 > count * 3)
		return count * 2;
	return map->len * 16 > count * 3 || count == FIRST_SLOTS ? count : count / 2;
}

/* The whole old table has moved before this one is full. */
static void grow(struct idmap *map)
{
	size_t count = next_count(map);

	if (!map->now.slots)
		map->key = hash_key();
	map->old = map->now;
	map->now = new_table(count);
	map->first = map->moved = map->removed = 0;
	if (!map->old.slots)
		return;
	while (map->old.slots[map->first++].next_id)
		continue;
	map->first &= map->old.mask;
}

uint32_t idmap_get(const struct idmap *map, uint64_t a, uint32_t b)
{
	uint32_t next_id;

	if (!map->now.slots)
		return IDMAP_NONE;
	next_id = slot_of(map, a, b)->next_id;
	/* NONE for a free slot, 0 */
	return next_id == REMOVED ? IDMAP_NONE : next_id - 1;
}

void idmap_prefetch(const struct idmap *map, uint64_t a, uint32_t b)
{
	uint64_t hashed = hash(map, a, b);
	const struct idmap_table *t = is_old(map, hashed) ? &map->old : &map->now;

	if (t->slots)
		__builtin_prefetch(&t->slots[home(t, hashed)]);
}

static bool is_now(const struct idmap *map, const struct idmap_entry *e)
{
	return e >= map->now.slots && e <= map->now.slots + map->now.mask;
}

/* A pair that is not there. */
static void add(struct idmap *map, uint64_t a, uint32_t b, uint32_t id)
{
	size_t taken = map->len + map->removed;
	struct idmap_entry *e;

	if (!map->now.slots || (taken + 1) * 4 > (map->now.mask + 1) * 3)
		grow(map);
	if (map->old.slots)
		move_some(map);
	e = slot_of(map, a, b);
	map->removed -= e->next_id == REMOVED && is_now(map, e);
	*e = (struct idmap_entry){ .a = a, .b = b, .next_id = id + 1 };
	map->len++;
}

uint32_t idmap_intern(struct idmap *map, uint64_t a, uint32_t b, uint32_t next)
{
	uint32_t id = idmap_get(map, a, b);

	if (id != IDMAP_NONE)
		return id;
	add(map, a, b, next);
	return next;
}

void idmap_set(struct idmap *map, uint64_t a, uint32_t b, uint32_t id)
{
	struct idmap_entry *e = map->now.slots ? slot_of(map, a, b) : NULL;

	if (e && e->next_id && e->next_id != REMOVED)
		e->next_id = id + 1;
	else
		add(map, a, b, id);
}

void idmap_remove(struct idmap *map, uint64_t a, uint32_t b)
{
	struct idmap_entry *e = map->now.slots ? slot_of(map, a, b) : NULL;

	if (!e || !e->next_id || e->next_id == REMOVED)
		return;
	e->next_id = REMOVED;
	map->len--;
	map->removed += is_now(map, e);
}
