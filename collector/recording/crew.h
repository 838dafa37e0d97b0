/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that do one thing at a time together, each its share.  The caller is one of them;
 * the others sleep in between, and have the caller's scheduling policy.
 */
#ifndef CREW_H
#define CREW_H

#include <stddef.h>
#include <stdint.h>

struct crew;

/* What MEMBER, from 0 (the caller) on, does of it. */
typedef void crew_fn(void *ctx, size_t member);

/* MEMBERS with the caller; fewer if the system has no more threads. */
struct crew *crew_start(size_t members);

size_t crew_members(const struct crew *crew);

/*
 * Returns when all have done their share.  A member that runs out of memory does the rest of
 * it no more, nor any later share.
 */
void crew_do(struct crew *crew, crew_fn *fn, void *ctx);

/* CPU time spent in shares so far. */
struct crew_times {
	uint64_t longest_ns; /* the sum of each time's longest share */
	uint64_t caller_ns;
};

struct crew_times crew_times(const struct crew *crew);

/* NULL is allowed. */
void crew_end(struct crew *crew);

#endif
