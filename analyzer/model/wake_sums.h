/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits by who ended them (collect -w wakers): by state and place of the wait, and the
 * waker's name and place (wait_place.h).  Which are set aside as idle is as in wait_sums.h.
 */
#ifndef WAKE_SUMS_H
#define WAKE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"
#include "model/wait_sums.h"
#include "model/wakers.h"

/* Threads wait for a CPU until there is one: nobody ends that. */
#define WAKE_STATES (WAIT_STATES & ~(1U << EXP_STATE_WAIT))

/* Rows, the first that there are; further waits are in none. */
enum { WAKE_ROWS_MAX = 1 << 17 };

struct wake_row {
	enum exp_state state;
	uint32_t place; /* of the wait, a function */
	uint32_t waker; /* row in wakers */
	uint64_t sum_ns, waits, longest_ns;
};

struct wake_sums {
	struct wait_sums waits; /* of all */
	VEC(struct wake_row) rows;
	struct wakers wakers;
	uint64_t unknown_ns,
		unknown_waits;  /* not idle, and nobody knows who ended them; */
	uint64_t unasked_waits; /* … of recordings that have no wakers at all */
	uint64_t beyond_ns, beyond_waits; /* of WAKE_ROWS_MAX */
	struct idmap waiting, ids;        /* until they are sorted */
};

/* Whether who ended waits was recorded; older recordings that know of none do not say so. */
bool source_has_wakers(const struct source *source);

/* ALL and FRAMES as for wait_sums_read.  Overwrites OUT, which the caller releases. */
void wake_sums_read(struct wake_sums *out, const struct model *model,
		    const struct frame_map *frames, bool all);

/* Rows with most first. */
void wake_sums_sort(struct wake_sums *sums);

void wake_sums_release(struct wake_sums *sums);

#endif
