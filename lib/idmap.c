/* SPDX-License-Identifier: Apache-2.0 */
#include "idmap.h"

#include <stdlib.h>

#include "xalloc.h"

enum { FIRST_SLOTS = 64 };

static size_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c159e3779b9u);

	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return (size_t)h;
}

void idmap_release(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

/* The slot of the pair, or the free one where it would go. */
static struct idmap_entry *slot_of(const struct idmap *map, uint64_t a, uint64_t b)
{
	for (size_t i = hash(a, b) & map->mask;; i = (i + 1) & map->mask) {
		struct idmap_entry *e = &map->slots[i];

		if (e->id == IDMAP_NONE || (e->a == a && e->b == b))
			return e;
	}
}

static void grow(struct idmap *map)
{
	struct idmap old = *map;
	size_t count = old.slots ? (old.mask + 1) * 2 : FIRST_SLOTS;

	map->slots = xreallocarray(NULL, count, sizeof(*map->slots));
	map->mask = count - 1;
	for (size_t i = 0; i < count; i++)
		map->slots[i].id = IDMAP_NONE;
	for (size_t i = 0; old.slots && i <= old.mask; i++) {
		const struct idmap_entry *e = &old.slots[i];

		if (e->id != IDMAP_NONE)
			*slot_of(map, e->a, e->b) = *e;
	}
	free(old.slots);
}

uint32_t idmap_get(const struct idmap *map, uint64_t a, uint64_t b)
{
	return map->slots ? slot_of(map, a, b)->id : IDMAP_NONE;
}

uint32_t idmap_intern(struct idmap *map, uint64_t a, uint64_t b, uint32_t next)
{
	struct idmap_entry *e;

	if (!map->slots || (map->len + 1) * 4 > (map->mask + 1) * 3)
		grow(map);
	e = slot_of(map, a, b);
	if (e->id == IDMAP_NONE) {
		*e = (struct idmap_entry){ .a = a, .b = b, .id = next };
		map->len++;
	}
	return e->id;
}

void idmap_set(struct idmap *map, uint64_t a, uint64_t b, uint32_t id)
{
	if (idmap_intern(map, a, b, id) != id)
		slot_of(map, a, b)->id = id;
}
