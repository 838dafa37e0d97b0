/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/walk.h"

const struct unwind_rule *walk_make_rule(struct unwinder *u, struct unwind_module *module,
					 uint64_t vaddr, bool is_return, uint32_t *fuel)
{
	uint32_t serial = walk_serial(u, module);
	struct unwind_cache_entry *entry = unwind_cache_at(&u->cache, serial, vaddr);
	struct unwind_rule rule;

	u->stats.cache_misses++;
	rule = unwind_module_rule(module, vaddr, is_return, fuel);
	if (!*fuel)
		return NULL;
	*entry = (struct unwind_cache_entry){ vaddr, serial, rule };
	return &entry->rule;
}

/* A free place, or the oldest; that of the last frame's code stays. */
static struct near_map *next_near(struct walk *w)
{
	struct near_map *near;

	if (w->nnear < WALK_NEAR_MAPS)
		return &w->near[w->nnear++];
	do
		near = &w->near[w->oldest++ % WALK_NEAR_MAPS];
	while (near == w->code);
	return near;
}

struct near_map *walk_ask_map(struct walk *w, uint64_t address)
{
	struct unwind_map map = { 0 };
	struct near_map *near;
	uint64_t vaddr;

	if (!w->in->find(w->in->space, address, &map) ||
	    address - map.start >= map.end - map.start)
		return NULL;
	near = next_near(w);
	near->map = map;
	near->bias = 0;
	if (!map.module)
		return near;
	if (map.module->arch == w->in->arch &&
	    unwind_module_vaddr(map.module, map.file_offset, &vaddr))
		near->bias = map.start - vaddr;
	else
		near->map.module = NULL;
	return near;
}
