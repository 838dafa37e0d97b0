/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forks COUNT MS: COUNT children one after another, each of which spends MS in child();
 * the last becomes another program: this one, which spends MS in after_exec().  Prints
 * "total NANOSECONDS", the CPU time of all of them by wait4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

void child(uint64_t ns), after_exec(uint64_t ns);

FUNCTION void child(uint64_t ns)
{
	spin_ns(ns);
}

FUNCTION void after_exec(uint64_t ns)
{
	spin_ns(ns);
}

static void run_child(char **argv, int last)
{
	char self[] = "after-exec";
	char *args[] = { argv[0], self, argv[2], NULL };

	child(parse_ms(argv[2]) * 1000000);
	if (!last)
		_exit(0);
	execv("/proc/self/exe", args);
	abort();
}

static uint64_t microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int count = argc == 3 ? atoi(argv[1]) : 0;

	if (argc == 3 && !strcmp(argv[1], "after-exec")) {
		after_exec(parse_ms(argv[2]) * 1000000);
		return 0;
	}
	if (count < 1) {
		fprintf(stderr, "usage: forks COUNT MS\n");
		return 2;
	}
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			abort();
		if (!pid)
			run_child(argv, i == count - 1);
		waitpid(pid, NULL, 0);
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("total %llu\n", (unsigned long long)(microseconds(usage.ru_utime) +
						    microseconds(usage.ru_stime)) *
				       1000);
	return 0;
}
