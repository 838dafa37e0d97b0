/* SPDX-License-Identifier: Apache-2.0 */
/*
 * controlled HOW [N]: says when it wants to be recorded, and spends CPU time in functions
 * whose names say whether it is: `wanted` and `unwanted`.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ringprof/libcollector.h"
#include "work.h"

#define MS UINT64_C(1000000)

static FUNCTION void wanted(uint64_t ns)
{
	spin_ns(ns);
	NO_TAIL_CALL();
}

static FUNCTION void unwanted(uint64_t ns)
{
	spin_ns(ns);
	NO_TAIL_CALL();
}

/* Ten pauses. */
static void pauses(long n)
{
	(void)n;
	for (int i = 0; i < 10; i++) {
		wanted(30 * MS);
		collector_pause();
		collector_pause(); /* they do not nest */
		unwanted(30 * MS);
		collector_resume();
	}
}

static void terminates(long n)
{
	(void)n;
	wanted(100 * MS);
	collector_terminate_expt();
	unwanted(100 * MS);
	collector_resume(); /* too late */
	unwanted(100 * MS);
}

/* Asks for more when -t has ended it. */
static void restarts(long n)
{
	(void)n;
	wanted(100 * MS);
	collector_pause();
	collector_resume();
	unwanted(1000 * MS);
	collector_sample("late");
}

/* A child pauses the recording of all, and then is the one that is recorded. */
static void child(long n)
{
	pid_t pid = fork();

	(void)n;
	if (!pid) {
		collector_pause();
		unwanted(100 * MS);
		collector_resume();
		wanted(100 * MS);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Points at the ends of parts that use 50 ms and 100 faults each, but for the last. */
static void points(long n)
{
	enum { PAGE = 4096, PAGES = 100 };
	static volatile char memory[4][PAGES * PAGE]
		__attribute__((aligned(PAGE), unused));

	(void)n;
	for (int i = 0; i < 4; i++) {
		for (int page = 0; page < PAGES; page++)
			memory[i][page * PAGE] = 1;
		wanted(50 * MS);
		collector_sample(i % 2 ? "odd" : "even");
	}
	collector_sample(NULL);
}

/* More requests than can wait, from a signal handler too. */
static void handler(int sig)
{
	(void)sig;
	collector_sample("handler");
}

static void flood(long n)
{
	(void)n;
	signal(SIGUSR1, handler);
	for (int i = 0; i < 100000; i++)
		collector_sample("flood");
	raise(SIGUSR1);
}

/* No descriptor is left, so that it cannot wake collect. */
static void unheard(long n)
{
	(void)n;
	wanted(50 * MS);
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0 }))
		exit(99);
	collector_pause();
	unwanted(600 * MS);
	collector_resume();
	wanted(600 * MS);
	collector_sample("unheard");
	wanted(600 * MS);
}

/* The second event of the child is the one that is wanted. */
static void forks(long n)
{
	pid_t pid;

	(void)n;
	collector_region_begin("event");
	unwanted(20 * MS);
	collector_region_end("event");
	pid = fork();
	if (!pid) {
		collector_region_begin("event");
		unwanted(100 * MS);
		collector_region_end("event");
		collector_region_begin("event");
		wanted(100 * MS);
		collector_region_end("event");
		unwanted(100 * MS);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* N events: what is unwanted comes before each, what is wanted is in it. */
static void events(long n)
{
	for (long i = 1; i <= n; i++) {
		unwanted(2 * MS);
		collector_region_begin("event");
		collector_region_begin("part");
		wanted(20 * MS);
		collector_region_end("part");
		collector_region_end(i % 2 ? "event" : NULL);
	}
}

/* Until it is killed. */
static void spins(long n)
{
	(void)n;
	for (;;)
		wanted(10 * MS);
}

static const struct {
	const char *name;
	void (*run)(long n);
} hows[] = {
	{ "pauses", pauses }, { "terminates", terminates }, { "child", child },
	{ "points", points }, { "flood", flood },           { "events", events },
	{ "spins", spins },   { "restarts", restarts },     { "unheard", unheard },
	{ "forks", forks },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(hows) / sizeof(*hows); i++)
		if (!strcmp(hows[i].name, argv[1])) {
			hows[i].run(argc > 2 ? atol(argv[2]) : 0);
			return 0;
		}
	fprintf(stderr, "controlled HOW [N]\n");
	return 2;
}
