/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache from paths of addresses to their stack nodes.
 *
 * A 64-bit hash of its addresses, from the outermost on, identifies a path, so the whole
 * path can be looked up first, then the path without its leaf, and so on.  Most samples
 * repeat an earlier place, or one next to it: one look-up, or a few, and the rest of the
 * stack is known.  Two paths with the same hash would become one; among a million paths
 * the chance of that is 1 in 10 million.  A program chooses the addresses in its chains, so
 * each path begins with a secret key: nobody can choose a path with the hash of another's.
 *
 * It is direct-mapped: a later path replaces an earlier one.  So it stays small enough
 * for the CPU's caches, however many stacks there are.
 */
#ifndef PATH_CACHE_H
#define PATH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum { PATH_CACHE_BITS = 15 }; /* 512 KiB */

struct path_entry {
	uint64_t path; /* 0: free */
	uint32_t node;
};

struct path_cache {
	struct path_entry *entries;
	uint64_t key;
};

void path_cache_init(struct path_cache *cache);
void path_cache_release(struct path_cache *cache);

/* Forgets all paths. */
void path_cache_clear(struct path_cache *cache);

/* Extends PATH by WHAT; never 0. */
static inline uint64_t path_on(uint64_t path, uint64_t what)
{
	uint64_t h = hash_fold(hash_fold(path ^ what, 0x9e3779b97f4a7c15u),
			       0xd6e8feb86659fd93u);

	return h ? h : 1;
}

/* The entry for the path. */
static inline struct path_entry *path_cache_at(const struct path_cache *cache,
					       uint64_t path)
{
	return &cache->entries[path >> (64 - PATH_CACHE_BITS)];
}

#endif
