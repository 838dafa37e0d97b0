/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The weights of a group's members at a sample: the growth of each counter since it was
 * last seen.  An id identifies a counter; if events are inherited, each thread has its
 * own under the same id.
 */
#ifndef GROUP_COUNTS_H
#define GROUP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "sample/record.h"
#include "base/vec.h"

struct group_count {
	uint64_t id, value;
	uint32_t next; /* index + 1: another of the same thread, or unused; 0: none */
};

/* The last values of counters; all-zero is empty. */
struct group_counts {
	struct idmap ids;     /* (id, thread) → index in last */
	struct idmap threads; /* … of the first of its counters */
	VEC(struct group_count) last;
	uint32_t unused; /* index + 1 */
};

void group_counts_release(struct group_counts *c);

/* A counter that grew, by WEIGHT. */
typedef void group_counts_fn(void *ctx, uint64_t id, uint64_t weight);

/*
 * COUNTS are from a sample of OWN in thread TID (0: of all threads).  NAMED: each count
 * is followed by its id; else there is only OWN's.
 */
void group_counts_take(struct group_counts *c, const struct record_counts *counts,
		       bool named, uint64_t own, uint32_t tid, group_counts_fn *take,
		       void *ctx);

/*
 * The thread TID has ended: its counters are forgotten.  The kernel calls a thread outside
 * our pid namespace 0, under which the counters of all threads go on.
 */
void group_counts_end(struct group_counts *c, uint32_t tid);

/* The thread FROM, with its counters, has the number TO now. */
void group_counts_move(struct group_counts *c, uint32_t from, uint32_t to);

#endif
