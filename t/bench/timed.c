/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed FILE COMMAND…: runs it and appends one line to FILE, what it and the children
 * that it waited for have used:
 *
 *	wall user system   seconds
 *	rss                KiB, the largest of them
 *
 * Exits with the status of the command.  Inside a profiler it measures the target,
 * outside both; the difference is the profiler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int append(const char *path, double wall, const struct rusage *usage)
{
	FILE *f = fopen(path, "a");

	if (!f)
		return -1;
	fprintf(f, "%.6f %.6f %.6f %ld\n", wall, seconds(usage->ru_utime),
		seconds(usage->ru_stime), usage->ru_maxrss);
	return fclose(f);
}

int main(int argc, char **argv)
{
	double start = now();
	struct rusage usage;
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: timed FILE COMMAND…\n");
		return 2;
	}
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 ||
	    append(argv[1], now() - start, &usage) < 0) {
		perror("timed");
		return 99;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
