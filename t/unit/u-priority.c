/* SPDX-License-Identifier: Apache-2.0 */
/* When the reader's priority goes down and up again, by a clock that is made up. */
#include "collector/priority.h"

#include "tap.h"

#define MS 1000000u

struct clock {
	struct priority p;
	uint64_t now, used;
};

/* Rounds of 100 ms, in each of which the reader uses so much: how many are high. */
static unsigned run(struct clock *c, unsigned rounds, unsigned used_ms)
{
	unsigned high = 0;

	for (unsigned i = 0; i < rounds; i++) {
		c->now += (uint64_t)100 * MS;
		c->used += (uint64_t)used_ms * MS;
		c->p.high = priority_should_be_high(&c->p, c->now, c->used);
		high += c->p.high;
	}
	return high;
}

int main(void)
{
	struct clock c = { .p = { .high = true } };

	is_u64(run(&c, 1000, 50), 1000, "half a CPU is no flood");
	is_u64(run(&c, 1000, 51), 9, "more is one, within a second");
	is_u64(run(&c, 1000, 26), 0, "over a quarter of one it stays low");
	is_u64(run(&c, 9, 24) + run(&c, 1, 0), 1,
	       "after a quiet second it is high again");
	is_u64(c.p.lowered_ns / MS, 200000, "it was low for that long");
	is_u64(run(&c, 6, 100), 5, "a flood of half a second");
	is_u64(run(&c, 25, 0), 6, "then two quiet seconds are needed");
	for (unsigned i = 0; i < 20; i++) {
		run(&c, 6, 100);
		run(&c, 640, 0);
	}
	ok(c.p.high, "and 64 at most");
	run(&c, 6, 100);
	run(&c, 10, 0);
	run(&c, 10, 100);
	is_u64(run(&c, 639, 0), 0, "which are in a row");
	is_u64(run(&c, 1, 0), 1, "no more");
	c = (struct clock){ .p = { .high = true } };
	run(&c, 1, 0);
	c.now += (uint64_t)60000 * MS;
	is_u64(run(&c, 1, 50), 1, "a round of a minute does not count as a second of it");
	return done_testing();
}
