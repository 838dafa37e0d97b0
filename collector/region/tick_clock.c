/* SPDX-License-Identifier: Apache-2.0 */
#include "region/tick_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "channel/ticks.h"

#define SOURCE_FILE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

#ifdef CHANNEL_CLOCKSOURCE

enum { TRIES = 5 }; /* an interrupt may lie between two readings */

bool tick_clock_is_here(const char *root)
{
	char *path = xasprintf("%s" SOURCE_FILE, root), name[64] = "";
	FILE *file = fopen(path, "re");
	bool is_here = file && fgets(name, sizeof(name), file) &&
		       !strcmp(name, CHANNEL_CLOCKSOURCE "\n");

	if (file)
		fclose(file);
	free(path);
	return is_here;
}

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tick_clock_read(struct tick_clock *clock)
{
	struct tick_pair best = { 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = channel_ticks(), ns = monotonic_ns(),
			       took = channel_ticks() - before;

		if (took < least) {
			best = (struct tick_pair){ before + took / 2, ns };
			least = took;
		}
	}
	tick_clock_add(clock, &best);
}

#else

bool tick_clock_is_here(const char *root)
{
	(void)root;
	return false;
}

void tick_clock_read(struct tick_clock *clock)
{
	(void)clock;
}

#endif

static const struct tick_pair *pair_at(const struct tick_clock *clock, uint64_t number)
{
	return &clock->pairs[number % TICK_PAIRS];
}

void tick_clock_add(struct tick_clock *clock, const struct tick_pair *pair)
{
	const struct tick_pair *last = clock->count ? pair_at(clock, clock->count - 1)
						    : NULL;

	if (last && (pair->ticks <= last->ticks || pair->ns < last->ns))
		return;
	clock->pairs[clock->count++ % TICK_PAIRS] = *pair;
}

/* The number of the second of the two pairs that TICKS lies between, or that are nearest. */
static uint64_t find(const struct tick_clock *clock, uint64_t ticks)
{
	const uint64_t oldest = clock->count > TICK_PAIRS ? clock->count - TICK_PAIRS : 0;
	uint64_t low = oldest + 1, high = clock->count - 1;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (pair_at(clock, middle)->ticks < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint64_t clamped(__int128 ns)
{
	if (ns < 0)
		return 0;
	return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

uint64_t tick_clock_ns(const struct tick_clock *clock, uint64_t ticks)
{
	const uint64_t second = find(clock, ticks);
	const struct tick_pair *a = pair_at(clock, second - 1),
			       *b = pair_at(clock, second);
	const __int128 passed = (__int128)ticks - a->ticks;

	return clamped((__int128)a->ns +
		       passed * (b->ns - a->ns) / (b->ticks - a->ticks));
}
