/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holes in stacks, and their mending.
 *
 * A function with a large array of which it uses a part leaves pages of the stack that
 * nobody ever touched.  The kernel copies stacks where it may not wait for a page, so
 * that a copy ends at the first of them, and all callers that lie above are out of its
 * reach, in every sample.  Once somebody has read them (hole_read.h), later copies go on.
 *
 * What is read serves no stack: until then the thread has gone on, and nothing would tell
 * whether it is the stack of the sample.  That one stays cut.
 *
 * A thread of its own reads, since that may wait.  It rests STACK_HOLES_REST times as long as
 * it has worked, and each page of a process is asked for once: when it is seen for the
 * second time.  A process that lives for a millisecond has a stack that is still being
 * mapped, and is gone before anybody has looked.
 */
#ifndef STACK_HOLES_H
#define STACK_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/record.h"

enum { STACK_HOLES_REST = 20, STACK_HOLES_KNOWN = 256 };

/* A page of a process, where the copy of a stack ended too early. */
struct hole {
	uint64_t pid, sp, page;
};

struct hole_known {
	uint64_t pid, page;
	bool asked;
};

struct stack_holes {
	const char *root; /* before /proc; borrowed, as long as the program runs */
	size_t page;      /* size of one, a power of two */
	int requests;     /* to the thread, which ends when it is closed; -1: none yet */
	bool unable;      /* there can be no thread */
	uint64_t count;   /* pages that were asked for */
	struct hole_known known[STACK_HOLES_KNOWN];
};

/* For a machine with pages of PAGE bytes. */
void stack_holes_init(struct stack_holes *h, const char *root, size_t page);
void stack_holes_release(struct stack_holes *h);

/*
 * The page at which the copy of S, whose stack pointer was SP, ended before it was full;
 * 0: it did not end at a page.  A sample that was taken IN_KERNEL, with nothing of its
 * stack copied, is in the page fault that maps it, or its memory is gone: that is no
 * hole.
 */
uint64_t stack_holes_find(const struct stack_holes *h, const struct record_sample *s,
			  uint64_t sp, bool in_kernel);

/*
 * The stack of S, a sample of PID, was not followed to its root: has the hole mended, if
 * it has one that was seen before.  True where this call asked for it.
 */
bool stack_holes_mend(struct stack_holes *h, const struct record_sample *s, uint32_t pid,
		      uint64_t sp, bool in_kernel);

#endif
