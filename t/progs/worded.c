/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worded EVENTS MS: names what it works on (libcollector.h).  Two threads, `main` and
 * `worker`; each of the EVENTS of main is a region "event" with "sort" in it and, in every
 * second one, "sort" in "query"; the worker has regions "sort".  Each innermost region
 * spends MS of CPU time.  Prints what the thread's own clock says of them: a line
 * "BRANCH<tab>INSTANCES<tab>WALL-NS<tab>CPU-NS" for each branch.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ringprof/libcollector.h"

struct branch {
	const char *name;
	uint64_t instances, wall_ns, cpu_ns, began_wall, began_cpu;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void begin(struct branch *branch, const char *name)
{
	collector_region_begin(name);
	branch->began_wall = clock_ns(CLOCK_MONOTONIC);
	branch->began_cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void end(struct branch *branch, const char *name)
{
	branch->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - branch->began_cpu;
	branch->wall_ns += clock_ns(CLOCK_MONOTONIC) - branch->began_wall;
	branch->instances++;
	collector_region_end(name);
}

static uint64_t step_ns;

static void spend(void)
{
	const uint64_t until = clock_ns(CLOCK_THREAD_CPUTIME_ID) + step_ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void show(const struct branch *branch)
{
	printf("%s\t%llu\t%llu\t%llu\n", branch->name,
	       (unsigned long long)branch->instances, (unsigned long long)branch->wall_ns,
	       (unsigned long long)branch->cpu_ns);
}

static struct branch worker_sort = { .name = "sort" };

static void *work(void *events)
{
	for (long i = 0; i < *(const long *)events; i++) {
		begin(&worker_sort, "sort");
		spend();
		end(&worker_sort, "sort");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct branch event = { .name = "event" }, sort = { .name = "event sort" },
		      query = { .name = "event query" },
		      nested = { .name = "event query sort" };
	long events = argc > 1 ? atol(argv[1]) : 10;
	pthread_t worker;

	step_ns = (argc > 2 ? (uint64_t)atol(argv[2]) : 5) * 1000000u;
	if (pthread_create(&worker, NULL, work, &events))
		return 1;
	for (long i = 0; i < events; i++) {
		begin(&event, "event");
		begin(&sort, "sort");
		spend();
		end(&sort, "sort");
		if (i % 2) {
			begin(&query, "query");
			begin(&nested, "sort");
			spend();
			end(&nested, "sort");
			end(&query, "query");
		}
		end(&event, "event");
	}
	pthread_join(worker, NULL);
	show(&event);
	show(&sort);
	if (query.instances) {
		show(&query);
		show(&nested);
	}
	show(&worker_sort);
	return 0;
}
