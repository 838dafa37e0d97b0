/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd processes|threads COUNT: that many that wait, until standard input ends.  Prints
 * "ready" once all are there.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* All descriptors of standard input are at its end together. */
static void *wait_for_the_end(void *nothing)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return nothing;
}

static int start_process(void)
{
	pid_t pid = fork();

	if (!pid) {
		wait_for_the_end(NULL);
		_exit(0);
	}
	return pid < 0;
}

static int start_thread(void)
{
	pthread_t thread;
	pthread_attr_t attr;

	return pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, 64 << 10) ||
	       pthread_create(&thread, &attr, wait_for_the_end, NULL);
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	int threads = argc == 3 && !strcmp(argv[1], "threads");

	if (!count || (!threads && strcmp(argv[1], "processes"))) {
		fprintf(stderr, "usage: crowd processes|threads COUNT\n");
		return 2;
	}
	for (unsigned long i = 0; i < count; i++)
		if (threads ? start_thread() : start_process()) {
			perror("crowd");
			return 1;
		}
	puts("ready");
	fflush(stdout);
	wait_for_the_end(NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
