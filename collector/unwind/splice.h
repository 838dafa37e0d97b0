/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completes a truncated stack from earlier stacks of the same thread.
 *
 * Samples of a thread often share the root side of a deep stack.  If the truncated
 * stack's last frame lies in a remembered chain with the same address and CFA, and so do
 * the frames below it, with the same saved registers, down to one that saved some, the
 * chain's frames above the match are appended.  A frame's saved registers are its
 * caller's: they hold the objects and counters that it works on, and so distinguish calls
 * with equal addresses and sizes.  Pointers into the stack, such as frame pointers, are
 * equal then too and do not count.  (Without registers, 8 of 266 completed stacks of a
 * program that evaluates trees were wrong; with them none of 5,873.)
 *
 * Every appended frame was unwound from memory in an earlier sample of this thread, at
 * its place on the stack.  One error remains possible: the thread left the matched frames
 * and came back, at the same depth and with the same saved registers, through other
 * callers further up.  Then the stack shows the earlier callers.  No data in a sample
 * reveals this, so frames are marked as spliced, and splicing can be switched off.
 *
 * Also completed is a stack that ends at a frame which needs a register that the kernel
 * had not saved (UNWIND_END_NO_REGISTER).  That frame's CFA is unknown: its address must
 * agree, and the CFA of the frame below it, which is where it begins.
 */
#ifndef SPLICE_H
#define SPLICE_H

#include <stdbool.h>

#include "unwind/frames.h"

/* A search compares all of them, which takes some µs for deep stacks. */
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

/* The memory that it allocates. */
size_t splice_bytes(const struct splice *s);

/* Forgets: the thread's address space was replaced (exec). */
void splice_clear(struct splice *s);

/*
 * For the next sample of the thread: completes FRAMES if they are truncated and match,
 * and remembers them if they are, or now are, complete.  True if it completed them: their
 * end is then UNWIND_END_ROOT, and spliced is set.
 */
bool splice_apply(struct splice *s, struct unwind_frames *frames);

/* The same of COUNT frames that are complete. */
void splice_remember(struct splice *s, const struct unwind_frame *frames, size_t count);

#endif
