/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/step.h"

#define WORD 8
#define STACK_SPAN                                                                       \
	(8 << 20)     /* above a stack pointer: addresses within belong to the stack */
#define FRAME_ALIGN 8 /* of a frame record; the ABIs want 16, JIT compilers do not */

static inline uint64_t words(uint64_t base, int distance)
{
	return base + (uint64_t)((int64_t)distance * WORD);
}

/* Reads the word at ADDRESS, or notes that it is outside. */
static inline bool fetch(const struct stack_copy *stack, uint64_t address, uint64_t *word,
			 struct step_result *result)
{
	if (__builtin_expect(stack_word(stack, address, word), 1))
		return true;
	result->outside = address;
	return false;
}

/* Updates the registers for the frame's return to PC with the stack at SP. */
static inline void leave(const struct unwind_arch *arch, struct unwind_regs *regs,
			 uint64_t pc, uint64_t sp)
{
	regs->known &= arch->kept;
	regs->pc = pc & arch->address_mask;
	unwind_reg_set(regs, arch->sp, sp);
}

static inline enum step find_cfa(const struct unwind_rule *rule,
				 const struct stack_copy *stack,
				 const struct unwind_regs *regs,
				 struct step_result *result)
{
	uint64_t at = regs->reg[rule->cfa_reg];

	if (!unwind_reg_known(regs, rule->cfa_reg))
		return STEP_LOST;
	if (rule->kind == RULE_PLT)
		at += regs->pc % 16 >= (uint64_t)rule->cfa_offset ? 2 * WORD : WORD;
	else
		at += (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->kind == RULE_MEM && !fetch(stack, at, &at, result))
		return STEP_OUTSIDE;
	result->cfa = at;
	return STEP_OK;
}

/* Never 0, which means nothing was hashed. */
static inline uint32_t mix(uint32_t hash, uint64_t word)
{
	return (uint32_t)((hash + word) * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
}

/*
 * Register N, which the frame saved at ADDRESS.  An epilogue pops registers one by one,
 * which compilers do not describe: a slot below the frame's stack pointer SP was popped,
 * and the register already holds its caller's value.
 */
static inline bool restore(const struct stack_copy *stack, struct unwind_regs *regs,
			   uint64_t sp, unsigned int n, uint64_t address,
			   struct step_result *result)
{
	uint64_t word;

	if (__builtin_expect(address < sp, 0))
		return true;
	if (!fetch(stack, address, &word, result))
		return false;
	if (word - sp >= STACK_SPAN)
		result->saved = mix(result->saved, word);
	unwind_reg_set(regs, n, word);
	return true;
}

/* fp, and the other callee-saved registers relative to its place. */
static inline enum step restore_all(const struct unwind_arch *arch,
				    const struct unwind_rule *rule,
				    const struct stack_copy *stack,
				    struct unwind_regs *regs, struct step_result *result)
{
	bool by_fp = rule->flags & RULE_SAVED_BY_FP;
	uint64_t base = result->cfa, sp = regs->reg[arch->sp];

	if (by_fp && !unwind_reg_known(regs, arch->fp))
		return STEP_LOST;
	if (by_fp)
		base = regs->reg[arch->fp];
	base = words(base, rule->fp);
	if ((rule->fp || by_fp) && !restore(stack, regs, sp, arch->fp, base, result))
		return STEP_OUTSIDE;
	for (unsigned int i = 0; i < UNWIND_SAVED; i++)
		if (rule->saved[i] && !restore(stack, regs, sp, arch->saved[i],
					       words(base, rule->saved[i]), result))
			return STEP_OUTSIDE;
	return STEP_OK;
}

/* The kernel's signal frame has them all. */
static enum step step_by_sigframe(const struct unwind_arch *arch,
				  const struct stack_copy *stack,
				  struct unwind_regs *regs, struct step_result *result)
{
	uint64_t base = regs->reg[arch->sp], word;

	if (!unwind_reg_known(regs, arch->sp))
		return STEP_LOST;
	if (!fetch(stack, base + arch->sigframe_sp, &result->cfa, result) ||
	    !fetch(stack, base + arch->sigframe_pc, &regs->pc, result))
		return STEP_OUTSIDE;
	for (unsigned int n = 0; n < arch->nregs; n++) {
		if (!fetch(stack, base + arch->sigframe_reg[n], &word, result))
			return STEP_OUTSIDE;
		unwind_reg_set(regs, n, word);
	}
	return STEP_OK;
}

/*
 * The return address.  As in restore(): a slot below the stack pointer was popped into
 * its register.
 */
static inline enum step find_return(const struct unwind_arch *arch,
				    const struct unwind_rule *rule,
				    const struct stack_copy *stack,
				    const struct unwind_regs *regs,
				    struct step_result *result, uint64_t *pc)
{
	uint64_t at = words(result->cfa, rule->ra);
	bool popped = at < regs->reg[arch->sp] && unwind_reg_known(regs, arch->ra);

	if (rule->ra && !popped)
		return fetch(stack, at, pc, result) ? STEP_OK : STEP_OUTSIDE;
	*pc = regs->reg[arch->ra];
	return unwind_reg_known(regs, arch->ra) ? STEP_OK : STEP_LOST;
}

enum step step_by_rule(const struct unwind_arch *arch, const struct unwind_rule *rule,
		       const struct stack_copy *stack, struct unwind_regs *regs,
		       struct step_result *result)
{
	uint64_t pc;
	enum step status;

	*result = (struct step_result){ 0 };
	if (rule->kind == RULE_SIGFRAME)
		return step_by_sigframe(arch, stack, regs, result);
	status = find_cfa(rule, stack, regs, result);
	if (status != STEP_OK)
		return status;
	status = find_return(arch, rule, stack, regs, result, &pc);
	if (status != STEP_OK)
		return status;
	status = restore_all(arch, rule, stack, regs, result);
	if (status != STEP_OK)
		return status;
	leave(arch, regs, pc, result->cfa);
	return STEP_OK;
}

static enum step from_status(enum cfi_status status)
{
	return status == CFI_OK        ? STEP_OK
	       : status == CFI_OUTSIDE ? STEP_OUTSIDE
				       : STEP_LOST;
}

/* The value of the caller's register N; CALLEE: the registers in the frame. */
static enum step place_value(const struct cfi_place *place,
			     const struct unwind_arch *arch,
			     const struct stack_copy *stack,
			     const struct unwind_regs *callee, unsigned int n,
			     struct step_result *result, uint64_t *value)
{
	enum cfi_status status;
	uint64_t at = result->cfa;

	switch (place->how) {
	case CFI_OFFSET:
	case CFI_VAL_OFFSET:
		at += (uint64_t)place->number;
		break;
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		status = cfi_expr_eval(place, arch, callee, stack, true, result->cfa,
				       &at);
		if (status == CFI_OUTSIDE)
			result->outside = at;
		if (status != CFI_OK)
			return from_status(status);
		break;
	case CFI_UNDEFINED:
		return STEP_LOST;
	default:
		n = place->how == CFI_REGISTER ? place->reg : n;
		if (n >= arch->nregs || !unwind_reg_known(callee, n))
			return STEP_LOST;
		*value = callee->reg[n];
		return STEP_OK;
	}
	if (place->how == CFI_VAL_OFFSET || place->how == CFI_VAL_EXPR) {
		*value = at;
		return STEP_OK;
	}
	/* As in restore(): popped already. */
	if (at < callee->reg[arch->sp] && n < arch->nregs &&
	    unwind_reg_known(callee, n)) {
		*value = callee->reg[n];
		return STEP_OK;
	}
	return fetch(stack, at, value, result) ? STEP_OK : STEP_OUTSIDE;
}

static enum step row_cfa(const struct unwind_arch *arch, const struct cfi_row *row,
			 const struct stack_copy *stack, const struct unwind_regs *regs,
			 struct step_result *result)
{
	enum cfi_status status;
	uint64_t value;

	if (row->cfa.how == CFI_REGISTER) {
		if (!unwind_reg_known(regs, row->cfa.reg))
			return STEP_LOST;
		result->cfa = regs->reg[row->cfa.reg] + (uint64_t)row->cfa.number;
		return STEP_OK;
	}
	if (row->cfa.how != CFI_VAL_EXPR)
		return STEP_LOST;
	status = cfi_expr_eval(&row->cfa, arch, regs, stack, false, 0, &value);
	*(status == CFI_OUTSIDE ? &result->outside
				: &result->cfa) = status == CFI_LOST ? 0 : value;
	return from_status(status);
}

enum step step_by_row(const struct unwind_arch *arch, const struct cfi_row *row,
		      const struct stack_copy *stack, struct unwind_regs *regs,
		      struct step_result *result)
{
	const struct unwind_regs callee = *regs;
	uint64_t pc, sp, value;
	enum step status;

	*result = (struct step_result){ 0 };
	status = row_cfa(arch, row, stack, &callee, result);
	if (status != STEP_OK)
		return status;
	status = place_value(&row->reg[row->ra], arch, stack, &callee, row->ra, result,
			     &pc);
	if (status != STEP_OK)
		return status;
	sp = result->cfa;
	if (row->reg[arch->sp].how != CFI_UNSPECIFIED) {
		status = place_value(&row->reg[arch->sp], arch, stack, &callee, arch->sp,
				     result, &sp);
		if (status != STEP_OK)
			return status;
	}
	/* A signal's frame restores every register, a call those that it keeps. */
	if (!row->signal)
		regs->known &= arch->kept;
	for (unsigned int n = 0; n < arch->nregs; n++) {
		status = place_value(&row->reg[n], arch, stack, &callee, n, result,
				     &value);
		if (status == STEP_OUTSIDE)
			return status;
		if (status == STEP_LOST)
			regs->known &= ~(UINT64_C(1) << n);
		else if (row->reg[n].how != CFI_UNSPECIFIED)
			unwind_reg_set(regs, n, value);
	}
	regs->pc = pc & arch->address_mask;
	unwind_reg_set(regs, arch->sp, sp);
	return STEP_OK;
}

enum step step_by_fp(const struct unwind_arch *arch, const struct stack_copy *stack,
		     struct unwind_regs *regs, struct step_result *result)
{
	uint64_t at = regs->reg[arch->fp], fp, pc;

	*result = (struct step_result){ 0 };
	if (!unwind_reg_known(regs, arch->fp) || !unwind_reg_known(regs, arch->sp) ||
	    at < regs->reg[arch->sp] || at % FRAME_ALIGN)
		return STEP_LOST;
	if (!fetch(stack, at, &fp, result) || !fetch(stack, at + WORD, &pc, result))
		return STEP_OUTSIDE;
	result->cfa = at + 2 * WORD;
	unwind_reg_set(regs, arch->fp, fp);
	leave(arch, regs, pc, result->cfa);
	return STEP_OK;
}
