/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_switches RATE MS: two threads on one CPU send each other a byte through pipes, in
 * bursts at the beginning of each millisecond, so that there are RATE switches a second as
 * long as the CPU can, and MS bursts in all.  Prints how many switches there were, and in how
 * many seconds.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BURST_NS = 1000000 };

struct pair {
	int there[2], back[2];
};

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *answer(void *arg)
{
	const struct pair *pair = arg;
	char byte;

	while (read(pair->there[0], &byte, 1) == 1)
		if (write(pair->back[1], &byte, 1) != 1)
			fail("write");
	return NULL;
}

/* Two switches: to the other thread and back. */
static void ask(const struct pair *pair)
{
	char byte = 0;

	if (write(pair->there[1], &byte, 1) != 1 || read(pair->back[0], &byte, 1) != 1)
		fail("pipe");
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u),
				    .tv_nsec = (long)(ns % 1000000000u) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void run(const struct pair *pair, long asks, long bursts)
{
	const uint64_t start = now_ns();

	for (long burst = 1; burst <= bursts; burst++) {
		for (long i = 0; i < asks; i++)
			ask(pair);
		sleep_until(start + (uint64_t)burst * BURST_NS);
	}
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

int main(int argc, char **argv)
{
	long rate = argc == 3 ? atol(argv[1]) : 0, bursts = argc == 3 ? atol(argv[2]) : 0;
	struct pair pair;
	pthread_t thread;
	cpu_set_t cpus;
	uint64_t from;

	if (rate < 2000 || bursts < 1) {
		fprintf(stderr, "usage: bench_switches RATE MS\n");
		return 2;
	}
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	if (pipe(pair.there) || pipe(pair.back) ||
	    pthread_create(&thread, NULL, answer, &pair))
		fail("thread");
	from = now_ns();
	run(&pair, rate / 2000, bursts);
	close(pair.there[1]);
	pthread_join(thread, NULL);
	printf("%ld %.6f\n", switches(), (double)(now_ns() - from) / 1e9);
	return 0;
}
