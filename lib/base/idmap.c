/* SPDX-License-Identifier: Apache-2.0 */
#include "base/idmap.h"

#include <stdlib.h>

#include "base/xalloc.h"

/*
 * A table of n slots takes 3/8 n pairs after its doubling, and the one before had n/2
 * slots to move.
 */
enum { FIRST_SLOTS = 64, MOVED_AT_ONCE = 4 };

static size_t hash(uint64_t a, uint32_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c159e3779b9u);

	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return (size_t)h;
}

void idmap_release(struct idmap *map)
{
	free(map->now.slots);
	free(map->old.slots);
	*map = (struct idmap){ 0 };
}

/* The slot of the pair, or the free one where it would go. */
static struct idmap_entry *slot_of(const struct idmap_table *t, uint64_t a, uint32_t b)
{
	for (size_t i = hash(a, b) & t->mask;; i = (i + 1) & t->mask) {
		struct idmap_entry *e = &t->slots[i];

		if (!e->next_id || (e->a == a && e->b == b))
			return e;
	}
}

/* The pair's one entry that counts, or NULL. */
static struct idmap_entry *find(const struct idmap *map, uint64_t a, uint32_t b)
{
	struct idmap_entry *e;

	if (!map->now.slots)
		return NULL;
	e = slot_of(&map->now, a, b);
	if (!e->next_id && map->old.slots)
		e = slot_of(&map->old, a, b);
	return e->next_id ? e : NULL;
}

/* The next of the old table's slots; what stays behind there is not asked any more. */
static void move_some(struct idmap *map)
{
	size_t end = map->moved + MOVED_AT_ONCE;

	for (; map->moved < end; map->moved++) {
		const struct idmap_entry *e = &map->old.slots[map->moved];

		if (e->next_id)
			*slot_of(&map->now, e->a, e->b) = *e;
	}
	if (map->moved <= map->old.mask)
		return;
	free(map->old.slots);
	map->old = (struct idmap_table){ 0 };
}

/* All of the old table has moved before this one is full in its turn. */
static void grow(struct idmap *map)
{
	size_t count = map->now.slots ? (map->now.mask + 1) * 2 : FIRST_SLOTS;

	map->old = map->now;
	map->moved = 0;
	map->now = (struct idmap_table){
		.slots = xcalloc(count, sizeof(*map->now.slots)),
		.mask = count - 1,
	};
}

uint32_t idmap_get(const struct idmap *map, uint64_t a, uint32_t b)
{
	const struct idmap_entry *e = find(map, a, b);

	return e ? e->next_id - 1 : IDMAP_NONE;
}

void idmap_prefetch(const struct idmap *map, uint64_t a, uint32_t b)
{
	if (map->now.slots)
		__builtin_prefetch(&map->now.slots[hash(a, b) & map->now.mask]);
}

static void add(struct idmap *map, uint64_t a, uint32_t b, uint32_t id)
{
	if (!map->now.slots || (map->len + 1) * 4 > (map->now.mask + 1) * 3)
		grow(map);
	if (map->old.slots)
		move_some(map);
	*slot_of(&map->now, a,
		 b) = (struct idmap_entry){ .a = a, .b = b, .next_id = id + 1 };
	map->len++;
}

uint32_t idmap_intern(struct idmap *map, uint64_t a, uint32_t b, uint32_t next)
{
	const struct idmap_entry *e = find(map, a, b);

	if (e)
		return e->next_id - 1;
	add(map, a, b, next);
	return next;
}

void idmap_set(struct idmap *map, uint64_t a, uint32_t b, uint32_t id)
{
	struct idmap_entry *e = find(map, a, b);

	if (e)
		e->next_id = id + 1;
	else
		add(map, a, b, id);
}
