/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proves the rule of x86-64 code from its bytes alone: code that a program made while it
 * ran has no call frame information, and nothing else to compare a guess with.
 *
 * All ways from the address are followed to their returns, through direct jumps and both
 * sides of branches.  A return that is reached without another call is evidence by itself:
 * compilers keep one depth of the stack for each instruction.  So all of these must agree,
 * and the rule is then proven.  Behind another call the code may belong to a different
 * function, as the call may never return.  If there are no other returns, and these agree,
 * the rule is doubtful: whoever uses it must find more evidence.  Anything that makes the
 * stack pointer unknown ends a way, as do jumps through registers and memory.
 *
 * A register that such code has overwritten, and not restored from the stack, is lost.
 */
#ifndef UNWIND_PROVE_H
#define UNWIND_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/rule.h"

struct unwind_made_rule {
	struct unwind_rule rule;
	uint64_t lost; /* bit N: the caller's register N is unknown */
	bool doubtful;
};

/* The bytes of code. */
struct prove_code {
	/* Copies up to LEN bytes at ADDRESS; returns their number. */
	size_t (*read)(void *context, uint64_t address, void *bytes, size_t len);
	/* The result depends on these LEN bytes. */
	void (*used)(void *context, uint64_t address, size_t len);
	void *context;
};

/*
 * The rule at ADDRESS, to which a call returns if IS_RETURN.  False if the bytes prove
 * none.
 */
bool unwind_prove(const struct prove_code *code, uint64_t address, bool is_return,
		  struct unwind_made_rule *out);

/* Whether a call ends at ADDRESS. */
bool unwind_prove_call(const struct prove_code *code, uint64_t address);

#endif
