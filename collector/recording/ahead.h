/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in batches, whose stacks several threads look up at once (stack/ahead.h).  Then each
 * record is taken in its turn, by the caller alone, so all else of a recording needs no locks.
 *
 *	rings ─merge→ a batch ─┬─ reader 0 ─┬─→ its records, one by one
 *	                       ├─ reader 1 ─┤
 *	                       └─ …         ┘
 *
 * A record that changes a process's mappings is applied in its turn: the process's samples
 * behind it, in the same batch, are not looked at ahead.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include <stddef.h>

#include "recording/crew.h"
#include "recording/recording.h"

/* The most records of a batch: some milliseconds, as waking seven threads takes 80 µs. */
enum { AHEAD_BATCH = 4096 };

struct ahead;

/* Whether stacks of that mode take looking up. */
static inline bool ahead_is_possible(enum stack_mode mode)
{
	return mode == STACK_CFI || mode == STACK_FP;
}

/* READERS, fewer if the system has no more threads.  REC is borrowed, and outlives it. */
struct ahead *ahead_new(struct recording *rec, size_t readers);
void ahead_free(struct ahead *ahead); /* NULL is allowed */

/* A merge_fn, and a merge_settle_fn: CTX is the ahead.  Bytes are valid until settled. */
void ahead_take(void *ctx, const void *bytes, size_t len);
void ahead_settle(void *ctx);

struct ahead_stats {
	size_t readers;
	uint64_t looked_at; /* samples, by readers; */
	uint64_t found;     /* … and their stacks found */
	struct crew_times times;
};

struct ahead_stats ahead_stats(const struct ahead *ahead);

#endif
