/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF expressions in call frame information, and the copied stack that they read. */
#ifndef CFI_EXPR_H
#define CFI_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "unwind/cfi.h"
#include "unwind/regs.h"

/* The word at ADDRESS, outside the copy; false if it is unknown. */
typedef bool stack_beyond(void *context, uint64_t address, uint64_t *word);

/* The known memory of the process: LEN bytes from START on, and some more words. */
struct stack_copy {
	const unsigned char *bytes;
	size_t len;
	uint64_t start;
	stack_beyond *beyond; /* NULL: nothing else is known */
	void *context;
};

/* The word at ADDRESS; false if it is unknown. */
static inline bool stack_word(const struct stack_copy *stack, uint64_t address,
			      uint64_t *word)
{
	uint64_t at = address - stack->start;

	if (__builtin_expect(
		    stack->len < sizeof(*word) || at > stack->len - sizeof(*word), 0))
		return stack->beyond && stack->beyond(stack->context, address, word);
	memcpy(word, stack->bytes + at, sizeof(*word));
	return true;
}

enum cfi_status {
	CFI_OK,
	CFI_LOST,    /* needs an unknown register, or is damaged */
	CFI_OUTSIDE, /* needs memory that was not copied; its address is given */
};

/*
 * The value of PLACE's expression for a frame with REGS.  WITH_CFA: the expression's
 * stack starts with CFA, as for registers but not for the CFA itself.
 */
enum cfi_status cfi_expr_eval(const struct cfi_place *place,
			      const struct unwind_arch *arch,
			      const struct unwind_regs *regs,
			      const struct stack_copy *stack, bool with_cfa, uint64_t cfa,
			      uint64_t *value);

/* Expressions that are "register + offset", with a DEREF behind it or not. */
bool cfi_expr_is_breg(const struct cfi_place *place, uint8_t *reg, int64_t *offset,
		      bool *deref);

/*
 * The one that x86-64 linkers write for PLTs: rsp + 8 + (rip % 16 >= THRESHOLD) * 8.
 */
bool cfi_expr_is_plt(const struct cfi_place *place, uint8_t *threshold);

#endif
