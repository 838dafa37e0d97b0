/* SPDX-License-Identifier: Apache-2.0 */
#include "path_cache.h"

#include <stdlib.h>

#include "xalloc.h"

void path_cache_init(struct path_cache *cache)
{
	const size_t count = 1 << PATH_CACHE_BITS;

	cache->entries = xreallocarray(NULL, count, sizeof(*cache->entries));
	for (size_t i = 0; i < count; i++)
		cache->entries[i].node = IDMAP_NONE;
}

void path_cache_release(struct path_cache *cache)
{
	free(cache->entries);
	cache->entries = NULL;
}
