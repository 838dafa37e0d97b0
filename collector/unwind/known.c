/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common stack, unwound by reading alone: each frame has a rule that takes only registers
 * and the copy, and tables that are loaded.
 */
#include <stdlib.h>

#include "unwind/unwind.h"
#include "unwind/walk.h"
#include "base/xalloc.h"

struct unwinder *unwinder_new_reader(const struct unwinder *of)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	unwind_cache_init(&u->cache, UNWIND_CACHE_READER_BITS);
	u->of = of;
	return u;
}

/* Whether step_by_rule follows it, and its outcome needs no proof. */
static bool is_plain(const struct unwind_rule *rule)
{
	if (rule->flags & (RULE_SCANNED | RULE_CLONE))
		return false;
	return rule->kind == RULE_REG || rule->kind == RULE_MEM ||
	       rule->kind == RULE_PLT || rule->kind == RULE_SIGFRAME;
}

/* Makes that rule, for this reader. */
static const struct unwind_rule *make_rule(struct walk *w, struct unwind_module *module,
					   uint64_t vaddr, bool is_return)
{
	const struct unwind_rule rule = unwind_module_known_rule(module, vaddr, is_return,
								 &w->fuel);

	return w->fuel ? unwind_cache_add(&w->u->cache, module->serial, vaddr, &rule)
		       : NULL;
}

/* The rule of FRAME, with its code at CODE; NULL: it takes what is not known yet. */
static const struct unwind_rule *known_rule(struct walk *w, const struct near_map *code,
					    const struct unwind_frame *frame)
{
	const uint64_t vaddr = frame->address - frame->is_return - code->bias;
	struct unwind_module *module = code->map.module;
	const struct unwind_rule *rule;

	if (!module || !module->serial || code->map.generated)
		return NULL;
	assert(module->user == w->u->of);
	rule = unwind_cache_find(&w->u->of->cache, module->serial, vaddr);
	if (!rule)
		rule = unwind_cache_find(&w->u->cache, module->serial, vaddr);
	return rule ? rule : make_rule(w, module, vaddr, frame->is_return);
}

/* Steps by RULE from FRAME to its caller, which becomes W's pc; false: it may have none. */
static bool step(struct walk *w, const struct unwind_rule *rule,
		 struct unwind_frame *frame)
{
	const uint64_t from = w->regs.reg[w->in->arch->sp];
	struct step_result result;

	if (!is_plain(rule) ||
	    step_by_rule(w->in->arch, rule, &w->stack, &w->regs, &result) != STEP_OK)
		return false;
	frame->cfa = result.cfa;
	frame->saved = result.saved;
	return w->regs.pc &&
	       walk_progressed(w, from, frame->is_return, rule->flags & RULE_SIGNAL);
}

static bool walk_known(struct walk *w)
{
	const struct unwind_rule *rule = NULL;
	const struct near_map *code;
	struct unwind_frame *frame;
	bool is_return = false;

	while (w->frames->v.len < UNWIND_MAX_FRAMES) {
		code = walk_find_code(w, w->regs.pc - is_return);
		if (!code)
			return false;
		frame = walk_add_frame(w, w->regs.pc, is_return);
		rule = known_rule(w, code, frame);
		if (!rule)
			return false;
		if (rule->flags & (RULE_SIGNAL | RULE_UNCALLED))
			frame->is_return = false;
		if (rule->kind == RULE_ROOT)
			return true;
		if (!step(w, rule, frame))
			return false;
		is_return = !(rule->flags & RULE_SIGNAL);
	}
	return false;
}

bool unwind_known_stack(struct unwinder *reader, const struct unwind_input *in,
			struct unwind_frames *frames)
{
	struct walk w;
	bool known;

	walk_begin(&w, reader, in, frames);
	known = walk_known(&w);
	frames->end = known ? UNWIND_END_ROOT : UNWIND_END_OTHER;
	reader->stats.frames += frames->v.len;
	return known;
}
