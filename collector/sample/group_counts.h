/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the members of a group weigh at a sample: by how much each one's counter grew
 * since it was last seen.  A counter is known by its id; where events are inherited, each
 * thread has one of its own under the same id.
 */
#ifndef GROUP_COUNTS_H
#define GROUP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "sample/record.h"
#include "base/vec.h"

/* What counters were when they were last seen; all-zero is empty. */
struct group_counts {
	struct idmap ids;
	VEC(uint64_t) last;
};

void group_counts_release(struct group_counts *c);

/* A counter that grew, by WEIGHT. */
typedef void group_counts_fn(void *ctx, uint64_t id, uint64_t weight);

/*
 * COUNTS are of a sample of OWN in thread TID (0: of all threads).  NAMED: each count has
 * its id behind it; else there is one, which is OWN's.
 */
void group_counts_take(struct group_counts *c, const struct record_counts *counts,
		       bool named, uint64_t own, uint32_t tid, group_counts_fn *take,
		       void *ctx);

#endif
