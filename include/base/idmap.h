/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from a pair of numbers, one of 64 bits and one of 32, to a 32-bit id:
 * (offset, module) → frame, (parent, frame) → node.  Open addressing; doubles at three
 * quarters full.  An all-zero idmap is an empty one.
 *
 * The collector must not stall while a table of megabytes is rehashed, or its rings
 * overflow.  So each insertion moves the next few slots of the old table.  The upper bits
 * of a pair's hash select its first slot: slots 2n and 2n + 1 of the new table take the
 * pairs of slot n.  So both tables are walked in memory order, and the old one is freed
 * as the new one is touched.
 *
 * The slot of a removed pair stays taken until the next move.  A full table with few pairs
 * moves to one of the same size or half of it, so the slots follow the pairs.
 */
#ifndef IDMAP_H
#define IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX
#define IDMAP_MAX  (UINT32_MAX - 2) /* the largest id */

struct idmap_entry {
	uint64_t a;
	uint32_t b;
	uint32_t next_id; /* the id and 1; 0: a free slot; UINT32_MAX: removed */
};

_Static_assert(sizeof(struct idmap_entry) == 16, "four fill a cache line");

/* Of a power of two of slots. */
struct idmap_table {
	struct idmap_entry *slots;
	size_t mask; /* slots - 1, or 0 for none */
};

/*
 * While OLD has slots, those of its MOVED slots from FIRST on, around its end, are in NOW,
 * and the others are not.  A free slot is before both ends of either part, so no pair
 * lies beyond the part of its first slot.
 */
struct idmap {
	struct idmap_table now, old;
	size_t first, moved;
	size_t given_back; /* slots of old, from the end of the first PAGES_STEP on */
	size_t len;        /* pairs */
	size_t removed;    /* slots of now whose pairs were removed */
	uint64_t key;      /* of hashes, from the first slots on */
};

void idmap_release(struct idmap *map);

/* Its id, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *map, uint64_t a, uint32_t b);

/*
 * Its id; if there is none, stores NEXT for it and returns NEXT.  So the caller recognizes
 * a new entry by the result NEXT.
 */
uint32_t idmap_intern(struct idmap *map, uint64_t a, uint32_t b, uint32_t next);

/*
 * Fetches from memory the slot of a pair that will be looked up soon.  A table of a
 * million pairs fits in no cache.
 */
void idmap_prefetch(const struct idmap *map, uint64_t a, uint32_t b);

/* Stores ID whether or not the pair was there. */
void idmap_set(struct idmap *map, uint64_t a, uint32_t b, uint32_t id);

/* The pair, if it was there, has no id any more. */
void idmap_remove(struct idmap *map, uint64_t a, uint32_t b);

#endif
