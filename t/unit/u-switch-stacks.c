/* SPDX-License-Identifier: Apache-2.0 */
/* How many of a CPU's switches have their stack recorded. */
#include "adapt/switch_stacks.h"

#include <linux/perf_event.h>

#include "tap.h"

#define MS UINT64_C(1000000)

#define STACK_NS 3500.0 /* with 8 KiB */

static const struct {
	const char *what;
	uint64_t count, ns; /* of switches since the row before */
	uint64_t one_in;    /* a prime of 3 or more */
} rows[] = {
	{ "no switch", 0, 1000 * MS, 1 },
	{ "a burst of 4,000", 4000, 10 * MS, 137 }, /* another one were too much */
	{ "the next is thinned out", 4000, 10 * MS, 137 },
	{ "it is over: all again", 10, 100 * MS, 1 },
	{ "10,000 a second", 1000, 100 * MS, 1 },
	/* 7 ms, of which 4 are paid, with 17 saved */
	{ "20,000 a second, from what is left", 2000, 100 * MS, 1 },
	{ "… again", 2000, 100 * MS, 1 },
	{ "… a third time", 2000, 100 * MS, 1 },
	{ "… then every third", 2000, 100 * MS, 3 },
	{ "… and again", 2000, 100 * MS, 3 },
	{ "100,000 a second: 1 %", 10000, 100 * MS, 37 },
	{ "500,000 a second", 50000, 100 * MS, 179 },
	{ "10 a second", 1, 100 * MS, 1 },
	{ "more than there can be", UINT64_MAX, MS, (1 << 20) + 7 },
};

/* Rates at which all stacks fit for ever, by the size of the copies. */
static void test_rates(void)
{
	static const struct {
		uint32_t bytes;
		double stack_ns;
		uint64_t all, thinned; /* switches in 10 ms */
	} sizes[] = {
		{ 0, 1500, 248, 260 },
		{ 8 << 10, 3500, 124, 127 },
		{ 16 << 10, 5500, 82, 85 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct switch_stacks_cpu slow = { .one_in = 1 }, fast = { .one_in = 1 };
		const double stack_ns = switch_stacks_cost(sizes[i].bytes);
		uint64_t slowest = 1, fastest = 1;

		ok(stack_ns == sizes[i].stack_ns, "a copy of %u", sizes[i].bytes);
		slow.left_ns = fast.left_ns = SWITCH_STACKS_SAVED_NS;
		for (int round = 0; round < 5000; round++) {
			uint64_t n = switch_stacks_next(&slow, sizes[i].all, 10 * MS,
							stack_ns);

			slowest = n > slowest ? n : slowest;
			n = switch_stacks_next(&fast, sizes[i].thinned, 10 * MS,
					       stack_ns);
			fastest = n > fastest ? n : fastest;
		}
		is_u64(slowest, 1, "all stacks in 50 s");
		ok(fastest > 1, "a few more switches");
	}
}

/* However fast they come, stacks take no more than was saved, and their part of the time. */
static void test_sum(void)
{
	struct switch_stacks_cpu c = { .one_in = 1, .left_ns = SWITCH_STACKS_SAVED_NS };
	double taken = 0;

	for (int i = 0; i < 1000; i++) {
		uint64_t count = i / 100 % 2 ? 5000 : 20, one_in = c.one_in;

		taken += (double)count / (double)one_in;
		switch_stacks_next(&c, count, 10 * MS, STACK_NS);
	}
	/*
	 * 5 s of 1 %, and in five quiet seconds each of their stacks; then five times what
	 * was saved, and a round of a burst that passes before it is known.
	 */
	ok(taken * STACK_NS < 5e7 + 500 * 20 * STACK_NS +
				      5 * (SWITCH_STACKS_SAVED_NS + 5000 * STACK_NS),
	   "%.0f stacks", taken);
	ok(taken > 500 * 20 + 5 * 5000,
	   "and those of quiet times, and of begins of bursts");
}

/* In rounds of 10 ms; 200 switches leave 0.4 ms of each for stacks, which are 114. */
static void test_rest(void)
{
	static const struct {
		const char *what;
		struct waiting_cpu count;
		int rounds; /* until it changes, or the last one */
		bool rests;
	} steps[] = {
		{ "what the budget allows", { 200, 114, 0 }, 1000, false },
		{ "20 ms beyond it", { 200, 114 + 5714, 0 }, 1, false },
		{ "another 20 ms", { 200, 114 + 5714, 0 }, 1, true },
		{ "40 ms, paid with 0.4 ms a round", { 200, 0, 0 }, 99, true },
		{ "are paid", { 200, 0, 0 }, 2, false },
		{ "40 ms in a round", { 200, 114 + 11428, 0 }, 1, true },
		{ "more switches, and 0.1 ms a round", { 5000, 0, 0 }, 399, true },
		{ "are paid as well", { 5000, 0, 0 }, 2, false },
	};
	struct switch_stacks_cpu c = { .one_in = 1 };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		bool rests = false;

		for (int round = 0; round < steps[i].rounds; round++)
			rests = switch_stacks_rests(&c, &steps[i].count, 10 * MS,
						    STACK_NS);
		ok(rests == steps[i].rests, "%s", steps[i].what);
	}
}

/* A kernel that keeps whether the event of descriptor 7, on the second of two CPUs, runs. */
static uint64_t clock_ns;
static int runs, requests;

static uint64_t fake_now(void)
{
	return clock_ns;
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	(void)argument;
	if (fd != 7 || request == PERF_EVENT_IOC_PERIOD)
		return 0;
	runs = request == PERF_EVENT_IOC_ENABLE;
	requests++;
	return 0;
}

struct world {
	struct evlist evlist;
	struct waiting waiting;
	struct recording rec;
	struct switch_stacks s;
};

static void begin(struct world *w, enum evlist_scope scope, bool keeps)
{
	static const struct sys sys = { .ioctl = fake_ioctl, .now = fake_now };

	*w = (struct world){
		.evlist = { .sys = &sys, .events = 1, .cpus = 2, .scope = scope },
		.waiting = { .keeps = keeps }
	};
	for (int cpu = 0; cpu < 2; cpu++) {
		*vec_push(&w->evlist.cpu_numbers) = cpu;
		*vec_push(&w->evlist.owners) = 100;
		*vec_push(&w->evlist.fds) = 6 + cpu;
		*vec_push(&w->waiting.cpus) = (struct waiting_cpu){ 0 };
	}
	w->rec.waiting = &w->waiting;
	runs = 1;
	requests = 0;
	switch_stacks_init(&w->s, &w->evlist, &w->rec);
}

/* 10 ms with 1,000 switches on the second CPU, of which STACKS had a stack of 8 KiB. */
static void pass(struct world *w, uint64_t stacks)
{
	struct waiting_cpu *cpu = &w->waiting.cpus.data[1];

	cpu->outs += 1000;
	cpu->stacks += stacks;
	cpu->bytes += stacks * 8192;
	clock_ns += 10 * MS;
	switch_stacks_look(&w->s, clock_ns);
}

static void finish(struct world *w)
{
	switch_stacks_release(&w->s);
	vec_release(&w->waiting.cpus);
	vec_release(&w->evlist.fds);
	vec_release(&w->evlist.owners);
	vec_release(&w->evlist.cpu_numbers);
}

/* All 1,000 stacks take 3.5 ms; there are 0.1 for them. */
static void test_event_rests(void)
{
	struct world w;
	int on = 0, off = 0;

	begin(&w, SCOPE_TASK, false);
	for (int round = 0; round < 2000; round++) {
		on += runs;
		off += !runs;
		pass(&w, runs ? 1000 : 0);
	}
	ok(on > 2000 / 50 && on < 2000 / 25, "it runs in %d of 2,000 rounds", on);
	ok(requests >= 4 && requests < 200, "with %d changes", requests);
	for (int round = 0; round < 1000 && runs; round++)
		pass(&w, 1000);
	switch_stacks_forget(&w.s);
	runs = 1;
	requests = 0;
	pass(&w, 1000);
	is_i64(requests, 1, "after a pause, which starts all, it rests soon");
	ok(!runs, "as it has not paid yet");
	finish(&w);

	begin(&w, SCOPE_TASK, true);
	for (int round = 0; round < 100; round++)
		pass(&w, 1000);
	is_i64(requests, 0, "an event that the user asked for does not rest");
	finish(&w);

	begin(&w, SCOPE_CGROUP, false);
	for (int round = 0; round < 100; round++)
		pass(&w, 1000);
	is_i64(requests, 0, "nor does one for all threads, whose N holds");
	finish(&w);
	ok(off, "it rested");
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
	struct switch_stacks_cpu c = { .one_in = 1, .left_ns = SWITCH_STACKS_SAVED_NS };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_u64(switch_stacks_next(&c, rows[i].count, rows[i].ns, STACK_NS),
		       rows[i].one_in, "%s", rows[i].what);
	test_rates();
	test_sum();
	test_rest();
	test_event_rests();
	test_due();
	return done_testing();
}
