/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How to get from a frame to its caller, for one range of code: a value of 16 bytes.
 *
 * The canonical frame address (CFA) is the caller's stack pointer.  It is computed from a
 * register, and the return address and the callee-saved registers lie at distances from
 * it.  Distances are in words of 8 bytes; 0 means that the register is unchanged.
 * Anything else is a RULE_SLOW: the call frame information is run again each time.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include <stdint.h>

#include "unwind/cfi.h"
#include "unwind/regs.h"

enum unwind_rule_kind {
	RULE_NONE,     /* no call frame information here */
	RULE_ROOT,     /* no caller: the return address is undefined */
	RULE_REG,      /* CFA = reg + offset */
	RULE_MEM,      /* CFA = *(reg + offset): a realigned stack */
	RULE_PLT,      /* CFA = sp + 8, or + 16 if pc % 16 >= offset (x86-64 linkers) */
	RULE_SIGFRAME, /* the kernel's signal frame lies at sp; all registers are in it */
	RULE_SLOW,
	RULE_ELSEWHERE, /* its caller is on another stack */
};

#define RULE_SIGNAL      1 /* its caller was interrupted: the address is no return address */
#define RULE_SAVED_BY_FP 2  /* fp and saved lie at distances from fp, not from the CFA */
#define RULE_UNCALLED    4  /* calls nothing: a return address in it is its beginning */
#define RULE_CLONE       8  /* behind clone: a task that got 0 has no caller */
#define RULE_SCANNED     16 /* from scan.h: valid if it leads behind a call */
#define RULE_FOREVER     32 /* behind a call that never returns: the code ends there */

struct unwind_rule {
	int32_t cfa_offset; /* bytes */
	uint8_t kind;
	uint8_t cfa_reg;
	uint8_t flags;
	int8_t saved[UNWIND_SAVED]; /* arch->saved, from fp's place (from the CFA if fp is
				       0) */
	int16_t ra, fp;             /* from the CFA; ra 0: it is in the ra register */
};

_Static_assert(sizeof(struct unwind_rule) == 16, "two cache entries fill a cache line");

/* The rule equivalent to ROW. */
struct unwind_rule unwind_rule_of(const struct cfi_row *row,
				  const struct unwind_arch *arch);

#endif
