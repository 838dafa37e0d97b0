/* SPDX-License-Identifier: Apache-2.0 */
#include "finish/rates.h"

#include <string.h>

/* Intel counters that count only one level by definition, not by a bit. */
static const struct {
	const char *suffix;
	enum level level;
} natures[] = {
	{ "CPL_CYCLES:RING0", LEVEL_KERNEL },
	{ "CPL_CYCLES:RING123", LEVEL_USER },
};

static bool ends_with(const char *text, const char *suffix)
{
	size_t len = strlen(text), tail = strlen(suffix);

	return len >= tail && !strcmp(text + len - tail, suffix);
}

enum level event_level(const struct event *event)
{
	for (size_t i = 0; i < sizeof(natures) / sizeof(natures[0]); i++)
		if (ends_with(event->raw, natures[i].suffix))
			return natures[i].level;
	if (event->exclude_user)
		return LEVEL_KERNEL;
	return event->exclude_kernel ? LEVEL_USER : LEVEL_ALL;
}

static bool in_cycles(const struct event *event)
{
	return event->unit == EVENT_UNIT_CYCLES || event->unit == EVENT_UNIT_REF_CYCLES;
}

/* Each kind of core has clocks of its own. */
static bool same_clock(const struct event *a, const struct event *b)
{
	return a->unit == b->unit && a->part == b->part;
}

/* Cycles a second of all time by the first counter of CLOCK at LEVEL, 0: there is none.
 */
static double rate_at(const struct rate_count *counts, size_t len,
		      const struct event *clock, enum level level)
{
	for (size_t i = 0; i < len; i++)
		if (counts[i].event->measures_time && counts[i].seconds > 0 &&
		    same_clock(counts[i].event, clock) &&
		    event_level(counts[i].event) == level)
			return counts[i].count / counts[i].seconds;
	return 0;
}

static double rate_of(const struct rate_count *counts, size_t len,
		      const struct event *clock, double user_share)
{
	double all = rate_at(counts, len, clock, LEVEL_ALL);
	double user = rate_at(counts, len, clock, LEVEL_USER);
	double kernel = rate_at(counts, len, clock, LEVEL_KERNEL);

	if (all > 0)
		return all;
	if (user > 0 && kernel > 0)
		return user + kernel;
	if (user > 0)
		return user_share > 0 ? user / user_share : 0;
	return user_share < 1 ? kernel / (1 - user_share) : 0;
}

void rates_find(const struct rate_count *counts, size_t len, double user_share,
		double *hz)
{
	for (size_t i = 0; i < len; i++)
		hz[i] = in_cycles(counts[i].event)
				? rate_of(counts, len, counts[i].event, user_share)
				: 0;
}
