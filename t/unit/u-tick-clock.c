/* SPDX-License-Identifier: Apache-2.0 */
/* From ticks to nanoseconds: of a clock whose rate changes, and of hostile numbers. */
#include "region/tick_clock.h"

#include <stdlib.h>
#include <time.h>

#include "channel/ticks.h"
#include "random.h"
#include "tap.h"

enum { PAIRS = 3000, EVERY_NS = 20000000 };

/* Ticks of 2.6 GHz, whose rate wanders by up to 500 in a million. */
static void test_wandering(void)
{
	static struct tick_clock clock;
	static struct tick_pair truth[PAIRS];
	uint64_t random = RANDOM_SEED, ticks = UINT64_C(1) << 60, ns = 12345, worst = 0;

	for (int i = 0; i < PAIRS; i++) {
		truth[i] = (struct tick_pair){ ticks, ns };
		tick_clock_add(&clock, &truth[i]);
		ns += EVERY_NS;
		ticks += (uint64_t)EVERY_NS * 26 / 10 *
			 (999500 + random_below(&random, 1001)) / 1000000;
	}
	for (int i = PAIRS - TICK_PAIRS; i < PAIRS; i++)
		for (int part = 0; part < 8 && i + 1 < PAIRS; part++) {
			uint64_t step = (truth[i + 1].ticks - truth[i].ticks) / 8,
				 want = truth[i].ns + EVERY_NS / 8 * (uint64_t)part,
				 got = tick_clock_ns(
					 &clock, truth[i].ticks + step * (uint64_t)part),
				 off = got > want ? got - want : want - got;

			worst = off > worst ? off : worst;
		}
	ok(worst <= 4, "between two pairs it is %llu ns off", (unsigned long long)worst);
	ok(tick_clock_ns(&clock, truth[0].ticks) <
		   tick_clock_ns(&clock, truth[PAIRS - TICK_PAIRS].ticks),
	   "what is older than all pairs comes before");
	ok(tick_clock_ns(&clock, ticks + 1000000) > truth[PAIRS - 1].ns,
	   "what is newer comes after");
}

/* No number of a program's does harm. */
static void test_hostile(void)
{
	static struct tick_clock clock;
	uint64_t random = RANDOM_SEED, last = 0;
	unsigned back = 0;

	tick_clock_add(&clock, &(struct tick_pair){ 1000, 1000 });
	tick_clock_add(&clock, &(struct tick_pair){ 1000, 2000 });
	is_u64(clock.count, 1, "a pair of the same instant is left out");
	tick_clock_add(&clock, &(struct tick_pair){ 1001, UINT64_C(1) << 62 });
	for (int i = 0; i < 64; i++) {
		uint64_t ns = tick_clock_ns(&clock, UINT64_C(1) << i);

		back += ns < last || ns > INT64_MAX;
		last = ns;
	}
	for (int i = 0; i < 1000; i++)
		back += tick_clock_ns(&clock, random_next(&random)) > INT64_MAX;
	is_u64(back, 0, "the time of any number is a time, and later for larger ones");
}

#ifdef CHANNEL_CLOCKSOURCE
static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * Ticks that were read between two readings of the other clock lie between these.  A pair is
 * off only if all of five readings of 100 ns are interrupted: at 10,000 interrupts a second
 * once in 10^15.
 */
static void test_here(void)
{
	enum { SLACK_NS = 2000 };
	static struct tick_clock clock;
	uint64_t before[100], after[100], ticks[100];
	unsigned wrong = 0;

	tick_clock_read(&clock);
	for (int i = 0; i < 100; i++) {
		before[i] = now_ns();
		ticks[i] = channel_ticks();
		after[i] = now_ns();
		tick_clock_read(&clock);
	}
	for (int i = 0; i < 100; i++) {
		uint64_t ns = tick_clock_ns(&clock, ticks[i]);

		wrong += ns + SLACK_NS < before[i] || ns > after[i] + SLACK_NS;
	}
	is_u64(wrong, 0, "this machine's ticks have its times");
}
#else
static void test_here(void)
{
}
#endif

int main(void)
{
	test_wandering();
	test_hostile();
	if (tick_clock_is_here(""))
		test_here();
	else
		skip(1, "the kernel's clocks are not made of ticks here");
	ok(!tick_clock_is_here("/nowhere"),
	   "without the kernel's word there are no ticks");
	return done_testing();
}
