/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules by (module, address): a table of pairs.
 *
 * The key is the exact address: the addresses in a program's samples, mostly return
 * addresses, are far fewer than those of its code, and making a rule again takes well
 * under a microsecond.  So a new rule simply replaces the older one of its pair.
 */
#ifndef UNWIND_CACHE_H
#define UNWIND_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/rule.h"

/* Of the number of pairs: 2 MiB, and 256 KiB for a reader's own rules. */
enum { UNWIND_CACHE_BITS = 15, UNWIND_CACHE_READER_BITS = 12 };

struct unwind_cache_entry {
	uint64_t vaddr;
	uint32_t module; /* its serial; 0: a free entry */
	struct unwind_rule rule;
};

struct unwind_cache_pair {
	struct unwind_cache_entry newer, older;
};

_Static_assert(sizeof(struct unwind_cache_pair) == 64, "a pair fills a cache line");

struct unwind_cache {
	struct unwind_cache_pair *pairs;
	unsigned bits;
};

void unwind_cache_init(struct unwind_cache *cache, unsigned bits);
void unwind_cache_release(struct unwind_cache *cache);

static inline bool unwind_cache_is(const struct unwind_cache_entry *entry,
				   uint32_t module, uint64_t vaddr)
{
	return entry->vaddr == vaddr && entry->module == module;
}

/* The pair that the key belongs to. */
static inline struct unwind_cache_pair *unwind_cache_at(const struct unwind_cache *cache,
							uint32_t module, uint64_t vaddr)
{
	/* Fibonacci hashing: the high bits of the product depend on all of the key. */
	uint64_t hash = (vaddr ^ (uint64_t)module << 40) * UINT64_C(0x9e3779b97f4a7c15);

	return &cache->pairs[hash >> (64 - cache->bits)];
}

/* The key's rule, or NULL; valid until the next one is added. */
static inline const struct unwind_rule *
unwind_cache_find(const struct unwind_cache *cache, uint32_t module, uint64_t vaddr)
{
	const struct unwind_cache_pair *pair = unwind_cache_at(cache, module, vaddr);

	if (__builtin_expect(unwind_cache_is(&pair->newer, module, vaddr), 1))
		return &pair->newer.rule;
	if (unwind_cache_is(&pair->older, module, vaddr))
		return &pair->older.rule;
	return NULL;
}

/* Adds the rule of a key that has none. */
const struct unwind_rule *unwind_cache_add(struct unwind_cache *cache, uint32_t module,
					   uint64_t vaddr,
					   const struct unwind_rule *rule);

#endif
