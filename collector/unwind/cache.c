/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/cache.h"

#include <stdlib.h>

#include "base/xalloc.h"

void unwind_cache_init(struct unwind_cache *cache)
{
	cache->entries = xcalloc(1 << UNWIND_CACHE_BITS, sizeof(*cache->entries));
}

void unwind_cache_release(struct unwind_cache *cache)
{
	free(cache->entries);
	cache->entries = NULL;
}
