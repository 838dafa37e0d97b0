/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/pace.h"

enum {
	PER_MILLE_LEAST = 20, /* off the nominal interval */
	PER_MILLE_MOST = 44,  /* with the owed part, a weight is off by 5 % at most */
	UNIT = 16,            /* AMD's IBS takes multiples of it */
};

uint64_t pace_draw(uint64_t nominal, uint64_t random)
{
	uint64_t least = nominal / 1000 * PER_MILLE_LEAST / UNIT;
	uint64_t most = nominal / 1000 * PER_MILLE_MOST / UNIT;
	uint64_t off = (least + (random >> 1) % (most - least + 1)) * UNIT;

	return random & 1 ? nominal + off : nominal - off;
}

void pace_change(struct pace *pace, uint64_t interval, uint64_t now_ns, bool running)
{
	pace->before = pace->now;
	pace->owed = running ? pace->before / 2 / PACE_SAMPLES : 0;
	pace->now = interval;
	pace->since_ns = now_ns;
	pace->samples = 0;
}

/* Half an interval on average, unless the first is not over. */
void pace_hand_over(struct pace *from, uint64_t counted, struct pace *to)
{
	uint64_t left = counted < from->now ? counted : from->now / 2;

	if (from->samples < PACE_SAMPLES)
		left += from->owed * (PACE_SAMPLES - from->samples);
	from->owed = 0;
	to->owed = left / PACE_SAMPLES;
}

bool pace_is_due(const struct pace *pace)
{
	return pace->nominal && pace->samples >= PACE_SAMPLES;
}

uint64_t pace_weight(struct pace *pace, uint64_t time_ns, uint64_t interval, bool own)
{
	bool late = time_ns >= pace->since_ns;

	if (!pace->nominal)
		return interval;
	if (interval == pace->nominal)
		interval = late ? pace->now : pace->before;
	if (!own || !late || pace->samples++ >= PACE_SAMPLES)
		return interval;
	return interval + pace->owed;
}
