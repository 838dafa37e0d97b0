/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks ahead of their turn, by several threads.
 *
 * Most stacks are of known functions, by known rules, and many are known themselves: to find
 * them takes only reading.  So while all else rests, readers look at the samples to come.
 * Then each sample has its turn, which takes what a reader found, if it still holds, and does
 * itself what none did: new rules, nodes and files; stacks that do not end in their copy.
 *
 * What a reader changes is its own.  The outcome is that of a recording without readers.
 */
#ifndef STACK_AHEAD_H
#define STACK_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "stack/builder.h"

/* What a reader found of a sample's stack. */
struct stack_ahead {
	const struct stack_builder *reader; /* NULL: nothing */
	enum exp_stack_end end;             /* of its user part, which was */
	bool copied;                        /* unwound, and then */
	uint64_t depth;                     /* took so many bytes of the copy */
	uint32_t node;                      /* the innermost known, */
	/* and the places below it, of its builder's rest: each part's first, and the end */
	uint32_t parts[STACK_PARTS + 1];
	uint32_t nparts;
	uint32_t first, count;  /* the user part's frames, of its builder's kept */
	uint32_t space, kernel; /* generations of the mappings */
};

#endif
