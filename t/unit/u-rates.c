/* SPDX-License-Identifier: Apache-2.0 */
/* Each clock has one rate, which turns its counters' cycles into seconds. */
#include "finish/rates.h"

#include <math.h>
#include <string.h>

#include "tap.h"

#define CYCLES EVENT_UNIT_CYCLES
#define REF    EVENT_UNIT_REF_CYCLES
#define EVENTS EVENT_UNIT_EVENTS
#define GHZ    1e9

enum { MAX = 4 };

struct counter {
	const char *raw;
	enum event_unit unit;
	bool measures_time, no_user, no_kernel;
	unsigned part;
	double count, seconds;
	double want; /* Hz */
};

/* A program of 2 s at 3 GHz, a quarter of it in the kernel. */
static const struct row {
	const char *what;
	double user_share;
	struct counter counters[MAX]; /* ends before the first without a name */
} rows[] = {
	{ "a counter of everything",
	  .75,
	  { { "CYCLES", CYCLES, true, .count = 6 * GHZ, .seconds = 2,
	      .want = 3 * GHZ } } },
	{ "user code alone, by its share",
	  .75,
	  { { "CYCLES", CYCLES, true, .no_kernel = true, .count = 4.5 * GHZ, .seconds = 2,
	      .want = 3 * GHZ } } },
	{ "the kernel alone, by its share",
	  .75,
	  { { "CYCLES", CYCLES, true, .no_user = true, .count = 1.5 * GHZ, .seconds = 2,
	      .want = 3 * GHZ } } },
	{ "two measured parts decide before an estimated share",
	  .1,
	  { { "snb::CPL_CYCLES:RING0", CYCLES, true, .count = 1.5 * GHZ, .seconds = 2,
	      .want = 3 * GHZ },
	    { "snb::CPL_CYCLES:RING123", CYCLES, true, .count = 4.5 * GHZ, .seconds = 2,
	      .want = 3 * GHZ } } },
	{ "a counter of everything decides before both, even for a part of the time",
	  .1,
	  { { "CYCLES:k", CYCLES, true, .no_user = true, .count = 1 * GHZ, .seconds = 2,
	      .want = 3 * GHZ },
	    { "CYCLES:u", CYCLES, true, .no_kernel = true, .count = 1 * GHZ, .seconds = 2,
	      .want = 3 * GHZ },
	    { "CYCLES", CYCLES, true, .count = 3 * GHZ, .seconds = 1,
	      .want = 3 * GHZ } } },
	{ "stalled cycles are cycles of the core",
	  .75,
	  { { "STALLS", CYCLES, .count = 1 * GHZ, .seconds = 2, .want = 3 * GHZ },
	    { "CYCLES", CYCLES, true, .count = 6 * GHZ, .seconds = 2, .want = 3 * GHZ },
	    { "INSTS", EVENTS, .count = 6 * GHZ, .seconds = 2, .want = 0 } } },
	{ "stalled cycles alone give no rate",
	  .75,
	  { { "STALLS", CYCLES, .count = 1 * GHZ, .seconds = 2, .want = 0 } } },
	{ "the reference clock has its own",
	  .75,
	  { { "CYCLES", CYCLES, true, .count = 6 * GHZ, .seconds = 2, .want = 3 * GHZ },
	    { "REF", REF, true, .count = 4 * GHZ, .seconds = 2, .want = 2 * GHZ } } },
	{ "each kind of core has its own",
	  .75,
	  { { "CYCLES", CYCLES, true, .count = 4 * GHZ, .seconds = 1, .want = 4 * GHZ },
	    { "CYCLES", CYCLES, true, .part = 1, .count = 2 * GHZ, .seconds = 1,
	      .want = 2 * GHZ } } },
	{ "without a time there is no rate",
	  1,
	  { { "CYCLES", CYCLES, true, .count = 6 * GHZ, .seconds = 0, .want = 0 } } },
	{ "no time in the kernel by its accounting",
	  1,
	  { { "CYCLES", CYCLES, true, .no_user = true, .count = 1, .seconds = 2,
	      .want = 0 } } },
	{ "no time in user code by its accounting",
	  0,
	  { { "CYCLES", CYCLES, true, .no_kernel = true, .count = 1, .seconds = 2,
	      .want = 0 } } },
};

static void row_test(const struct row *row)
{
	struct event events[MAX] = { 0 };
	struct rate_count counts[MAX];
	double hz[MAX];
	size_t len = 0;

	for (; len < MAX && row->counters[len].raw; len++) {
		const struct counter *c = &row->counters[len];

		events[len] = (struct event){
			.raw = (char *)(uintptr_t)c->raw,
			.unit = c->unit,
			.measures_time = c->measures_time,
			.exclude_user = c->no_user,
			.exclude_kernel = c->no_kernel,
			.part = c->part,
		};
		counts[len] = (struct rate_count){ &events[len], c->count, c->seconds };
	}
	rates_find(counts, len, row->user_share, hz);
	for (size_t i = 0; i < len; i++)
		ok(fabs(hz[i] - row->counters[i].want) < 1, "%s: %s has %.3f GHz",
		   row->what, row->counters[i].raw, hz[i] / GHZ);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_test(&rows[i]);
	return done_testing();
}
