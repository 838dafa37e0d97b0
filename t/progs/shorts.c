/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shorts COUNT FIRST SECOND [exec]: COUNT children one after another, each of which goes
 * FIRST thousand times round a loop in first(), and then SECOND thousand times round the
 * same loop in second(); without a system call, so that their shares of the time are
 * those of the numbers.  With "exec" each child executes this program for that.  Prints
 * "user SECONDS", their least time, by the speed of the same loop in the parent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

void first(unsigned long thousands), second(unsigned long thousands);

/* A chain of multiplications, which takes the same time wherever the loop lies. */
static inline __attribute__((always_inline)) void turn(unsigned long thousands)
{
	uint64_t x = thousands;

	for (unsigned long i = 0; i < 1000 * thousands; i++) {
		x = x * 6364136223846793005u + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

FUNCTION void first(unsigned long thousands)
{
	turn(thousands);
}

FUNCTION void second(unsigned long thousands)
{
	turn(thousands);
}

static void run_both(char **argv)
{
	first(strtoul(argv[2], NULL, 10));
	second(strtoul(argv[3], NULL, 10));
	_exit(0);
}

static void run_child(char **argv)
{
	char self[] = "child";
	char *args[] = { argv[0], self, argv[2], argv[3], NULL };

	if (!argv[4])
		run_both(argv);
	execv("/proc/self/exe", args);
	abort();
}

/* The least nanoseconds for a thousand rounds, without any disturbance. */
static double speed(void)
{
	enum { PARTS = 20, THOUSANDS = 1000 };
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < PARTS; i++) {
		uint64_t took, before = thread_cpu_ns();

		turn(THOUSANDS);
		took = thread_cpu_ns() - before;
		best = took < best ? took : best;
	}
	return (double)best / THOUSANDS;
}

int main(int argc, char **argv)
{
	unsigned long count = argc >= 4 ? strtoul(argv[1], NULL, 10) : 0;

	if (argc >= 4 && !strcmp(argv[1], "child"))
		run_both(argv);
	if (!count) {
		fprintf(stderr, "usage: shorts COUNT FIRST SECOND [exec]\n");
		return 2;
	}
	for (unsigned long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			abort();
		if (!pid)
			run_child(argv);
		waitpid(pid, NULL, 0);
	}
	printf("user %.3f\n",
	       (double)count *
		       (double)(strtoul(argv[2], NULL, 10) + strtoul(argv[3], NULL, 10)) *
		       speed() / 1e9);
	return 0;
}
