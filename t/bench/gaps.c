/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gaps DEPTH MS: spins DEPTH calls deep and watches the CPU's clock.  Anything that takes
 * the CPU away shows as a gap: a sample that the kernel takes, and its timer.  Prints the
 * number of gaps of 1 to 100 us and their median in ns.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GAPS_MAX = 1 << 20 };

static uint64_t gaps[GAPS_MAX];
static size_t count;

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double ticks_per_ns(void)
{
	double start_ns = now_ns();
	uint64_t start = ticks();

	while (now_ns() < start_ns + 5e7)
		continue;
	return (double)(ticks() - start) / (now_ns() - start_ns);
}

static void spin(uint64_t span, uint64_t least, uint64_t most)
{
	uint64_t start = ticks(), before = start;

	while (before - start < span) {
		uint64_t now = ticks(), gap = now - before;

		if (gap >= least && gap < most && count < GAPS_MAX)
			gaps[count++] = gap;
		before = now;
	}
}

/* Each level has a frame of its own, of 64 bytes and more. */
static __attribute__((noinline)) int descend(unsigned depth, const uint64_t *limits)
{
	volatile char frame[64];

	frame[0] = (char)depth;
	if (depth)
		descend(depth - 1, limits);
	else
		spin(limits[0], limits[1], limits[2]);
	return frame[0];
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	double rate = ticks_per_ns();
	unsigned depth = argc > 1 ? (unsigned)atoi(argv[1]) : 25;
	double ms = argc > 2 ? atof(argv[2]) : 1000;
	uint64_t limits[] = { (uint64_t)(ms * 1e6 * rate), (uint64_t)(1e3 * rate),
			      (uint64_t)(1e5 * rate) };

	descend(depth, limits);
	qsort(gaps, count, sizeof(*gaps), compare);
	printf("%zu %.0f\n", count, count ? (double)gaps[count / 2] / rate : 0);
	return 0;
}
