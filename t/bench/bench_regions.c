/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_regions pair: the cost of a region's begin and end together in ns, the least of 50
 * rounds.
 *
 * bench_regions clock: the cost of a reading of the clock in ns, the same way.
 *
 * bench_regions work REGIONS EACH: as many regions, in each of which EACH steps of work are
 * done; prints the CPU time of it in ns.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ringprof/libcollector.h"

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void name_pair(void)
{
	collector_region_begin("pair");
	collector_region_end("pair");
}

static void read_clock(void)
{
	clock_ns(CLOCK_MONOTONIC);
}

static inline __attribute__((always_inline)) void measure(void (*once)(void))
{
	enum { ROUNDS = 50, PAIRS = 5000 };
	double least = 1e9;

	for (int round = 0; round < ROUNDS; round++) {
		const struct timespec rest = { .tv_nsec = 30000000 }; /* collect reads */
		const uint64_t from = clock_ns(CLOCK_MONOTONIC);
		double each;

		for (int i = 0; i < PAIRS; i++)
			once();
		each = (double)(clock_ns(CLOCK_MONOTONIC) - from) / PAIRS;
		least = each < least ? each : least;
		nanosleep(&rest, NULL);
	}
	printf("%.1f\n", least);
}

static void work(long regions, long each)
{
	const uint64_t from = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	volatile long sum = 0;

	for (long i = 0; i < regions; i++) {
		collector_region_begin("work");
		for (long n = 0; n < each; n++)
			sum = sum + n;
		collector_region_end("work");
	}
	printf("%llu\n", (unsigned long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - from));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "pair"))
		measure(name_pair);
	else if (argc == 2 && !strcmp(argv[1], "clock"))
		measure(read_clock);
	else if (argc == 4 && !strcmp(argv[1], "work"))
		work(atol(argv[2]), atol(argv[3]));
	else
		return 2;
	return 0;
}
