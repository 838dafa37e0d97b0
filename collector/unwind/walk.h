/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unwinding of one stack: finds code and the rule of an address, and adds frames.
 * For unwind.c, which steps, and go_join.c.
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "unwind/cache.h"
#include "unwind/frames.h"
#include "unwind/lookup.h"
#include "unwind/step.h"
#include "base/vec.h"

/*
 * Call frame instructions, entries of Go's table and instructions of its code, for one
 * stack; the largest function of libpython has 3,000 of the first.
 */
#define WALK_FUEL (1 << 20)

#define WALK_FRAMES_AT_ONCE 128
#define WALK_NEAR_MAPS      4 /* a stack alternates between few modules */

struct known_edge; /* go_join.c */

struct unwinder {
	struct unwind_cache cache;
	const struct unwinder
		*of; /* a reader's: whose rules it has too; NULL: no reader */
	struct known_edge *edges; /* NULL: not needed yet */
	struct unwind_stats stats;
	uint32_t last_serial;
};

/* A mapping, and the conversion of its addresses to the module's. */
struct near_map {
	struct unwind_map map;
	uint64_t bias; /* address - bias = the module's own */
};

struct walk {
	struct unwinder *u;
	const struct unwind_input *in;
	struct stack_copy stack;
	struct unwind_regs regs;
	struct unwind_frames *frames;
	uint32_t fuel;
	uint64_t known_from; /* the input's, until it was asked; then UINT64_MAX */
	bool elsewhere;      /* a handler was left for a stack without a copy */
	bool sp_guessed;     /* since a step by the frame pointer in generated code */
	/*
	 * likewise since one by a doubtful rule that the frame pointer confirmed: frames up
	 * to that; 0: not so
	 */
	size_t sp_doubtful;
	unsigned int nnear, oldest;
	struct near_map near[WALK_NEAR_MAPS];
	const struct near_map *code; /* of the last frame, in NEAR, where it stays */
};

/* FRAMES become empty, and W's; of near[] only what nnear says is set. */
void walk_begin(struct walk *w, struct unwinder *u, const struct unwind_input *in,
		struct unwind_frames *frames);

/* The slow parts of the calls below, if the fast ones fail. */
const struct unwind_rule *walk_make_rule(struct unwinder *u, struct unwind_module *module,
					 uint64_t vaddr, bool is_return, uint32_t *fuel);
struct near_map *walk_ask_map(struct walk *w, uint64_t address);

static inline uint32_t walk_serial(struct unwinder *u, struct unwind_module *module)
{
	if (!module->serial) {
		module->user = u;
		module->serial = ++u->last_serial;
	}
	assert(module->user == u);
	return module->serial;
}

/*
 * The rule of MODULE's address VADDR, from the cache or made now; valid until the next
 * call.  NULL if the budget is spent.
 */
static inline const struct unwind_rule *walk_rule(struct unwinder *u,
						  struct unwind_module *module,
						  uint64_t vaddr, bool is_return,
						  uint32_t *fuel)
{
	uint32_t serial = walk_serial(u, module);
	const struct unwind_rule *rule = unwind_cache_find(&u->cache, serial, vaddr);

	if (__builtin_expect(rule != NULL, 1)) {
		u->stats.cache_hits++;
		return rule;
	}
	return walk_make_rule(u, module, vaddr, is_return, fuel);
}

/* The executable mapping of ADDRESS, or NULL.  Good until the next call; W->CODE longer. */
static inline const struct near_map *walk_find_code(struct walk *w, uint64_t address)
{
	const struct near_map *near = NULL;

	for (unsigned int i = 0; i < w->nnear && !near; i++)
		if (address - w->near[i].map.start <
		    w->near[i].map.end - w->near[i].map.start)
			near = &w->near[i];
	if (!near)
		near = walk_ask_map(w, address);
	return near && near->map.executable ? near : NULL;
}

/* The stack grows downwards: a caller's part lies above, except for interrupted ones. */
static inline bool walk_progressed(const struct walk *w, uint64_t sp, bool is_return,
				   bool signal)
{
	uint64_t now = w->regs.reg[w->in->arch->sp];

	return signal || now > sp || (now == sp && !is_return);
}

static inline struct unwind_frame *walk_add_frame(struct walk *w, uint64_t address,
						  bool is_return)
{
	struct unwind_frame *frame;

	/* Room for many at once, which is there from the second stack on. */
	if (w->frames->v.len == w->frames->v.cap)
		vec_reserve(&w->frames->v, WALK_FRAMES_AT_ONCE);
	frame = &w->frames->v.data[w->frames->v.len++];
	*frame = (struct unwind_frame){ .address = address, .is_return = is_return };
	return frame;
}

#endif
