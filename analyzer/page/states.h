/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The states of a page's threads over time: in which buckets each was alive and waited, and
 * for how long.  All of it is exact, of whole lives, whatever the filter.
 * share/page/FORMAT.md describes the columns.
 */
#ifndef PAGE_STATES_H
#define PAGE_STATES_H

#include "page/slots.h"

/* Kind 0 is the life of a thread, the others are the states that occur, in their order. */
struct page_states {
	VEC(enum exp_state)
	kinds; /* of the first: EXP_STATES; none: no states were recorded */
	uint32_t bucket_ticks;
	struct strbuf runs;            /* by thread and kind: their number */
	struct strbuf gap, length, ns; /* by run */
};

/*
 * With the shortest buckets that take about RUNS runs at most.  Overwrites OUT, which the
 * caller releases.
 */
void page_states_read(struct page_states *out, const struct page_times *times,
		      size_t runs);
void page_states_release(struct page_states *states);

#endif
