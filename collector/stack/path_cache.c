/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/path_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void path_cache_init(struct path_cache *cache)
{
	cache->entries = xcalloc(1 << PATH_CACHE_BITS, sizeof(*cache->entries));
	cache->key = hash_key();
}

void path_cache_release(struct path_cache *cache)
{
	free(cache->entries);
	cache->entries = NULL;
}

void path_cache_clear(struct path_cache *cache)
{
	memset(cache->entries, 0, sizeof(*cache->entries) << PATH_CACHE_BITS);
}
