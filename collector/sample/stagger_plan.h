/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws first periods for tasks that may end within a whole one, and weighs their
 * samples.
 *
 * Each task draws a period p at random, between `least` and the event's own period P, and
 * is sampled at p, 2p, 3p… of its CPU time.  A sample at the position t = kp has the
 * weight p / C(t).  C(t) is how often all possible draws cover t on average: the sum over
 * k of (t/k²) f(t/k), for the density f of the draws.  So each instant beyond `least` has
 * weight 1 on average, however early it is in a task's life and however long the task
 * lives.  After some periods C is nearly 1 and the weight is p.
 *
 * f is flat from P/8 on and falls to zero below.  A period lasts as long as its task, so
 * a flat density would give too many tasks very short periods.
 */
#ifndef STAGGER_PLAN_H
#define STAGGER_PLAN_H

#include <stdint.h>

struct stagger_plan {
	double period; /* P, in nanoseconds; 0: this event has no random periods */
	double least;
	double height; /* of the density's flat part */
};

/*
 * For an event with PERIOD, if the kernel takes at most MAX_RATE samples a second and
 * CPU. The plan's period is 0 if PERIOD is too short to divide.
 */
struct stagger_plan stagger_plan_make(uint64_t period, uint64_t max_rate);

/* The period for U, drawn evenly from [0, 1). */
uint64_t stagger_plan_period(const struct stagger_plan *plan, double u);

/*
 * The weight of a sample taken with PERIOD after its task had run for POSITION_NS; the
 * timer may have been late.
 */
uint64_t stagger_plan_weight(const struct stagger_plan *plan, uint64_t period,
			     uint64_t position_ns);

#endif
