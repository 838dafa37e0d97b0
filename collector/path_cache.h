/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an address became under a node: the steps of paths that were seen lately.  Most
 * frames of most samples need no more than one look into it.
 *
 * It forgets: each step has one place, from which a later one drives it out.  So it stays
 * small enough for the CPU's caches, however many stacks there are.
 */
#ifndef PATH_CACHE_H
#define PATH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idmap.h"

enum { PATH_CACHE_BITS = 15 }; /* 768 KiB */

struct path_entry {
	uint64_t under; /* the parent's node, and the generation of the address space */
	uint64_t key;   /* the address, and how it was used */
	uint32_t node;  /* IDMAP_NONE: free */
};

struct path_cache {
	struct path_entry *entries;
};

void path_cache_init(struct path_cache *cache);
void path_cache_release(struct path_cache *cache);

/* The entry that has the step, or is to have it. */
static inline struct path_entry *path_cache_at(const struct path_cache *cache,
					       uint64_t under, uint64_t key)
{
	uint64_t h = (under ^ key * UINT64_C(0x9e3779b97f4a7c15)) *
		     UINT64_C(0xd6e8feb86659fd93);

	return &cache->entries[h >> (64 - PATH_CACHE_BITS)];
}

/* Whether it has it. */
static inline bool path_entry_is(const struct path_entry *e, uint64_t under, uint64_t key)
{
	return e->node != IDMAP_NONE && e->under == under && e->key == key;
}

#endif
