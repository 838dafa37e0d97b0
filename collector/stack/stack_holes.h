/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds holes in stacks and has them read.
 *
 * A function that uses only a part of a large array leaves untouched pages in the stack.
 * The kernel copies stacks without waiting for a page, so a copy ends at the first of
 * them, and all callers above are missing, in every sample.  Once somebody has read them
 * (hole_read.h), later copies continue.
 *
 * The bytes read complete no stack: the thread has run on meanwhile, and nothing proves
 * that they belong to the sample.  That one stays cut.
 *
 * A thread of its own reads, since reading may wait.  It rests STACK_HOLES_REST times as
 * long as it has worked, and each page of a process is requested once: when a copy ends
 * there for the second time.  The stack of a process that lives for a millisecond is
 * still being mapped, and it ends before a read.
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
	const char *root; /* precedes /proc; borrowed, as long as the program runs */
	size_t page;      /* size of one, a power of two */
	int requests;   /* to the thread, which ends when this is closed; -1: none yet */
	bool unable;    /* there can be no thread */
	uint64_t count; /* pages requested */
	struct hole_known known[STACK_HOLES_KNOWN];
};

/* For a machine with pages of PAGE bytes. */
void stack_holes_init(struct stack_holes *h, const char *root, size_t page);
void stack_holes_release(struct stack_holes *h);

/*
 * The page at which the copy of S, whose stack pointer was SP, ended before it was full;
 * 0: it did not end at a page.  A sample without any stack copied that may be FAULTING,
 * in the page fault that maps it, has no hole.
 */
uint64_t stack_holes_find(const struct stack_holes *h, const struct record_sample *s,
			  uint64_t sp, bool faulting);

/*
 * The stack of S, a sample of PID, was not followed to its root: requests reading its
 * hole, if it has one that was seen before.  True if this call requested it.
 */
bool stack_holes_mend(struct stack_holes *h, const struct record_sample *s, uint32_t pid,
		      uint64_t sp, bool faulting);

#endif
