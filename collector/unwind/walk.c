/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/walk.h"

void walk_begin(struct walk *w, struct unwinder *u, const struct unwind_input *in,
		struct unwind_frames *frames)
{
	w->u = u;
	w->in = in;
	w->stack = (struct stack_copy){ in->stack, in->stack_len, in->stack_start,
					in->beyond, in->beyond_context };
	w->regs = *in->regs;
	w->frames = frames;
	w->fuel = WALK_FUEL;
	w->known_from = in->known ? in->known_from : UINT64_MAX;
	w->elsewhere = false;
	w->sp_doubtful = 0;
	w->sp_guessed = false;
	w->nnear = w->oldest = 0;
	w->code = NULL;
	vec_clear(&frames->v);
	frames->doubtful = 0;
	frames->fp_used = frames->scanned = frames->spliced = frames->joined = false;
}

const struct unwind_rule *walk_make_rule(struct unwinder *u, struct unwind_module *module,
					 uint64_t vaddr, bool is_return, uint32_t *fuel)
{
	struct unwind_rule rule;

	u->stats.cache_misses++;
	rule = unwind_module_rule(module, vaddr, is_return, fuel);
	if (!*fuel)
		return NULL;
	return unwind_cache_add(&u->cache, walk_serial(u, module), vaddr, &rule);
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
