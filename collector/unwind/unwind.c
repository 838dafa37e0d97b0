/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/unwind.h"

#include <assert.h>
#include <stdlib.h>

#include "unwind/begin.h"
#include "unwind/cache.h"
#include "unwind/code.h"
#include "unwind/go_chain.h"
#include "unwind/lookup.h"
#include "unwind/step.h"
#include "base/xalloc.h"

/*
 * Call frame instructions, entries of Go's table and instructions of its code, for one
 * stack; the largest function of libpython has 3,000 of the first.
 */
#define FUEL (1 << 20)

#define FRAMES_AT_ONCE 128
#define TOP_SPAN       1024 /* bytes that a stack's maker keeps above its first frame */
#define NEAR_MAPS      4    /* a stack goes to and fro between few modules */

#define EDGES_BITS 12

/* What was found of two addresses that follow each other in a chain (go_chain.h). */
struct known_edge {
	struct go_place below;
	uint64_t above;
	uint32_t module; /* its serial; 0: a free entry */
	struct go_edge edge;
};

struct unwinder {
	struct unwind_cache cache;
	struct known_edge *edges; /* 1 << EDGES_BITS; NULL: none was needed yet */
	struct unwind_stats stats;
	uint32_t last_serial;
};

/* A mapping with what turns its addresses into the module's. */
struct near_map {
	struct unwind_map map;
	uint64_t bias; /* address - bias = the module's own */
};

/* One stack on its way. */
struct walk {
	struct unwinder *u;
	const struct unwind_input *in;
	struct stack_copy stack;
	struct unwind_regs regs;
	struct unwind_frames *frames;
	uint32_t fuel;
	bool elsewhere; /* a handler was left for a stack of which there is no copy */
	unsigned int nnear, oldest;
	struct near_map near[NEAR_MAPS];
};

const char *unwind_end_name(enum unwind_end end)
{
	static const char *const names[UNWIND_END_COUNT] = {
		[UNWIND_END_ROOT] = "root",
		[UNWIND_END_TRUNCATED] = "truncated",
		[UNWIND_END_NO_RULE] = "no rule",
		[UNWIND_END_BAD_MEMORY] = "bad memory",
		[UNWIND_END_DEPTH] = "depth limit",
		[UNWIND_END_OTHER] = "other",
		[UNWIND_END_OTHER_STACK] = "other stack",
		[UNWIND_END_NO_REGISTER] = "register not saved",
	};

	return names[end];
}

void unwind_frames_release(struct unwind_frames *frames)
{
	vec_release(&frames->v);
}

struct unwinder *unwinder_new(void)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	unwind_cache_init(&u->cache);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	unwind_cache_release(&u->cache);
	free(u->edges);
	free(u);
}

const struct unwind_stats *unwinder_stats(const struct unwinder *u)
{
	return &u->stats;
}

static uint32_t serial_of(struct unwinder *u, struct unwind_module *module)
{
	if (!module->serial) {
		module->user = u;
		module->serial = ++u->last_serial;
	}
	assert(module->user == u);
	return module->serial;
}

/*
 * The rule of MODULE's address VADDR, from the cache or made now; good until the next
 * call.  NULL where the budget is spent.
 */
static const struct unwind_rule *rule_at(struct unwinder *u, struct unwind_module *module,
					 uint64_t vaddr, bool is_return, uint32_t *fuel)
{
	uint32_t serial = serial_of(u, module);
	struct unwind_cache_entry *entry = unwind_cache_at(&u->cache, serial, vaddr);
	struct unwind_rule rule;

	if (__builtin_expect(entry->vaddr == vaddr && entry->module == serial, 1)) {
		u->stats.cache_hits++;
		return &entry->rule;
	}
	u->stats.cache_misses++;
	rule = unwind_module_rule(module, vaddr, is_return, fuel);
	if (!*fuel)
		return NULL;
	*entry = (struct unwind_cache_entry){ vaddr, serial, rule };
	return &entry->rule;
}

bool unwind_is_root(struct unwinder *u, struct unwind_module *module,
		    uint64_t file_offset)
{
	const struct unwind_rule *rule;
	uint32_t fuel = FUEL;
	uint64_t vaddr;

	if (!unwind_module_vaddr(module, file_offset, &vaddr))
		return false;
	rule = rule_at(u, module, vaddr, true, &fuel);
	return rule && rule->kind == RULE_ROOT;
}

static bool holds(const struct near_map *near, uint64_t address)
{
	return address - near->map.start < near->map.end - near->map.start;
}

static struct near_map *ask_map(struct walk *w, uint64_t address)
{
	struct unwind_map map = { 0 };
	struct near_map *near;
	uint64_t vaddr;

	if (!w->in->find(w->in->space, address, &map) ||
	    address - map.start >= map.end - map.start)
		return NULL;
	if (w->nnear < NEAR_MAPS)
		near = &w->near[w->nnear++];
	else
		near = &w->near[w->oldest++ % NEAR_MAPS];
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

/* The executable mapping of ADDRESS, or NULL. */
static const struct near_map *find_code(struct walk *w, uint64_t address)
{
	const struct near_map *near = NULL;

	for (unsigned int i = 0; i < w->nnear && !near; i++)
		if (holds(&w->near[i], address))
			near = &w->near[i];
	if (!near)
		near = ask_map(w, address);
	return near && near->map.executable ? near : NULL;
}

static enum step step_slowly(struct walk *w, struct unwind_module *module, uint64_t vaddr,
			     struct step_result *result)
{
	struct cfi_row row;

	if (unwind_module_row(module, vaddr, &w->fuel, &row))
		return step_by_row(w->in->arch, &row, &w->stack, &w->regs, result);
	*result = (struct step_result){ 0 };
	return STEP_LOST;
}

/* Whether a call ends at PC; code that has no file has to be believed. */
static bool is_behind_call(struct walk *w, uint64_t pc)
{
	const struct near_map *code = find_code(w, pc - 1);

	if (!code || !code->map.module || code->map.module->ranges)
		return code;
	return unwind_code_is_behind_call(&code->map.module->file, pc - code->bias) ||
	       unwind_code_is_go_end(&code->map.module->file, pc - 1 - code->bias);
}

static enum step step_by_frame_pointer(struct walk *w, struct step_result *result)
{
	enum step status = step_by_fp(w->in->arch, &w->stack, &w->regs, result);

	if (status == STEP_OK && w->regs.pc && !is_behind_call(w, w->regs.pc))
		return STEP_LOST;
	w->frames->fp_used |= status == STEP_OK;
	return status;
}

static enum step step_by_scan(struct walk *w, const struct unwind_rule *rule,
			      struct step_result *result)
{
	const struct unwind_regs kept = w->regs;
	enum step status = step_by_rule(w->in->arch, rule, &w->stack, &w->regs, result);

	if (status == STEP_OK && !is_behind_call(w, w->regs.pc)) {
		w->regs = kept;
		return step_by_frame_pointer(w, result);
	}
	w->frames->scanned |= status == STEP_OK;
	return status;
}

/*
 * Whether the handler whose signal frame lay at SP had a stack of its own, and that which
 * it interrupted, where the stack pointer is now, was not copied.  On one stack the
 * interrupted part lies above the frame; a copy may end between the two, since the vector
 * registers, many kilobytes, are saved there.
 */
static bool left_stack(const struct walk *w, uint64_t sp)
{
	uint64_t now = w->regs.reg[w->in->arch->sp], own, size;

	if (now - w->stack.start <= w->stack.len)
		return false;
	if (now < sp)
		return true;
	return stack_word(&w->stack, sp + w->in->arch->sigframe_stack, &own) &&
	       stack_word(&w->stack, sp + w->in->arch->sigframe_stack + 16, &size) &&
	       sp - own < size && now - own > size;
}

/* Why the memory at ADDRESS is not there. */
static enum unwind_end outside(const struct walk *w, uint64_t address)
{
	uint64_t copied = w->stack.start + w->stack.len;

	w->frames->missing = address;
	if (w->elsewhere)
		return UNWIND_END_OTHER_STACK;
	if (address + sizeof(uint64_t) <= copied || address < w->stack.start)
		return UNWIND_END_BAD_MEMORY;
	if (w->in->stack_end && address >= w->in->stack_end)
		return UNWIND_END_BAD_MEMORY;
	return UNWIND_END_TRUNCATED;
}

/* The stack grows downwards: a caller's part lies above, but for interrupted ones. */
static bool progressed(const struct walk *w, uint64_t sp, bool is_return, bool signal)
{
	uint64_t now = w->regs.reg[w->in->arch->sp];

	return signal || now > sp || (now == sp && !is_return);
}

/*
 * Whether a return address of 0 is the end that the maker of a stack gave it, and not
 * what a stack of zeros holds: it lies where the stack's memory ends, is in the register
 * that a task begins with, or would be that of code which never returns (Ruby's fibers).
 */
static bool is_top(const struct walk *w, const struct unwind_rule *rule, uint64_t cfa)
{
	uint64_t copied = w->stack.start + w->stack.len;

	if (rule->flags & RULE_FOREVER)
		return true;
	if (w->in->arch->ra < w->in->arch->nregs && rule->kind == RULE_REG && !rule->ra)
		return true;
	return w->in->stack_ends && cfa <= copied && copied - cfa < TOP_SPAN;
}

/*
 * Goes to where a thread begins, if that is what a word a little above SP returns to:
 * code that does nothing more but end the thread.
 */
static bool step_to_thread_begin(struct walk *w, uint64_t sp)
{
	const struct near_map *code;
	const struct unwind_rule *rule;
	uint64_t word;

	for (uint64_t at = sp; at - sp < UNWIND_BEGIN_SPAN; at += sizeof(word)) {
		if (!stack_word(&w->stack, at, &word) || !word)
			continue;
		code = find_code(w, word - 1);
		if (!code || !code->map.module || !is_behind_call(w, word))
			continue;
		rule = rule_at(w->u, code->map.module, word - 1 - code->bias, true,
			       &w->fuel);
		if (!rule || rule->kind != RULE_ROOT)
			continue;
		w->regs.known = 0;
		w->regs.pc = word;
		unwind_reg_set(&w->regs, w->in->arch->sp, at + sizeof(word));
		return true;
	}
	return false;
}

/*
 * No caller was found.  Code that nobody described, was returned to, and never returns
 * itself, may be a beginning.
 */
static enum unwind_end at_a_loss(struct walk *w, const struct unwind_rule *rule,
				 const struct unwind_frame *frame, uint64_t sp)
{
	bool described = rule->kind != RULE_NONE && !(rule->flags & RULE_SCANNED);

	if (described || !frame->is_return)
		return UNWIND_END_NO_RULE;
	if (unwind_begin_is_near(&w->stack, sp))
		return UNWIND_END_ROOT;
	return step_to_thread_begin(w, sp) ? UNWIND_END_COUNT : UNWIND_END_NO_RULE;
}

/* ---- on by the kernel's chain ---- */

static bool is_edge(const struct known_edge *known, uint32_t serial,
		    const struct go_place *below, uint64_t above)
{
	return known->module == serial && known->below.address == below->address &&
	       known->below.callee == below->callee &&
	       known->below.is_return == below->is_return && known->above == above;
}

/* Not remembered where the budget is spent. */
static struct go_edge edge_at(struct unwinder *u, struct unwind_module *module,
			      const struct go_place *below, uint64_t above,
			      uint32_t *fuel)
{
	uint64_t hash = (below->address ^ below->callee << 8 ^ above << 20) *
			UINT64_C(0x9e3779b97f4a7c15);
	const uint32_t serial = serial_of(u, module);
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
 * points to now, by the copy; 0 where the chain did not get there.  Where the copy has
 * none of them, the chain must be of the same registers: those of a precise event are
 * older than its chain.
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

static struct unwind_frame *add_frame(struct walk *w, uint64_t address, bool is_return)
{
	struct unwind_frame *frame;

	/* Room for many at once, which is there from the second stack on. */
	if (w->frames->v.len == w->frames->v.cap)
		vec_reserve(&w->frames->v, FRAMES_AT_ONCE);
	frame = &w->frames->v.data[w->frames->v.len++];
	*frame = (struct unwind_frame){ .address = address, .is_return = is_return };
	return frame;
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

/* Whether ADDRESS is behind executable memory of NEAR's module, mapped as that is. */
static bool is_behind_code_of(struct walk *w, uint64_t address,
			      const struct near_map *near)
{
	const struct near_map *code = find_code(w, address - 1);

	return code && code->map.module == near->map.module && code->bias == near->bias;
}

/*
 * The last frame changed stacks, and its caller's was not copied.  The kernel has
 * followed the frame pointers over there; what of that is proven is added.
 */
static enum unwind_end join(struct walk *w, const struct near_map *code)
{
	const struct near_map own = *code; /* find_code() may drop it */
	struct unwind_module *const module = own.map.module;
	const uint64_t bias = own.bias;
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
		if (!is_behind_code_of(w, above, &own) ||
		    (edge.kind == GO_EDGE_VIA &&
		     !is_behind_code_of(w, edge.via + bias, &own)))
			break;
		if (edge.kind == GO_EDGE_VIA)
			add_frame(w, edge.via + bias, true);
		add_frame(w, above, true);
		rule = rule_at(w->u, module, above - 1 - bias, true, &w->fuel);
		if (rule && rule->kind == RULE_ROOT) {
			w->u->stats.joined++;
			return UNWIND_END_ROOT;
		}
		below = (struct go_place){ .address = above - bias, .is_return = true };
	}
	return w->fuel ? UNWIND_END_OTHER_STACK : UNWIND_END_OTHER;
}

/* The child of a clone, which has a stack of its own; register 0 is what the call gave.
 */
static bool is_child(const struct walk *w, const struct unwind_rule *rule)
{
	return rule->flags & RULE_CLONE && unwind_reg_known(&w->regs, 0) &&
	       !w->regs.reg[0];
}

static enum step step_by(struct walk *w, const struct unwind_rule *rule,
			 struct unwind_module *module, uint64_t vaddr,
			 struct step_result *result)
{
	if (rule->kind == RULE_NONE)
		return step_by_frame_pointer(w, result);
	if (rule->kind == RULE_SLOW)
		return step_slowly(w, module, vaddr, result);
	if (rule->flags & RULE_SCANNED)
		return step_by_scan(w, rule, result);
	return step_by_rule(w->in->arch, rule, &w->stack, &w->regs, result);
}

/*
 * Whether a step from BEFORE failed only because the kernel had not saved some registers:
 * with any values in them it succeeds.
 */
static bool wants_unsaved(struct walk *w, const struct unwind_regs *before,
			  const struct unwind_rule *rule, struct unwind_module *module,
			  uint64_t vaddr)
{
	const struct unwind_arch *arch = w->in->arch;
	const bool fp_used = w->frames->fp_used, scanned = w->frames->scanned;
	struct step_result result;
	enum step status;

	/* without a rule, the frame pointer alone would have led on */
	if (rule->kind == RULE_NONE || rule->flags & RULE_SCANNED)
		return before->unsaved >> arch->fp & 1;
	w->regs = *before;
	for (unsigned int n = 0; n < arch->nregs; n++)
		if (before->unsaved >> n & 1)
			unwind_reg_set(&w->regs, n, before->reg[arch->sp]);
	status = step_by(w, rule, module, vaddr, &result);
	w->regs = *before;
	w->frames->fp_used = fp_used;
	w->frames->scanned = scanned;
	return status != STEP_LOST;
}

/*
 * One frame, the last of w->frames, whose code is at CODE: steps to its caller.  Gives
 * UNWIND_END_COUNT where there is one.
 */
static enum unwind_end step(struct walk *w, const struct near_map *code,
			    struct unwind_frame *frame, bool *signal)
{
	static const struct unwind_rule none = { .kind = RULE_NONE };
	const struct unwind_rule *rule = &none;
	uint64_t sp = w->regs.reg[w->in->arch->sp];
	uint64_t vaddr = frame->address - frame->is_return - code->bias;
	struct unwind_regs before;
	struct step_result result;
	enum step status;

	if (code->map.module)
		rule = rule_at(w->u, code->map.module, vaddr, frame->is_return, &w->fuel);
	if (!rule)
		return UNWIND_END_OTHER;
	if (rule->flags & (RULE_SIGNAL | RULE_UNCALLED))
		frame->is_return = false;
	if (rule->kind == RULE_ROOT || is_child(w, rule))
		return UNWIND_END_ROOT;
	if (rule->kind == RULE_ELSEWHERE)
		return join(w, code);
	if (__builtin_expect(w->regs.unsaved != 0, 0))
		before = w->regs;
	else
		before.unsaved = 0;
	status = step_by(w, rule, code->map.module, vaddr, &result);
	frame->cfa = result.cfa;
	frame->saved = result.saved;
	if (status == STEP_OUTSIDE)
		return outside(w, result.outside);
	if (status == STEP_LOST && before.unsaved &&
	    wants_unsaved(w, &before, rule, code->map.module, vaddr))
		return UNWIND_END_NO_REGISTER;
	if (status == STEP_LOST)
		return at_a_loss(w, rule, frame, sp);
	*signal = rule->flags & RULE_SIGNAL;
	w->elsewhere |= *signal && left_stack(w, sp);
	if (!progressed(w, sp, frame->is_return, *signal))
		return UNWIND_END_OTHER;
	if (w->regs.pc)
		return UNWIND_END_COUNT;
	return is_top(w, rule, result.cfa) ? UNWIND_END_ROOT : UNWIND_END_BAD_MEMORY;
}

/*
 * The last frame, whose code is at CODE, has no caller that could be read.  Where its
 * code ends the thread as soon as it is returned to, it has none: Go starts its threads
 * so, and describes that like any function.
 */
static enum unwind_end last_end(const struct near_map *code,
				const struct unwind_frame *frame, enum unwind_end end)
{
	const struct unwind_module *m = code->map.module;
	bool unread = end == UNWIND_END_BAD_MEMORY || end == UNWIND_END_TRUNCATED;

	if (unread && frame->is_return && m && !m->ranges &&
	    unwind_code_is_thread_end(&m->file, frame->address - code->bias))
		return UNWIND_END_ROOT;
	return end;
}

static enum unwind_end walk(struct walk *w)
{
	const struct near_map *code = find_code(w, w->regs.pc), *next;
	struct unwind_frame *frame = add_frame(w, w->regs.pc, false);
	enum unwind_end end;
	bool signal = false;

	if (!code)
		return UNWIND_END_NO_RULE;
	for (;;) {
		end = step(w, code, frame, &signal);
		if (end != UNWIND_END_COUNT)
			return last_end(code, frame, end);
		next = find_code(w, w->regs.pc - !signal);
		if (!next)
			return last_end(code, frame, UNWIND_END_BAD_MEMORY);
		if (w->frames->v.len == UNWIND_MAX_FRAMES)
			return UNWIND_END_DEPTH;
		frame = add_frame(w, w->regs.pc, !signal);
		code = next;
	}
}

void unwind_stack(struct unwinder *u, const struct unwind_input *in,
		  struct unwind_frames *frames)
{
	struct walk w; /* near[] is set as far as nnear says */

	w.u = u;
	w.in = in;
	w.stack = (struct stack_copy){ in->stack, in->stack_len, in->stack_start,
				       in->beyond, in->beyond_context };
	w.regs = *in->regs;
	w.frames = frames;
	w.fuel = FUEL;
	w.elsewhere = false;
	w.nnear = w.oldest = 0;
	vec_clear(&frames->v);
	frames->fp_used = frames->scanned = frames->spliced = false;
	frames->end = walk(&w);
	u->stats.frames += frames->v.len;
}
