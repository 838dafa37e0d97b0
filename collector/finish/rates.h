/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock rates that convert cycles to seconds, measured in the run itself: cycles
 * divided by the time in which they were counted.
 *
 * A counter of only user code or only the kernel does not tick all that time, and one of
 * stalled cycles ticks in a part of it.  Their cycles are as long as all others of the
 * same clock, so one rate holds for all counters of a clock: from a counter that sees
 * everything, else from two that see everything together, else from one that sees a part
 * and that part's share of time.
 */
#ifndef RATES_H
#define RATES_H

#include <stddef.h>

#include "events/event.h"

enum level { LEVEL_USER = 1, LEVEL_KERNEL = 2, LEVEL_ALL = 3 };

/* Which code an event counts: by its privilege bits, or by definition (CPL_CYCLES). */
enum level event_level(const struct event *event);

struct rate_count {
	const struct event *event; /* borrowed */
	double count;
	double seconds; /* in which it counted, user and kernel; 0: unknown */
};

/*
 * Writes the rate of each of COUNTS, in Hz, to HZ; 0: it has none, or it is unknown.
 * USER_SHARE: of the CPU time, 0 … 1.
 */
void rates_find(const struct rate_count *counts, size_t len, double user_share,
		double *hz);

#endif
