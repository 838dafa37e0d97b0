/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step: from a frame's registers to its caller's.
 *
 * On STEP_OK *REGS are the caller's: its pc, its stack pointer, and the known others.
 * Otherwise their content is undefined.  *CFA is set if it was computed, even if the step
 * then failed, and is 0 otherwise.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "unwind/cfi_expr.h"
#include "unwind/rule.h"

enum step {
	STEP_OK,
	STEP_OUTSIDE, /* needs memory beyond the copy; *OUTSIDE is its address */
	STEP_LOST,    /* needs an unknown register */
};

struct step_result {
	uint64_t cfa;
	uint64_t outside;
	/*
	 * a hash of the saved registers that were read and are no stack addresses; 0:
	 * none
	 */
	uint32_t saved;
};

/* By a rule other than RULE_NONE, RULE_ROOT, RULE_SLOW and RULE_ELSEWHERE. */
enum step step_by_rule(const struct unwind_arch *arch, const struct unwind_rule *rule,
		       const struct stack_copy *stack, struct unwind_regs *regs,
		       struct step_result *result);

/* By any row. */
enum step step_by_row(const struct unwind_arch *arch, const struct cfi_row *row,
		      const struct stack_copy *stack, struct unwind_regs *regs,
		      struct step_result *result);

/*
 * By the frame pointer, for code without call frame information.  Refuses an implausible
 * frame: fp below the stack pointer or not aligned.
 */
enum step step_by_fp(const struct unwind_arch *arch, const struct stack_copy *stack,
		     struct unwind_regs *regs, struct step_result *result);

#endif
