/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits SHAPE [FILE [TIMES]]: waits in known ways, TIMES as long as usual, and prints for each state how long it waited, in
 * ns, by its own clocks: the time of a call less the CPU time that it took.  The function
 * in_STATE is on the stack of each such wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "waits.h"

const char *const names[STATES] = { "lock",      "sleep",     "pipe",    "network",
				    "poll",      "child",     "timer",   "disk",
				    "datafault", "textfault", "stopped", "wait" };

_Atomic int64_t *waited;

static unsigned times = 1;

static NOINLINE void in_sleep(unsigned ms)
{
	struct timespec t = { .tv_sec = (long)ms * times / 1000,
			      .tv_nsec = (long)ms * times % 1000 * 1000000 };

	WAIT(SLEEP, nanosleep(&t, NULL));
}

/* The thread that has it holds it for MS each time, and others wait for it meanwhile. */
struct lock {
	pthread_mutex_t mutex;
	unsigned ms;
	atomic_int turns;
	_Atomic int64_t waited;
};

static NOINLINE void in_lock(struct lock *l)
{
	uint64_t before = off_cpu();

	WAIT(LOCK, pthread_mutex_lock(&l->mutex));
	l->waited += (int64_t)(off_cpu() - before);
	KEEP();
}

static NOINLINE void in_lock_of_end(pthread_t thread)
{
	WAIT(LOCK, pthread_join(thread, NULL));
}

static NOINLINE void in_pipe(int fd)
{
	char c;

	WAIT(PIPE, (void)!read(fd, &c, 1));
}

static NOINLINE void in_network(int fd)
{
	char c;

	WAIT(NETWORK, recv(fd, &c, 1, 0));
}

static NOINLINE void in_poll(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	WAIT(POLL, poll(&p, 1, -1));
}

static NOINLINE void in_child(pid_t pid, int flags)
{
	WAIT(CHILD, waitpid(pid, NULL, flags));
}

static NOINLINE void in_timer(const sigset_t *set)
{
	WAIT(TIMER, sigwaitinfo(set, NULL));
}

static NOINLINE void in_stopped(void)
{
	WAIT(STOPPED, raise(SIGSTOP));
}

static void end_child(void)
{
	_exit(0);
}

/* ---- shapes ---- */

/* As often as FILE says, if that is a number. */
static void shape_sleep(const char *file)
{
	int n = file && atoi(file) > 0 ? atoi(file) : 10;

	for (int i = 0; i < n; i++)
		in_sleep(20);
}

static void *hold(void *arg)
{
	struct lock *l = arg;

	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&l->mutex);
		l->turns++;
		in_sleep(l->ms);
		pthread_mutex_unlock(&l->mutex);
		in_sleep(1);
	}
	return arg;
}

static void *want(void *arg)
{
	struct lock *l = arg;

	while (l->turns < 5) {
		in_lock(l);
		pthread_mutex_unlock(&l->mutex);
		in_sleep(2);
	}
	return arg;
}

enum { LOCK_THREADS = 4 };

/* One of COUNT threads holds the mutex, the others want it. */
static void start_lock(struct lock *l, pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, i ? want : hold, l))
			fail("thread");
}

static void end_lock(const pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++)
		in_lock_of_end(threads[i]);
}

static struct lock locks[2] = { { .mutex = PTHREAD_MUTEX_INITIALIZER, .ms = 40 },
				{ .mutex = PTHREAD_MUTEX_INITIALIZER, .ms = 25 } };

static void shape_lock(const char *file)
{
	pthread_t threads[LOCK_THREADS];

	(void)file;
	start_lock(&locks[0], threads, 3);
	end_lock(threads, 3);
}

/* "mutex ADDRESS NS THREADS": of each of two, how long how many threads waited for it. */
static void shape_locks(const char *file)
{
	pthread_t threads[2][LOCK_THREADS];

	(void)file;
	for (int l = 0; l < 2; l++)
		start_lock(&locks[l], threads[l], LOCK_THREADS - l);
	for (int l = 0; l < 2; l++)
		end_lock(threads[l], LOCK_THREADS - l);
	for (int l = 0; l < 2; l++)
		printf("mutex %" PRIuPTR " %" PRId64 " %d\n", (uintptr_t)&locks[l].mutex,
		       (int64_t)locks[l].waited, LOCK_THREADS - l - 1);
}

static NOINLINE void in_lock_until(atomic_int *word, unsigned ms)
{
	struct timespec t = { .tv_sec = (long)ms * times / 1000,
			      .tv_nsec = (long)ms * times % 1000 * 1000000 };

	WAIT(LOCK, syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0));
}

/* A child is stopped while it waits for a lock, which it does until a time. */
static void shape_restart(const char *file)
{
	static atomic_int word;
	pid_t pid = fork();
	uint64_t from;

	(void)file;
	if (!pid) {
		in_lock_until(&word, 100);
		end_child();
	}
	in_sleep(30);
	kill(pid, SIGSTOP);
	in_child(pid, WUNTRACED);
	from = now(CLOCK_MONOTONIC);
	in_sleep(15);
	from -= now(CLOCK_MONOTONIC);
	kill(pid, SIGCONT);
	in_child(pid, 0);
	waited[LOCK] += (int64_t)from;
	waited[STOPPED] -= (int64_t)from;
	printf("mutex %" PRIuPTR " %" PRId64 "\n", (uintptr_t)&word,
	       (int64_t)waited[LOCK]);
}

/* A child that writes a byte every 20 ms. */
static pid_t writer(int fd, int bytes)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (int i = 0; i < bytes; i++) {
		in_sleep(20);
		(void)!write(fd, "x", 1);
	}
	end_child();
	return 0;
}

static void shape_pipe(const char *file)
{
	int fds[2], ends[2];
	pid_t pid;

	(void)file;
	if (pipe(fds) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		fail("pipe");
	pid = writer(fds[1], 6);
	for (int i = 0; i < 6; i++)
		in_pipe(fds[0]);
	in_child(pid, 0);
	pid = writer(ends[1], 6);
	for (int i = 0; i < 6; i++)
		in_pipe(ends[0]);
	in_child(pid, 0);
}

static void shape_network(const char *file)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), s;
	pid_t pid;

	(void)file;
	if (bind(l, (void *)&a, len) || listen(l, 1) ||
	    getsockname(l, (void *)&a, &len) || connect(c, (void *)&a, len))
		fail("socket");
	s = accept(l, NULL, NULL);
	pid = writer(c, 10);
	for (int i = 0; i < 10; i++)
		in_network(s);
	in_child(pid, 0);
}

static void shape_poll(const char *file)
{
	int fds[2];
	char c;
	pid_t pid;

	(void)file;
	if (pipe(fds))
		fail("pipe");
	pid = writer(fds[1], 10);
	for (int i = 0; i < 10; i++) {
		in_poll(fds[0]);
		(void)!read(fds[0], &c, 1);
	}
	in_child(pid, 0);
}

static void shape_child(const char *file)
{
	(void)file;
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid) {
			in_sleep(40);
			end_child();
		}
		in_child(pid, 0);
	}
}

static void shape_timer(const char *file)
{
	sigset_t set;

	(void)file;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid) {
			in_sleep(40);
			kill(getppid(), SIGUSR1);
			end_child();
		}
		in_timer(&set);
		in_child(pid, 0);
	}
}

static void shape_stopped(const char *file)
{
	pid_t pid = fork();

	(void)file;
	if (!pid) {
		for (int i = 0; i < 5; i++)
			in_stopped();
		end_child();
	}
	for (int i = 0; i < 5; i++) {
		in_child(pid, WUNTRACED);
		in_sleep(40);
		kill(pid, SIGCONT);
	}
	in_child(pid, 0);
}

/* Both have CPU 0, until each used 200 ms of it. */
static void *spin(void *arg)
{
	cpu_set_t cpus;
	uint64_t from;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	from = off_cpu();
	while (now(CLOCK_THREAD_CPUTIME_ID) < 200000000)
		KEEP();
	waited[CPU] += (int64_t)(off_cpu() - from);
	return arg;
}

static void shape_wait(const char *file)
{
	pthread_t threads[2];

	(void)file;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, spin, NULL))
			fail("thread");
	for (int i = 0; i < 2; i++)
		in_lock_of_end(threads[i]);
}

static void *sleep_once(void *arg)
{
	in_sleep(3);
	return arg;
}

/* Two thousand threads, fifty at a time. */
static void shape_threads(const char *file)
{
	enum { AT_ONCE = 50 };
	pthread_t threads[AT_ONCE];

	(void)file;
	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			if (pthread_create(&threads[i], NULL, sleep_once, NULL))
				fail("thread");
		for (int i = 0; i < AT_ONCE; i++)
			in_lock_of_end(threads[i]);
	}
}

enum { SLEEPERS = 32 };

static atomic_int asleep;

static void *sleep_long(void *arg)
{
	for (int i = 0; i < 4; i++)
		in_sleep(300);
	asleep--;
	return arg;
}

/* Threads that sleep on a CPU on which two processes switch all the time. */
static void shape_beside(const char *file)
{
	int there[2], back[2];
	pthread_t threads[SLEEPERS];
	cpu_set_t cpus;
	char c = 0;

	(void)file;
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	if (pipe(there) || pipe(back))
		fail("pipe");
	if (!fork()) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
			;
		end_child();
	}
	asleep = SLEEPERS;
	for (int i = 0; i < SLEEPERS; i++)
		if (pthread_create(&threads[i], NULL, sleep_long, NULL))
			fail("thread");
	while (asleep && write(there[1], &c, 1) == 1)
		(void)!read(back[0], &c, 1);
	close(there[1]);
	for (int i = 0; i < SLEEPERS; i++)
		pthread_join(threads[i], NULL);
	wait(NULL);
}

/* N switches a second from one process to another and back: how much a switch costs. */
static void shape_pingpong(const char *file)
{
	int there[2], back[2], n = file ? atoi(file) : 20000;
	uint64_t from, turn, longest = 0;
	char c = 0;

	if (pipe(there) || pipe(back))
		fail("pipe");
	if (!fork()) {
		for (int i = 0; i < n; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				break;
		end_child();
	}
	from = turn = now(CLOCK_MONOTONIC);
	for (int i = 0; i < n; i++) {
		uint64_t began = turn;

		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			fail("pipe");
		turn = now(CLOCK_MONOTONIC);
		if (turn - began > longest)
			longest = turn - began;
	}
	printf("round %" PRIu64 "\n", (turn - from) / (unsigned)n);
	printf("turns from %" PRIu64 " until %" PRIu64 " longest %" PRIu64 "\n", from,
	       turn, longest);
	wait(NULL);
}

static const struct {
	const char *name;
	void (*run)(const char *file);
} shapes[] = {
	{ "sleep", shape_sleep },         { "lock", shape_lock },
	{ "locks", shape_locks },         { "restart", shape_restart },
	{ "pipe", shape_pipe },           { "network", shape_network },
	{ "poll", shape_poll },           { "child", shape_child },
	{ "timer", shape_timer },         { "stopped", shape_stopped },
	{ "wait", shape_wait },           { "disk", shape_disk },
	{ "datafault", shape_datafault }, { "textfault", shape_textfault },
	{ "pages", shape_pages },         { "threads", shape_threads },
	{ "beside", shape_beside },       { "pingpong", shape_pingpong },
};

int main(int argc, char **argv)
{
	waited = mmap(NULL, STATES * sizeof(*waited), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc > 3)
		times = (unsigned)atoi(argv[3]);
	for (size_t i = 0; argc > 1 && i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (strcmp(argv[1], shapes[i].name) != 0)
			continue;
		shapes[i].run(argv[2]);
		for (int s = 0; s < STATES; s++)
			if (waited[s] > 0)
				printf("%s %" PRId64 "\n", names[s], (int64_t)waited[s]);
		return 0;
	}
	fprintf(stderr, "usage: waits SHAPE [FILE [TIMES]]\n");
	return 2;
}
