/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstep MS PERIOD_US PERCENT: alternates between first() and second(), PERCENT of each
 * period in first(), for MS of CPU time, by the thread's CPU clock: its phases never
 * drift.  Prints "first NANOSECONDS" and "second NANOSECONDS" as measured.
 */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

uint64_t first(uint64_t end_ns), second(uint64_t end_ns);

/* Until the clock says END_NS; gives what it says then. */
static inline __attribute__((always_inline)) uint64_t spin_until(uint64_t end_ns)
{
	uint64_t now;

	do {
		for (volatile unsigned i = 0; i < 2000; i++)
			;
		now = thread_cpu_ns();
	} while (now < end_ns);
	return now;
}

FUNCTION uint64_t first(uint64_t end_ns)
{
	return spin_until(end_ns);
}

FUNCTION uint64_t second(uint64_t end_ns)
{
	return spin_until(end_ns);
}

int main(int argc, char **argv)
{
	uint64_t total, period, part, now = thread_cpu_ns(), spent[2] = { 0 };

	if (argc != 4) {
		fputs("usage: lockstep MS PERIOD_US PERCENT\n", stderr);
		return 2;
	}
	total = parse_ms(argv[1]) * 1000000;
	period = parse_ms(argv[2]) * 1000; /* microseconds */
	part = period * strtoul(argv[3], NULL, 10) / 100;
	if (!period)
		return 2;
	for (uint64_t end = now + total; now < end;) {
		uint64_t start = now, cycle = now / period * period;
		int which = now - cycle >= part;

		now = which ? second(cycle + period) : first(cycle + part);
		spent[which] += now - start;
	}
	printf("first %llu\nsecond %llu\n", (unsigned long long)spent[0],
	       (unsigned long long)spent[1]);
	return 0;
}
