/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holes PID FILE: keeps in FILE, in hundredths of a second, for how long CPUs took no interrupts.
 * It goes on in the background, as the process whose number it prints, until process PID ends.
 *
 * A hypervisor that takes a CPU without saying so (no steal time in /proc/stat) stops all on it,
 * but not the clock, which counts on for the program that had the CPU.  What shows it is a timer
 * that comes late: a thread on each CPU sleeps again and again, and compares the time at which it
 * woke up with that for which it asked, less what it then waited for the CPU.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

enum { SLEEP_NS = 4000000, LATE_NS = 1000000, TICK_NS = 10000000 };

static struct {
	pthread_mutex_t lock;
	int fd;
	int64_t ns;
} holes = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static void add(int64_t ns)
{
	pthread_mutex_lock(&holes.lock);
	holes.ns += ns;
	/* A number never gets shorter, so that no rest of an earlier one stays. */
	if (lseek(holes.fd, 0, SEEK_SET) ||
	    dprintf(holes.fd, "%lld\n", (long long)(holes.ns / TICK_NS)) < 0)
		perror("holes");
	pthread_mutex_unlock(&holes.lock);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* How long the thread whose schedstat FD is was ready without a CPU (sched-stats in the kernel's
   documentation); 0 if the kernel does not say. */
static int64_t waited(int fd)
{
	char text[100];
	ssize_t len = pread(fd, text, sizeof(text) - 1, 0);
	long long ns = 0;

	text[len > 0 ? len : 0] = '\0';
	return sscanf(text, "%*s %lld", &ns) == 1 ? ns : 0;
}

static void *watch(void *arg)
{
	int fd = open("/proc/thread-self/schedstat", O_RDONLY);
	size_t cpu = (size_t)(uintptr_t)arg;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return NULL;
	for (;;) {
		int64_t before = waited(fd);
		int64_t due = now() + SLEEP_NS;
		struct timespec t = { .tv_sec = due / 1000000000,
				      .tv_nsec = due % 1000000000 };
		int64_t late;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		late = now() - due - (waited(fd) - before);
		if (late >= LATE_NS)
			add(late);
	}
}

int main(int argc, char **argv)
{
	const struct sched_param first = { .sched_priority = 1 };
	struct pollfd ended = { .fd = -1, .events = POLLIN };
	cpu_set_t cpus;
	pthread_t thread;
	pid_t child;

	if (argc != 3) {
		fputs("usage: holes PID FILE\n", stderr);
		return 2;
	}
	ended.fd = (int)syscall(SYS_pidfd_open, atoi(argv[1]), 0);
	holes.fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (ended.fd < 0 || holes.fd < 0 || sched_getaffinity(0, sizeof(cpus), &cpus)) {
		perror("holes");
		return 1;
	}
	add(0);
	switch (child = fork()) {
	case -1:
		perror("holes");
		return 1;
	case 0:
		close(STDOUT_FILENO);
		break;
	default:
		printf("%ld\n", (long)child);
		return 0;
	}
	/* Only root may: without it the threads wait longer for a CPU, and their own sleep tells
	   how long where the kernel does. */
	sched_setscheduler(0, SCHED_FIFO, &first);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus) &&
		    pthread_create(&thread, NULL, watch, (void *)(uintptr_t)cpu))
			return 1;
	while (poll(&ended, 1, -1) < 0)
		;
	return 0;
}
