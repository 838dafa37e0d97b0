/* SPDX-License-Identifier: Apache-2.0 */
/* How many of a CPU's switches have their stack recorded. */
#include "adapt/switch_stacks.h"

#include "tap.h"

#define MS UINT64_C(1000000)

static const struct {
	const char *what;
	uint64_t count, ns; /* of switches since the row before */
	uint64_t one_in;
} rows[] = {
	{ "no switch", 0, 1000 * MS, 1 },
	{ "a burst of 4,000", 4000, 10 * MS, 130 }, /* another one were too much */
	{ "the next is thinned out", 4000, 10 * MS, 1 + 4000 / 31 },
	{ "it is over: all again", 10, 100 * MS, 1 },
	{ "3,000 a second", 300, 100 * MS, 1 },
	{ "100,000 a second", 10000, 100 * MS, 34 },
	{ "500,000 a second", 50000, 100 * MS, 167 },
	{ "10 a second", 1, 100 * MS, 1 },
	{ "more than there can be", UINT64_MAX, MS, 1 << 20 },
};

/* However fast they come, the stacks of ten seconds are not more than these seconds' and those saved. */
static void test_sum(void)
{
	struct switch_stacks_cpu c = switch_stacks_begin(SWITCH_STACKS_RATE);
	double taken = 0;

	for (int i = 0; i < 1000; i++) {
		uint64_t count = i / 100 % 2 ? 5000 : 20, one_in = c.one_in;

		taken += (double)count / (double)one_in;
		switch_stacks_next(&c, count, 10 * MS);
	}
	/* one round of a burst passes before it is known: five of them */
	ok(taken < 10 * SWITCH_STACKS_RATE + SWITCH_STACKS_SAVED + 5 * 5000,
	   "%.0f stacks", taken);
}

/* The kernel gets N only if that changes much. */
static void test_due(void)
{
	static const struct {
		uint64_t one_in;
		size_t source;
		bool due;
		const char *what;
	} steps[] = {
		{ 1, 5, false, "each switch is sampled from the start" },
		{ 40, 5, true, "N is 40" },
		{ 40, 5, false, "it still is" },
		{ 49, 5, false, "a little more" },
		{ 31, 5, false, "a little less" },
		{ 50, 5, true, "a quarter more" },
		{ 50, 6, true, "the event was reopened" },
		{ 2, 6, true, "far less" },
		{ 1, 6, true, "all again" },
		{ 1, 7, false, "a reopened event samples all anyway" },
	};
	struct switch_stacks_cpu c = { .one_in = 1 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		c.one_in = steps[i].one_in;
		ok(switch_stacks_is_due(&c, steps[i].source) == steps[i].due, "%s",
		   steps[i].what);
	}
}

int main(void)
{
	struct switch_stacks_cpu c = switch_stacks_begin(SWITCH_STACKS_RATE);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_u64(switch_stacks_next(&c, rows[i].count, rows[i].ns), rows[i].one_in,
		       "%s", rows[i].what);
	test_sum();
	test_due();
	return done_testing();
}
