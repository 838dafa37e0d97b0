/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completing a stack whose copy ended too early from the same thread's last complete one.
 *
 * Samples of a thread are milliseconds apart, and the root side of a deep stack seldom
 * changes between two.  Where the truncated stack's last two frames lie one after the
 * other in the remembered chain, each with the same address and the same CFA, what that
 * chain has above them is appended.  (A stack of one frame needs that one alone.)
 *
 * Every frame that is appended was unwound from memory in an earlier sample of this
 * thread, and is in its right place on the stack.  What remains possible: between the two
 * samples the thread returned out of the matched frames and came back into them, from the
 * same return addresses at the same depth, through another caller further up whose
 * frames add up to the same sizes.  Then the callers above the match are those of before.
 * Nothing that a sample carries can tell the two apart; SPLICE_MAX_AGE_NS bounds how old
 * the evidence may be.
 */
#ifndef SPLICE_H
#define SPLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind.h"

#define SPLICE_MAX_AGE_NS UINT64_C(1000000000)

/* One thread's memory.  All-zero is an empty one. */
struct splice {
	VEC(struct unwind_frame) chain; /* leaf first, complete */
	uint64_t time_ns;		/* when it was unwound, not when it was spliced */
};

void splice_release(struct splice *s);

/* Forgets: the thread's address space was replaced (exec). */
void splice_clear(struct splice *s);

/*
 * Takes note of FRAMES, sampled at TIME_NS, where they are complete; completes them from
 * the chain noted before where they are truncated.  True where it completed them: their
 * end is then UNWIND_END_ROOT, and spliced is set.
 */
bool splice_apply(struct splice *s, struct unwind_frames *frames, uint64_t time_ns);

#endif
