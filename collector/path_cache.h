/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What paths of addresses became: the nodes of those that were seen lately.
 *
 * A path is known by a number that each of its addresses has gone into, from the
 * outermost on, so that its end can be asked for first.  Most samples are where another
 * was before, or next to it: one look, or a few from the leaf outwards, and what lies
 * outside of there need not be asked for.  Two paths of the same number would be taken
 * for one; among a million paths that is as likely as 1 in 10 million.
 *
 * It forgets: each path has one place, from which a later one drives it out.  So it stays
 * small enough for the CPU's caches, however many stacks there are.
 */
#ifndef PATH_CACHE_H
#define PATH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { PATH_CACHE_BITS = 15 }; /* 512 KiB */

struct path_entry {
	uint64_t path; /* 0: free */
	uint32_t node;
};

struct path_cache {
	struct path_entry *entries;
};

void path_cache_init(struct path_cache *cache);
void path_cache_release(struct path_cache *cache);

/* A path goes on from PATH by WHAT; never 0. */
static inline uint64_t path_on(uint64_t path, uint64_t what)
{
	uint64_t h = (path ^ what) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ? h : 1;
}

/* The entry that has the path, or is to have it. */
static inline struct path_entry *path_cache_at(const struct path_cache *cache,
					       uint64_t path)
{
	return &cache->entries[path >> (64 - PATH_CACHE_BITS)];
}

#endif
