/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/go_join.h"

#include "unwind/go_chain.h"
#include "base/xalloc.h"

#define EDGES_BITS 12

/* The edge between two consecutive addresses in a chain (go_chain.h). */
struct known_edge {
	struct go_place below;
	uint64_t above;
	uint32_t module; /* its serial; 0: a free entry */
	struct go_edge edge;
};

static bool is_edge(const struct known_edge *known, uint32_t serial,
		    const struct go_place *below, uint64_t above)
{
	return known->module == serial && known->below.address == below->address &&
	       known->below.callee == below->callee &&
	       known->below.is_return == below->is_return && known->above == above;
}

/* Not cached if the budget is spent. */
static struct go_edge edge_at(struct unwinder *u, struct unwind_module *module,
			      const struct go_place *below, uint64_t above,
			      uint32_t *fuel)
{
	uint64_t hash = (below->address ^ below->callee << 8 ^ above << 20) *
			UINT64_C(0x9e3779b97f4a7c15);
	const uint32_t serial = walk_serial(u, module);
	struct known_edge *known;
	struct go_edge edge;

	if (!u->edges)
		u->edges = xcalloc((size_t)1 << EDGES_BITS, sizeof(*u->edges));
	known = &u->edges[hash >> (64 - EDGES_BITS)];
	if (is_edge(known, serial, below, above))
		return known->edge;
	edge = go_chain_edge(&module->go, below, above, fuel);
	if (*fuel)
		*known = (struct known_edge){ *below, above, serial, edge };
	return edge;
}

/*
 * How many addresses of the chain belong to frames below the one that the frame pointer
 * points to now, by the copy; 0 if the chain did not reach it.  If the copy has none of
 * them, the chain must come from the same registers: those of a precise event are older
 * than its chain.
 */
static size_t chain_below(const struct walk *w)
{
	const struct unwind_arch *arch = w->in->arch;
	uint64_t fp = w->in->regs->reg[arch->fp], next, ret;

	if (!unwind_reg_known(w->in->regs, arch->fp) ||
	    !unwind_reg_known(&w->regs, arch->fp))
		return 0;
	for (size_t n = 1; n < w->in->chain_len; n++) {
		if (fp == w->regs.reg[arch->fp])
			return n > 1 || w->in->chain[0] == w->in->regs->pc ? n : 0;
		if (!stack_word(&w->stack, fp, &next) ||
		    !stack_word(&w->stack, fp + sizeof(ret), &ret) ||
		    ret != w->in->chain[n])
			return 0;
		fp = next;
	}
	return 0;
}

/* The last frame, seen from the chain: addresses of the module. */
static struct go_place last_place(const struct walk *w, uint64_t bias)
{
	const struct unwind_frames *frames = w->frames;
	const struct unwind_frame *last = &frames->v.data[frames->v.len - 1];
	struct go_place place = { .address = last->address - bias,
				  .is_return = last->is_return };

	if (frames->v.len > 1)
		place.callee = last[-1].address - last[-1].is_return - bias;
	return place;
}

/*
 * Whether the byte before ADDRESS is in executable memory of NEAR's module, mapped like
 * it.
 */
static bool is_behind_code_of(struct walk *w, uint64_t address,
			      const struct near_map *near)
{
	const struct near_map *code = walk_find_code(w, address - 1);

	return code && code->map.module == near->map.module && code->bias == near->bias;
}

enum unwind_end go_join(struct walk *w, const struct near_map *code)
{
	struct unwind_module *const module = code->map.module;
	const uint64_t bias = code->bias;
	struct go_place below = last_place(w, bias);
	size_t n = module->go.file ? chain_below(w) : 0;
	const struct unwind_rule *rule;
	struct go_edge edge;

	w->u->stats.elsewhere++;
	for (; n && n < w->in->chain_len; n++) {
		const uint64_t above = w->in->chain[n];

		edge = edge_at(w->u, module, &below, above - bias, &w->fuel);
		if (edge.kind == GO_EDGE_NONE || w->frames->v.len + 2 > UNWIND_MAX_FRAMES)
			break;
		if (!is_behind_code_of(w, above, code) ||
		    (edge.kind == GO_EDGE_VIA &&
		     !is_behind_code_of(w, edge.via + bias, code)))
			break;
		if (edge.kind == GO_EDGE_VIA)
			walk_add_frame(w, edge.via + bias, true);
		walk_add_frame(w, above, true);
		rule = walk_rule(w->u, module, above - 1 - bias, true, &w->fuel);
		if (rule && rule->kind == RULE_ROOT) {
			w->u->stats.joined++;
			return UNWIND_END_ROOT;
		}
		below = (struct go_place){ .address = above - bias, .is_return = true };
	}
	return w->fuel ? UNWIND_END_OTHER_STACK : UNWIND_END_OTHER;
}
