/* SPDX-License-Identifier: Apache-2.0 */
/* What samples weigh, from the record to the recording's sums. */
#include "recording/recording.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"

enum { CLOCK_ID = 7, MEMBER_ID = 8, NOMINAL = 1000000, NOW = 1040000, OWED = 5000 };

/* A recording of two events of a CPU, of which the first one, a clock, has a new interval. */
static char *start(struct recording *rec)
{
	char *dir = scratch_make();
	struct recording_setup setup = { .everyone = true, .mode = STACK_OFF };
	struct source *clock;

	if (exp_writer_open(dir, &setup.writer))
		abort();
	recording_init(rec, &setup);
	rec->to_ns = UINT64_MAX;
	recording_expect(rec, 2);
	sources_add(&rec->sources, MEMBER_ID, 1, -1);
	clock = sources_add(&rec->sources, CLOCK_ID, 0, -1);
	clock->pace = (struct pace){
		.nominal = NOMINAL,
		.before = NOMINAL,
		.now = NOW,
		.since_ns = 1000,
		.owed = OWED,
	};
	return dir;
}

static void finish(struct recording *rec, char *dir)
{
	struct exp_writer *writer = rec->writer;

	recording_release(rec);
	if (exp_writer_close(writer))
		abort();
	scratch_remove(dir);
}

/* Kernels up to 6.18 report a clock's interval at opening. */
static void take_clock(struct recording *rec, uint64_t count)
{
	const uint64_t words[] = { count, CLOCK_ID, 500 * count / NOMINAL, MEMBER_ID };
	const struct record r = {
		.type = PERF_RECORD_SAMPLE,
		.at = { .pid = 3, .tid = 3, .id = CLOCK_ID, .time = 2000 },
		.sample = { .period = NOMINAL, .counts = { words, 2, 2 } },
	};

	recording_take_record(rec, &r);
}

static void test_alone(void)
{
	struct recording rec;
	char *dir = start(&rec);

	take_clock(&rec, NOMINAL);
	is_u64(rec.events.data[0].weight, NOW + OWED,
	       "a clock's sample weighs the interval that it has now");
	finish(&rec, dir);
}

static void test_leader(bool ticks_idle, uint64_t expected)
{
	struct recording rec;
	char *dir = start(&rec);

	sources_set_group(&rec.sources, 0, ticks_idle);
	take_clock(&rec, NOMINAL);
	is_u64(rec.events.data[0].weight, expected, "and where it leads a group%s",
	       ticks_idle ? " and ticks on idle CPUs"
			  : ", and is counted, what it counted");
	is_u64(rec.events.data[1].weight, 500, "its member weighs what it counted");
	take_clock(&rec, 3 * NOMINAL);
	is_u64(rec.events.data[1].weight, 1500, "and what it counted since");
	finish(&rec, dir);
}

int main(void)
{
	test_alone();
	test_leader(true, NOW + OWED);
	test_leader(false, NOMINAL);
	return done_testing();
}
