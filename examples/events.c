/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event loop as frameworks of physics have it: each event passes through sequences, and
 * each sequence through its algorithms.  All of them are regions.
 *
 *	collect -w on --regions on ./events 1000
 *	er_print -regions test.1.er             how long each took, exactly
 *	er_print -accuracy event 2 test.1.er    whether samples say the same
 *	er_print -filters 'REGION=="event" && RANK>0.99' -functions test.1.er
 *
 * Every hundredth event is slow: its tracks are harder to follow.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ringprof/libcollector.h>

static volatile double sink;

/* Some 10 us each. */
static void work(unsigned units)
{
	double x = 1.5;

	for (unsigned i = 0; i < units * 4000; i++)
		x = x * 1.0000001 + 0.5;
	sink = x;
}

static __attribute__((noinline)) void decode(unsigned event)
{
	work(100);
	(void)event;
}

static __attribute__((noinline)) void seed(unsigned event)
{
	work(150);
	(void)event;
}

static __attribute__((noinline)) void follow(unsigned event)
{
	work(event % 100 ? 400 : 4000);
}

static __attribute__((noinline)) void vertex(unsigned event)
{
	work(250);
	(void)event;
}

static __attribute__((noinline)) void store(unsigned event)
{
	work(100);
	(void)event;
}

struct algorithm {
	const char *name;
	void (*run)(unsigned event);
};

static const struct sequence {
	const char *name;
	struct algorithm algorithms[3]; /* up to the first without a name */
} sequences[] = {
	{ "input", { { "decode", decode } } },
	{ "tracking", { { "seed", seed }, { "follow", follow } } },
	{ "fit", { { "vertex", vertex } } },
	{ "output", { { "store", store } } },
};

static void run_sequence(const struct sequence *sequence, unsigned event)
{
	collector_region_begin(sequence->name);
	for (const struct algorithm *a = sequence->algorithms; a->name; a++) {
		collector_region_begin(a->name);
		a->run(event);
		collector_region_end(a->name);
	}
	collector_region_end(sequence->name);
}

int main(int argc, char **argv)
{
	const unsigned events = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;

	for (unsigned event = 1; event <= events; event++) {
		collector_region_begin("event");
		for (size_t s = 0; s < sizeof(sequences) / sizeof(*sequences); s++)
			run_sequence(&sequences[s], event);
		collector_region_end("event");
	}
	printf("%u events\n", events);
	return 0;
}
