/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the CPU's ticks (channel/ticks.h) to CLOCK_MONOTONIC, whose rate the kernel changes
 * a little all the time: by pairs of both, read at once.  Between two pairs, and before the
 * first and behind the last, it is linear.  Pairs 20 ms apart are some tens of nanoseconds
 * off: as far as the two readings of a pair lie apart, and by the change of the rate.
 */
#ifndef TICK_CLOCK_H
#define TICK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* How many pairs are kept: what is read later than that is a little less exact. */
enum { TICK_PAIRS = 1024 };

struct tick_pair {
	uint64_t ticks, ns;
};

/* All zero: there is no such clock. */
struct tick_clock {
	struct tick_pair pairs[TICK_PAIRS]; /* a ring */
	uint64_t count;                     /* of all that were added */
};

/* Whether the kernel's clocks are made of ticks here.  ROOT precedes /sys. */
bool tick_clock_is_here(const char *root);

/* Reads both clocks now. */
void tick_clock_read(struct tick_clock *clock);

/* Both in the order of their time; one that does not come later is left out. */
void tick_clock_add(struct tick_clock *clock, const struct tick_pair *pair);

/* The time of TICKS; two pairs at least have been added. */
uint64_t tick_clock_ns(const struct tick_clock *clock, uint64_t ticks);

#endif
