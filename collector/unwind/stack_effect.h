/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effect of x86-64 instructions on the stack pointer, and where they restore the
 * registers that a rule has.  For scan.c and prove.c, which follow ways through code.
 */
#ifndef UNWIND_STACK_EFFECT_H
#define UNWIND_STACK_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/x86_insn.h"
#include "unwind/rule.h"

/* The hardware's numbers. */
enum { HW_RAX, HW_RBX = 3, HW_RSP, HW_RBP, HW_R12 = 12, HW_R13, HW_R14, HW_R15 };

#define EFFECT_REGS    (1 + UNWIND_SAVED)
#define EFFECT_UNSAVED INT64_MIN

/* A rule's registers by the hardware's numbers: fp, then arch->saved. */
extern const uint8_t effect_regs[EFFECT_REGS];

/* A stack address: a distance from the initial value of one of two registers. */
struct effect_place {
	bool by_fp; /* else by sp */
	int64_t at;
};

/* The state at one instruction of one way through the code. */
struct effect {
	struct effect_place sp;
	bool fp_set; /* fp was set to FP on the way */
	struct effect_place fp;
	int64_t slots[EFFECT_REGS]; /* of effect_regs, based as sp; or EFFECT_UNSAVED */
};

void effect_begin(struct effect *e);

/* Where fp leads to now. */
struct effect_place effect_fp(const struct effect *e);

/* Follows INSN, no branch or return; false if the stack pointer is then unknown. */
bool effect_of(struct effect *e, const struct x86_insn *insn);

bool insn_is_return(const struct x86_insn *insn);
bool insn_is_conditional(const struct x86_insn *insn);
bool insn_is_jump(const struct x86_insn *insn); /* to a known place */

/* hlt, ud2, int3: the code behind is never reached. */
bool insn_is_stop(const struct x86_insn *insn);

/*
 * The rule at the beginning of a way that returns in state E and drops that many bytes
 * (up to 65535) of arguments; registers that were not restored are unchanged.  False if
 * there is none for it.
 */
bool effect_rule(const struct effect *e, int64_t dropped, struct unwind_rule *rule);

#endif
