/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling intervals that vary, with a simulated clock: the weights of samples, and the
 * result for a program that repeats itself in step with the nominal interval.  The random
 * numbers are always the same.
 */
#include "sample/pace.h"

#include <math.h>

#include "random.h"
#include "tap.h"

enum { NOMINAL = 997000, RUNS = 1000, LAG = 60000 };

static uint64_t random_bits = RANDOM_SEED;

static uint64_t draw(void)
{
	return random_next(&random_bits);
}

static void check_draw(void)
{
	unsigned outside = 0, shorter = 0;

	for (unsigned i = 0; i < 10000; i++) {
		uint64_t interval = pace_draw(NOMINAL, draw());
		double off = (double)interval / NOMINAL - 1;

		outside += fabs(off) < 0.0198 || fabs(off) > 0.044;
		shorter += off < 0;
	}
	is_u64(outside, 0, "2 to 4.4 %% off");
	ok(shorter > 4500 && shorter < 5500, "in either direction: %u", shorter);
	outside = 0;
	for (unsigned i = 0; i < 10000; i++)
		outside += pace_draw(1600000, draw()) % 16 != 0;
	is_u64(outside, 0, "a multiple of 16 stays one");
	ok(pace_draw(10000, draw()) != 10000, "the shortest");
	ok(pace_draw(UINT64_C(1) << 50, draw()) < UINT64_C(1) << 51, "a long one");
}

static void check_weight(void)
{
	struct pace pace = { .nominal = 1000, .now = 1000 };
	struct pace fixed = { 0 };
	uint64_t sum = 0;

	is_u64(pace_weight(&fixed, 5, 1000, true), 1000, "fixed: as the kernel says");
	pace_change(&pace, 1030, 0, false);
	is_u64(pace_weight(&pace, 1, 1000, true), 1030,
	       "a clock reports the nominal one");
	is_u64(pace_weight(&pace, 2, 1030, true), 1030, "a counter reports its own");
	is_u64(pace_weight(&pace, 2, 1041, false), 1041,
	       "an inherited one reports another");
	is_u64(pace.samples, 2, "that is no sample of this one");
	pace_change(&pace, 60000, 100, true);
	is_u64(pace_weight(&pace, 99, 1000, true), 1030,
	       "a sample from before the change");
	for (unsigned i = 0; i < 200; i++)
		sum += pace_weight(&pace, 100 + i, 1000, true) - 60000;
	is_u64(sum, 500, "the change loses half an interval, which is shared out");
}

/* Replaces an event during the shares of a change, or in its first interval. */
static void check_hand_over(void)
{
	struct pace from = { .nominal = 60000, .now = 60000 }, to = from;
	uint64_t sum = 0;

	pace_change(&from, 61000, 0, true);
	for (unsigned i = 0; i < 30; i++)
		sum += pace_weight(&from, i, 60000, true) - 61000;
	is_u64(sum, 9000, "30 samples of 100 carry their parts of a lost half");
	pace_change(&to, 59000, 100, false);
	pace_hand_over(&from, 30 * 61000, &to);
	for (unsigned i = 0; i < 200; i++)
		sum += pace_weight(&to, 100 + i, 60000, true) - 59000;
	is_u64(sum, 30000 + 30500,
	       "the other's first samples the rest, and half of its last");
	is_u64(pace_weight(&from, 50, 60000, true), 61000, "its own that follow nothing");

	from = to = (struct pace){ .nominal = 60000, .now = 61000 };
	pace_hand_over(&from, 4000, &to);
	for (unsigned i = sum = 0; i < 200; i++)
		sum += pace_weight(&to, i, 60000, true) - 61000;
	is_u64(sum, 4000, "a count below the first interval is known");
}

/* Samples of a program of two parts: all, and those in the first. */
struct found {
	uint64_t first, all, weight, end_ns;
};

/*
 * The first part is PART of each period of PERIOD ns.  The reader looks every 100 ms, and
 * the kernel starts another interval at most LAG ns later.
 */
static struct found run(uint64_t length_ns, uint64_t period, double part, bool vary)
{
	struct pace pace = { .nominal = NOMINAL, .now = NOMINAL };
	uint64_t now = draw() % period, end = now + length_ns, next, look;
	struct found f = { .end_ns = length_ns };

	if (vary)
		pace_change(&pace, pace_draw(NOMINAL, draw()), now, false);
	next = now + pace.now;
	look = now + draw() % 100000000;
	while (next < end) {
		if (vary && look < next) {
			uint64_t at = look + draw() % LAG;

			look += 100000000;
			if (at < next && pace_is_due(&pace)) {
				pace_change(&pace, pace_draw(NOMINAL, draw()), at, true);
				next = at + pace.now;
				continue;
			}
		}
		f.weight += pace_weight(&pace, next, NOMINAL, true);
		f.all++;
		f.first += (double)(next % period) < part * (double)period;
		next += pace.now;
	}
	return f;
}

/* Whether PART is in the 95 % interval of the result (the normal one). */
static bool covers(const struct found *f, double part)
{
	double n = (double)f->all, off = (double)f->first / n - part;

	return off * off <= 1.959964 * 1.959964 * part * (1 - part) / n;
}

static unsigned covered(uint64_t length_ns, uint64_t period, double part, bool vary)
{
	unsigned count = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct found f = run(length_ns, period, part, vary);

		count += covers(&f, part);
	}
	return count;
}

static void check_lockstep(void)
{
	static const uint64_t lengths[] = { 300000000, 1000000000, 3000000000u };
	static const uint64_t periods[] = { NOMINAL, 1000000, NOMINAL / 2, 2 * NOMINAL,
					    3000000 };

	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++)
		for (size_t p = 0; p < sizeof(periods) / sizeof(periods[0]); p++) {
			unsigned with = covered(lengths[l], periods[p], 0.3, true);

			ok(with >= 900, "%llu us each, %llu ms: covered %u of %u",
			   (unsigned long long)periods[p] / 1000,
			   (unsigned long long)lengths[l] / 1000000, with,
			   (unsigned)RUNS);
		}
	ok(covered(1000000000, NOMINAL, 0.3, false) == 0, "never with a fixed interval");
}

/* The last interval of a run is not complete, and only the mean loss of a change is known. */
static void check_total(void)
{
	double worst = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct found f = run(3000000000u, 1000000, 0.3, true);
		double off = fabs((double)f.end_ns - (double)f.weight);

		worst = off > worst ? off : worst;
	}
	ok(worst < 15 * NOMINAL, "3 s are off by %.1f ms at most", worst / 1e6);
}

int main(void)
{
	check_draw();
	check_weight();
	check_hand_over();
	check_lockstep();
	check_total();
	return done_testing();
}
