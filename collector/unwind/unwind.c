/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/unwind.h"

#include <stdlib.h>

#include "unwind/begin.h"
#include "unwind/code.h"
#include "unwind/go_join.h"
#include "unwind/walk.h"
#include "base/xalloc.h"

#define TOP_SPAN 1024 /* bytes that a stack's creator keeps above its first frame */

struct unwinder *unwinder_new(void)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	unwind_cache_init(&u->cache, UNWIND_CACHE_BITS);
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

bool unwind_is_root(struct unwinder *u, struct unwind_module *module,
		    uint64_t file_offset)
{
	const struct unwind_rule *rule;
	uint32_t fuel = WALK_FUEL;
	uint64_t vaddr;

	if (!unwind_module_vaddr(module, file_offset, &vaddr))
		return false;
	rule = walk_rule(u, module, vaddr, true, &fuel);
	return rule && rule->kind == RULE_ROOT;
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

/* Whether a call ends at PC; code without a file is believed. */
static bool is_behind_call(struct walk *w, uint64_t pc)
{
	const struct near_map *code = walk_find_code(w, pc - 1);

	if (!code || !code->map.module || code->map.module->ranges)
		return code;
	return unwind_code_is_behind_call(&code->map.module->file, pc - code->bias) ||
	       unwind_code_is_go_end(&code->map.module->file, pc - 1 - code->bias);
}

/* Whether PC is where a signal handler returns to: no call leads there. */
static bool is_signal_return(struct walk *w, uint64_t pc)
{
	const struct near_map *code = walk_find_code(w, pc - 1);
	const struct unwind_rule *rule;

	if (!code || !code->map.module)
		return false;
	rule = walk_rule(w->u, code->map.module, pc - 1 - code->bias, true, &w->fuel);
	return rule && rule->flags & RULE_SIGNAL;
}

static bool may_return_to(struct walk *w, uint64_t pc)
{
	return is_behind_call(w, pc) || is_signal_return(w, pc);
}

static enum step step_by_frame_pointer(struct walk *w, struct step_result *result)
{
	enum step status = step_by_fp(w->in->arch, &w->stack, &w->regs, result);

	if (status == STEP_OK && w->regs.pc && !may_return_to(w, w->regs.pc))
		return STEP_LOST;
	w->frames->fp_used |= status == STEP_OK;
	return status;
}

static enum step step_by_scan(struct walk *w, const struct unwind_rule *rule,
			      struct step_result *result)
{
	const struct unwind_regs kept = w->regs;
	enum step status = step_by_rule(w->in->arch, rule, &w->stack, &w->regs, result);

	if (status == STEP_OK && !may_return_to(w, w->regs.pc)) {
		w->regs = kept;
		return step_by_frame_pointer(w, result);
	}
	w->frames->scanned |= status == STEP_OK;
	return status;
}

/* The same where code is only memory, whose bytes must show the call. */
static bool is_proven_call(struct walk *w, uint64_t pc)
{
	const struct near_map *code = walk_find_code(w, pc - 1);

	if (!code || !code->map.generated)
		return is_behind_call(w, pc);
	return w->in->made->is_behind_call(w->in->made->context, pc);
}

/* Doubts the frames that follow the first LEN. */
static void doubt(struct walk *w, size_t len)
{
	if (!w->frames->doubtful)
		w->frames->doubtful = len;
}

/*
 * Whether RULE led from REGS to CFA as their frame pointer does.  That reads no memory, so
 * a value that is no frame pointer asks for none.
 */
static bool says_as_fp(const struct unwind_arch *arch, const struct unwind_rule *rule,
		       const struct unwind_regs *regs, uint64_t cfa)
{
	const uint64_t word = sizeof(cfa), at = regs->reg[arch->fp];

	return unwind_reg_known(regs, arch->fp) && at >= regs->reg[arch->sp] &&
	       at % word == 0 && cfa == at + 2 * word && rule->ra == -1 && rule->fp == -2;
}

/*
 * By RULE, which must lead to code; a doubtful one, behind a call.  The frame pointer
 * confirms that, except for the caller's stack pointer.
 */
static enum step step_by_proof(struct walk *w, const struct unwind_made_rule *rule,
			       struct step_result *result)
{
	const struct unwind_regs kept = w->regs;
	enum step status = step_by_rule(w->in->arch, &rule->rule, &w->stack, &w->regs,
					result);

	if (status != STEP_OK)
		return status;
	w->regs.known &= ~rule->lost;
	if (!w->regs.pc || (rule->doubtful ? !is_proven_call(w, w->regs.pc)
					   : !is_behind_call(w, w->regs.pc))) {
		w->regs = kept;
		return rule->doubtful ? step_by_frame_pointer(w, result) : STEP_LOST;
	}
	if (rule->doubtful && says_as_fp(w->in->arch, &rule->rule, &kept, result->cfa))
		w->sp_doubtful = w->frames->v.len;
	else if (rule->doubtful)
		doubt(w, w->frames->v.len);
	w->frames->scanned = true;
	return status;
}

/*
 * RULE is of bytes that may not be those that ran, or the stack pointer is a guess: it may
 * only confirm the frame pointer, by the place of the return address.
 */
static enum step step_by_both(struct walk *w, const struct unwind_made_rule *rule,
			      struct step_result *result)
{
	struct unwind_regs regs = w->regs;
	struct step_result by_rule;
	enum step status;
	uint64_t slot;

	if (rule->doubtful)
		return step_by_frame_pointer(w, result);
	status = step_by_rule(w->in->arch, &rule->rule, &w->stack, &regs, &by_rule);
	if (status != STEP_OK)
		return status;
	slot = by_rule.cfa + (uint64_t)((int64_t)rule->rule.ra * (int64_t)sizeof(slot));
	status = step_by_frame_pointer(w, result);
	return status == STEP_OK && result->cfa - sizeof(slot) != slot ? STEP_LOST
								       : status;
}

/* From FRAME, in code without a file. */
static enum step step_by_bytes(struct walk *w, const struct unwind_frame *frame,
			       struct step_result *result)
{
	const struct unwind_made *made = w->in->made;
	const size_t sp_doubtful = w->sp_doubtful;
	enum unwind_made_answer answer = MADE_UNPROVEN;
	struct unwind_made_rule rule;

	w->sp_doubtful = 0;
	*result = (struct step_result){ 0 };
	if (made)
		answer = made->rule(made->context, frame->address, frame->is_return,
				    &rule);
	if (answer == MADE_UNPROVEN)
		return step_by_frame_pointer(w, result);
	if (answer == MADE_UNREAD)
		return STEP_LOST;
	if (answer == MADE_UNTIMELY ||
	    (w->sp_guessed && rule.rule.cfa_reg == w->in->arch->sp))
		return step_by_both(w, &rule, result);
	if (sp_doubtful && rule.rule.cfa_reg == w->in->arch->sp)
		doubt(w, sp_doubtful);
	return step_by_proof(w, &rule, result);
}

/* A frame pointer alone does not show how many words the function dropped, or added. */
static enum step step_by_made(struct walk *w, const struct unwind_frame *frame,
			      struct step_result *result)
{
	const bool fp_used = w->frames->fp_used;
	enum step status;

	w->frames->fp_used = false;
	status = step_by_bytes(w, frame, result);
	w->sp_guessed = w->frames->fp_used;
	w->frames->fp_used |= fp_used;
	return status;
}

/*
 * Whether the handler with the signal frame at SP had a stack of its own, and the
 * interrupted stack, where the stack pointer is now, was not copied.  On a single stack
 * the interrupted part lies above the frame; a copy may end between the two, since the
 * vector registers, many kilobytes, are saved there.
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

/* Why the memory at ADDRESS is missing. */
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

/*
 * Whether the creator of a stack stored a return address of 0 as its end, rather than a
 * followed stack of zeros: it lies at the end of the stack's memory, is in the register
 * that a task begins with, or would belong to code that never returns (Ruby's fibers).
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
 * Steps to the beginning of a thread, if a word slightly above SP returns to it: code
 * that only ends the thread.
 */
static bool step_to_thread_begin(struct walk *w, uint64_t sp)
{
	const struct near_map *code;
	const struct unwind_rule *rule;
	uint64_t word;

	for (uint64_t at = sp; at - sp < UNWIND_BEGIN_SPAN; at += sizeof(word)) {
		if (!stack_word(&w->stack, at, &word) || !word)
			continue;
		code = walk_find_code(w, word - 1);
		if (!code || !code->map.module || !is_behind_call(w, word))
			continue;
		rule = walk_rule(w->u, code->map.module, word - 1 - code->bias, true,
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
 * No caller was found.  Code without call frame information that was returned to, and
 * never returns itself, may be a beginning.
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

/* The child of a clone, which has a stack of its own; register 0 is the call's result. */
static bool is_child(const struct walk *w, const struct unwind_rule *rule)
{
	return rule->flags & RULE_CLONE && unwind_reg_known(&w->regs, 0) &&
	       !w->regs.reg[0];
}

static enum step step_by(struct walk *w, const struct unwind_rule *rule,
			 const struct near_map *code, const struct unwind_frame *frame,
			 struct step_result *result)
{
	struct unwind_module *module = code->map.module;
	uint64_t vaddr = frame->address - frame->is_return - code->bias;

	if (code->map.generated)
		return step_by_made(w, frame, result);
	w->sp_guessed = false;
	w->sp_doubtful = 0;
	if (code->map.unread)
		return STEP_LOST;
	if (rule->kind == RULE_NONE)
		return step_by_frame_pointer(w, result);
	if (rule->kind == RULE_SLOW)
		return step_slowly(w, module, vaddr, result);
	if (rule->flags & RULE_SCANNED)
		return step_by_scan(w, rule, result);
	return step_by_rule(w->in->arch, rule, &w->stack, &w->regs, result);
}

/*
 * Whether a step from BEFORE failed only because the kernel did not save some registers:
 * with any values in them it succeeds.
 */
static bool wants_unsaved(struct walk *w, const struct unwind_regs *before,
			  const struct unwind_rule *rule, const struct near_map *code,
			  const struct unwind_frame *frame)
{
	const struct unwind_arch *arch = w->in->arch;
	const bool fp_used = w->frames->fp_used, scanned = w->frames->scanned;
	struct step_result result;
	enum step status;

	if (code->map.unread)
		return false;
	/* without a rule, the frame pointer alone would have led on */
	if (rule->kind == RULE_NONE || rule->flags & RULE_SCANNED)
		return before->unsaved >> arch->fp & 1;
	w->regs = *before;
	for (unsigned int n = 0; n < arch->nregs; n++)
		if (before->unsaved >> n & 1)
			unwind_reg_set(&w->regs, n, before->reg[arch->sp]);
	status = step_by(w, rule, code, frame, &result);
	w->regs = *before;
	w->frames->fp_used = fp_used;
	w->frames->scanned = scanned;
	return status != STEP_LOST;
}

/*
 * Steps from BEFORE, where the frame pointer is all that RULE lacks, with the one that the
 * function's own code shows.
 */
static enum step step_by_found_fp(struct walk *w, const struct unwind_regs *before,
				  const struct unwind_rule *rule,
				  const struct near_map *code,
				  const struct unwind_frame *frame,
				  struct step_result *result)
{
	const struct unwind_arch *arch = w->in->arch;
	int64_t above;

	if (!(before->unsaved >> arch->fp & 1) || rule->kind != RULE_REG ||
	    rule->cfa_reg != arch->fp ||
	    !unwind_module_fp(code->map.module, frame->address - code->bias, &w->fuel,
			      &above))
		return STEP_LOST;
	w->regs = *before;
	unwind_reg_set(&w->regs, arch->fp, before->reg[arch->sp] + (uint64_t)above);
	if (step_by(w, rule, code, frame, result) == STEP_OK &&
	    is_behind_call(w, w->regs.pc))
		return STEP_OK;
	w->regs = *before;
	return STEP_LOST;
}

/*
 * Steps from the last of w->frames, with its code at CODE, to its caller.  Returns
 * UNWIND_END_COUNT if there is one.
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
		rule = walk_rule(w->u, code->map.module, vaddr, frame->is_return,
				 &w->fuel);
	if (!rule)
		return UNWIND_END_OTHER;
	if (rule->flags & (RULE_SIGNAL | RULE_UNCALLED))
		frame->is_return = false;
	if (rule->kind == RULE_ROOT || is_child(w, rule))
		return UNWIND_END_ROOT;
	if (rule->kind == RULE_ELSEWHERE)
		return go_join(w, code);
	if (__builtin_expect(w->regs.unsaved != 0, 0))
		before = w->regs;
	else
		before.unsaved = 0;
	status = step_by(w, rule, code, frame, &result);
	if (status == STEP_LOST && before.unsaved)
		status = step_by_found_fp(w, &before, rule, code, frame, &result);
	frame->cfa = result.cfa;
	frame->saved = result.saved;
	if (status == STEP_OUTSIDE)
		return outside(w, result.outside);
	if (status == STEP_LOST && before.unsaved &&
	    wants_unsaved(w, &before, rule, code, frame))
		return UNWIND_END_NO_REGISTER;
	if (status == STEP_LOST)
		return at_a_loss(w, rule, frame, sp);
	*signal = rule->flags & RULE_SIGNAL;
	w->elsewhere |= *signal && left_stack(w, sp);
	if (!walk_progressed(w, sp, frame->is_return, *signal))
		return UNWIND_END_OTHER;
	if (w->regs.pc)
		return UNWIND_END_COUNT;
	return is_top(w, rule, result.cfa) ? UNWIND_END_ROOT : UNWIND_END_BAD_MEMORY;
}

/*
 * The end of a stack whose last frame, with its code at CODE, has no readable caller.  If
 * its code ends the thread as soon as it is returned to, it has none: Go starts its
 * threads so, and describes that code like any function.
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

/* Whether what the registers lead to is known; what a handler interrupted never is. */
static bool is_known(struct walk *w, bool signal)
{
	const struct unwind_input *in = w->in;

	w->known_from = UINT64_MAX;
	w->frames->joined = !signal && !w->elsewhere && !w->regs.unsaved &&
			    in->known(in->known_context, &w->regs);
	return w->frames->joined;
}

static enum unwind_end walk(struct walk *w)
{
	const struct near_map *code = walk_find_code(w, w->regs.pc), *next;
	struct unwind_frame *frame = walk_add_frame(w, w->regs.pc, false);
	enum unwind_end end;
	bool signal = false;

	if (!code)
		return UNWIND_END_NO_RULE;
	w->code = code;
	for (;;) {
		end = step(w, code, frame, &signal);
		if (end != UNWIND_END_COUNT)
			return last_end(code, frame, end);
		next = walk_find_code(w, w->regs.pc - !signal);
		if (!next)
			return last_end(code, frame, UNWIND_END_BAD_MEMORY);
		if (w->regs.reg[w->in->arch->sp] >= w->known_from && is_known(w, signal))
			return UNWIND_END_ROOT;
		if (w->frames->v.len == UNWIND_MAX_FRAMES)
			return UNWIND_END_DEPTH;
		frame = walk_add_frame(w, w->regs.pc, !signal);
		w->code = code = next;
	}
}

/* Whether words beyond the copy, or earlier stacks, may still show the way to the root. */
static bool may_go_on(enum unwind_end end)
{
	return end == UNWIND_END_TRUNCATED || end == UNWIND_END_NO_REGISTER;
}

void unwind_stack(struct unwinder *u, const struct unwind_input *in,
		  struct unwind_frames *frames)
{
	struct walk w;

	walk_begin(&w, u, in, frames);
	frames->end = walk(&w);
	if (!may_go_on(frames->end))
		unwind_frames_drop_doubtful(frames);
	u->stats.frames += frames->v.len;
}
