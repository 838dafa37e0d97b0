/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/stagger_plan.h"

#include <math.h>

enum {
	LEAST_MIN_NS = 20000, /* the kernel's timers take no less than 10 µs */
	LEAST_MAX_NS = 50000, /* a program needs some 300 µs to start */
	LEAST_OF_PERIOD = 50,
	LEAST_OF_RATE = 2, /* the kernel throttles at its highest rate */
	DIVISIBLE = 2,     /* a period is at least so many of the least */
	EXACT_TERMS = 24,
	SETTLED_PERIODS = 8, /* from there on C is assumed to be 1 */
};

/* Below that share of the period the density falls. */
#define KNEE 0.125

static double knee_of(const struct stagger_plan *plan)
{
	double knee = KNEE * plan->period;

	return knee > plan->least ? knee : plan->least;
}

struct stagger_plan stagger_plan_make(uint64_t period, uint64_t max_rate)
{
	struct stagger_plan plan = { .period = (double)period };
	double knee;

	plan.least = fmin(fmax(plan.period / LEAST_OF_PERIOD, LEAST_MIN_NS),
			  LEAST_MAX_NS);
	if (max_rate)
		plan.least = fmax(plan.least, LEAST_OF_RATE * 1e9 / (double)max_rate);
	if (plan.period < DIVISIBLE * plan.least)
		return (struct stagger_plan){ 0 };
	knee = knee_of(&plan);
	plan.height = 1 / (plan.period - knee +
			   (knee * knee - plan.least * plan.least) / (2 * knee));
	return plan;
}

/* The density of periods at P. */
static double density(const struct stagger_plan *plan, double p)
{
	double knee = knee_of(plan);

	if (p < plan->least || p >= plan->period)
		return 0;
	return p < knee ? plan->height * p / knee : plan->height;
}

/* The inverse of the distribution: a parabola up to the knee, a line from there. */
uint64_t stagger_plan_period(const struct stagger_plan *plan, double u)
{
	double knee = knee_of(plan), least = plan->least;
	double below = plan->height * (knee * knee - least * least) / (2 * knee);

	if (u < below)
		return (uint64_t)sqrt(least * least + u * 2 * knee / plan->height);
	return (uint64_t)(knee + (u - below) / plan->height);
}

/*
 * The part of C from K on to the least period, where the density falls: its terms fall
 * with k³, and an integral stands for their sum.
 */
static double tail(const struct stagger_plan *plan, double t, double k)
{
	double from = k - 0.5, to = floor(t / plan->least) + 0.5;

	if (to <= from)
		return 0;
	return plan->height / knee_of(plan) * t * t / 2 *
	       (1 / (from * from) - 1 / (to * to));
}

/* C of the header. */
static double coverage(const struct stagger_plan *plan, double t)
{
	double knee = knee_of(plan), sum = 0, k = floor(t / plan->period) + 1;

	for (; t / k >= knee || (k < EXACT_TERMS && t / k >= plan->least); k++)
		sum += t / (k * k) * density(plan, t / k);
	return sum + tail(plan, t, k);
}

uint64_t stagger_plan_weight(const struct stagger_plan *plan, uint64_t period,
			     uint64_t position_ns)
{
	uint64_t times = period ? position_ns / period : 0;
	double t = (double)period * (double)(times ? times : 1), c;

	if (t >= SETTLED_PERIODS * plan->period)
		return period;
	/* a draw is truncated to whole nanoseconds, perhaps slightly below the least */
	c = coverage(plan, fmax(t, plan->least));
	return c > 0 ? (uint64_t)((double)period / c) : period;
}
