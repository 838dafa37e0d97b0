/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cache.h"

#include <stdlib.h>

#include "base/xalloc.h"

void unwind_cache_init(struct unwind_cache *cache, unsigned bits)
{
	cache->pairs = xcalloc((size_t)1 << bits, sizeof(*cache->pairs));
	cache->bits = bits;
}

void unwind_cache_release(struct unwind_cache *cache)
{
	free(cache->pairs);
	cache->pairs = NULL;
}

const struct unwind_rule *unwind_cache_add(struct unwind_cache *cache, uint32_t module,
					   uint64_t vaddr, const struct unwind_rule *rule)
{
	struct unwind_cache_pair *pair = unwind_cache_at(cache, module, vaddr);

	pair->older = pair->newer;
	pair->newer = (struct unwind_cache_entry){ vaddr, module, *rule };
	return &pair->newer.rule;
}
