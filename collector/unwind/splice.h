/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completing a stack whose copy ended too early from stacks of the same thread before.
 *
 * The root side of a deep stack is often one that an earlier sample of the thread had.
 * Where the truncated stack's last frame lies in a remembered chain, with the same
 * address and the same CFA, and so do the frames below it, with the same saved registers,
 * down to one that did save some, what that chain has above the match is appended.  A
 * frame's saved registers are its caller's: they hold the objects and counters that it
 * works on, and so tell one call from another where addresses and sizes are alike; what
 * points into the stack, as frame pointers do, is alike then too, and does not count.
 * (Without them, 8 of 266 completed stacks of a program that evaluates trees were wrong;
 * with them none of 5,873.)
 *
 * Every frame that is appended was unwound from memory in an earlier sample of this
 * thread, and at its place on the stack.  What remains possible: the thread left the
 * matched frames and came back into them, at the same depth and with the same registers
 * saved, through other callers further up.  Then those callers are the earlier ones.
 * Nothing that a sample carries can tell the two apart; hence frames are marked as
 * spliced, and splicing can be switched off.
 */
#ifndef SPLICE_H
#define SPLICE_H

#include <stdbool.h>

#include "unwind/unwind.h"

/* A search looks at all of them, which is some µs for deep stacks. */
#define SPLICE_CHAINS 16

struct splice_chain {
	VEC(struct unwind_frame) v; /* leaf first, complete */
};

/* One thread's memory: its last complete stacks.  All-zero is an empty one. */
struct splice {
	struct splice_chain chains[SPLICE_CHAINS];
	unsigned int newest;
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
