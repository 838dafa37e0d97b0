/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules by (module, address): a direct-mapped table.
 *
 * The key is the exact address: the addresses in a program's samples, mostly return
 * addresses, are far fewer than those of its code, and making a rule again takes well
 * under a microsecond.  So a new rule simply replaces the old one.
 */
#ifndef UNWIND_CACHE_H
#define UNWIND_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/rule.h"

#define UNWIND_CACHE_BITS 15

struct unwind_cache_entry {
	uint64_t vaddr;
	uint32_t module; /* its serial; 0: a free entry */
	struct unwind_rule rule;
};

_Static_assert(sizeof(struct unwind_cache_entry) == 32, "two fill a cache line");

struct unwind_cache {
	struct unwind_cache_entry *entries;
};

void unwind_cache_init(struct unwind_cache *cache);
void unwind_cache_release(struct unwind_cache *cache);

/*
 * The entry for the key: the key's own if its vaddr and module match, otherwise the one
 * to overwrite.
 */
static inline struct unwind_cache_entry *unwind_cache_at(const struct unwind_cache *cache,
							 uint32_t module, uint64_t vaddr)
{
	/* Fibonacci hashing: the high bits of the product depend on all of the key. */
	uint64_t hash = (vaddr ^ (uint64_t)module << 40) * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->entries[hash >> (64 - UNWIND_CACHE_BITS)];
}

#endif
