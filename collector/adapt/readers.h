/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Further threads that look up stacks (recording/ahead.h), once one has no time to spare: on a
 * machine of many CPUs.  Where there are few, they would take from the program what they give.
 */
#ifndef READERS_H
#define READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/ahead.h"
#include "sample/merge.h"

enum {
	READERS_MAX = 8,       /* as needed: one thread's part remains */
	READERS_CPUS_EACH = 4, /* for each reader as needed */
};

struct readers {
	struct recording *rec; /* borrowed */
	struct merge *merge;
	size_t most;
	struct ahead *ahead; /* NULL: one thread does all */
	uint64_t from_ns, from_used_ns;
	struct ahead_stats last; /* after the release */
};

/*
 * WANTED threads, or 0: as many as needed, on a machine with CPUS online, of those that we may
 * use.  REC and MERGE outlive it.
 */
void readers_init(struct readers *r, struct recording *rec, struct merge *merge,
		  size_t wanted, size_t cpus);
void readers_release(struct readers *r);

/* Takes all records older than UNTIL, less the merge's slack. */
void readers_take(struct readers *r, uint64_t until);

/* What they did, also after the release. */
struct ahead_stats readers_stats(const struct readers *r);

/* After a round, at NOW_NS. */
void readers_look(struct readers *r, uint64_t now_ns);

/* Whether this thread is busy for most of its time, having used USED_NS at NOW_NS. */
bool readers_are_needed(struct readers *r, uint64_t now_ns, uint64_t used_ns);

#endif
