/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampling interval of one event, varied while it runs.
 *
 * Sampling in step with a program's loop would always hit the same places.  So a new
 * interval is drawn from time to time: 2 to 4.4 % shorter or longer than the nominal one,
 * never equal to it.  Between two changes samples drift at least twice through a period
 * equal to the nominal interval, and more often through its fractions.
 *
 * A change restarts the interval, so half an interval on average passes unsampled.  The
 * next samples share its weight: the sum of all weights agrees with the count.  So do the
 * first samples of an event that replaces another.
 *
 * Up to Linux 6.18 samples of the kernel's clocks report the interval at opening,
 * whatever it is now.  Events that a new task inherits keep the current interval, and
 * their samples report it.
 */
#ifndef PACE_H
#define PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_SAMPLES = 100 }; /* the least number between two changes */

struct pace {
	uint64_t nominal; /* set at opening; 0: its interval is fixed */
	uint64_t before, now;
	uint64_t since_ns; /* when NOW began */
	uint64_t owed;     /* extra weight of each of the first samples */
	uint32_t samples;  /* since then */
};

/* An interval for the NOMINAL one, from 64 random bits. */
uint64_t pace_draw(uint64_t nominal, uint64_t random);

/* Sets INTERVAL from NOW_NS on.  RUNNING: this interrupts an interval. */
void pace_change(struct pace *pace, uint64_t interval, uint64_t now_ns, bool running);

/*
 * FROM's event ends after it counted COUNTED, and TO's replaces it: TO also owes what FROM
 * has not sampled.
 */
void pace_hand_over(struct pace *from, uint64_t counted, struct pace *to);

/* Whether there were enough samples for a change. */
bool pace_is_due(const struct pace *pace);

/*
 * The weight of a sample taken at TIME_NS that reports INTERVAL.  OWN: of the event
 * itself, not of an inherited one.
 */
uint64_t pace_weight(struct pace *pace, uint64_t time_ns, uint64_t interval, bool own);

#endif
