/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completing a stack whose copy ended too early from the same thread's stack of before.
 *
 * The root side of a deep stack seldom changes between two samples of a thread.  Where
 * the truncated stack's last two frames lie one after the other in the remembered chain,
 * each with the same address and the same CFA, what that chain has above them is
 * appended.  (A stack of one frame needs that one alone.)  The completed stack is then
 * the one to remember, so that a recursion can go deeper step by step.
 *
 * Every frame that is appended was unwound from memory in an earlier sample of this
 * thread, and at its place on the stack.  What remains possible: between the two samples
 * the thread returned out of the matched frames and came back into them, from the same
 * return addresses at the same depth, through another caller further up whose frames add
 * up to the same sizes.  Then the callers above the match are those of before.  Nothing
 * that a sample carries can tell the two apart; hence frames are marked as spliced, and
 * splicing can be switched off.
 */
#ifndef SPLICE_H
#define SPLICE_H

#include <stdbool.h>

#include "unwind.h"

/* One thread's memory.  All-zero is an empty one. */
struct splice {
	VEC(struct unwind_frame) chain; /* leaf first, complete */
};

void splice_release(struct splice *s);

/* Forgets: the thread's address space was replaced (exec). */
void splice_clear(struct splice *s);

/*
 * The next sample of the thread: completes FRAMES where they are truncated and fit, and
 * takes note of them where they are, or now are, complete.  True where it completed
 * them: their end is then UNWIND_END_ROOT, and spliced is set.
 */
bool splice_apply(struct splice *s, struct unwind_frames *frames);

#endif
