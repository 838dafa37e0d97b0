/* SPDX-License-Identifier: Apache-2.0 */
/*
 * woken [TIMES]: threads that wait for each other in known ways, 20 times.  The function that waits, the
 * one that ends the wait, and their threads have names of their own.
 *
 *	take (waiter)    a mutex, until hold (holder) gives it back
 *	eat (eater)      a pipe, until feed (feeder) writes
 *	get (eater)      a TCP socket of this machine, until put (feeder) sends
 *	reap (main)      a child, until it ends
 *	join (main)      a thread, until it ends (brief)
 *	hear (main)      standard input, until whoever has its other end writes
 *	rest (all)       time
 */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
/* the call is not the function's last, which a jump would be */
#define KEEP()   __asm__ volatile("" ::: "memory")

enum { HOLD_MS = 15, REST_MS = 5 };

static int times = 20;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipe_ends[2], socket_ends[2];

static void need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static NOINLINE void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = REST_MS * 1000000L }, NULL);
	KEEP();
}

static NOINLINE void hold(void)
{
	struct timespec begin, now;

	pthread_mutex_lock(&lock);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 +
			 (now.tv_nsec - begin.tv_nsec) / 1000000 <
		 HOLD_MS);
	pthread_mutex_unlock(&lock);
	KEEP();
}

static NOINLINE void take(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	KEEP();
}

static NOINLINE void feed(void)
{
	need(write(pipe_ends[1], "x", 1) == 1, "write");
	KEEP();
}

static NOINLINE void eat(void)
{
	char c;

	need(read(pipe_ends[0], &c, 1) == 1, "read");
	KEEP();
}

static NOINLINE void put(void)
{
	need(send(socket_ends[1], "x", 1, 0) == 1, "send");
	KEEP();
}

static NOINLINE void get(void)
{
	char c;

	need(recv(socket_ends[0], &c, 1, 0) == 1, "recv");
	KEEP();
}

/* Whether there may be more. */
static NOINLINE int hear(void)
{
	char c;
	ssize_t got = read(0, &c, 1);

	need(got >= 0, "read");
	KEEP();
	return got > 0;
}

static NOINLINE void reap(void)
{
	pid_t child = fork();

	need(child >= 0, "fork");
	if (!child) {
		prctl(PR_SET_NAME, "child");
		rest();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	KEEP();
}

static void *brief(void *unused)
{
	prctl(PR_SET_NAME, "brief");
	rest();
	return unused;
}

static NOINLINE void join(void)
{
	pthread_t thread;

	need(!pthread_create(&thread, NULL, brief, NULL), "pthread_create");
	pthread_join(thread, NULL);
	KEEP();
}

static void *holder(void *unused)
{
	prctl(PR_SET_NAME, "holder");
	for (int i = 0; i < times; i++) {
		hold();
		rest();
	}
	return unused;
}

static void *waiter(void *unused)
{
	prctl(PR_SET_NAME, "waiter");
	for (int i = 0; i < times; i++) {
		rest();
		take();
	}
	return unused;
}

static void *feeder(void *unused)
{
	prctl(PR_SET_NAME, "feeder");
	for (int i = 0; i < times; i++) {
		rest();
		feed();
		rest();
		put();
	}
	return unused;
}

static void *eater(void *unused)
{
	prctl(PR_SET_NAME, "eater");
	for (int i = 0; i < times; i++) {
		eat();
		get();
	}
	return unused;
}

static void connect_sockets(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(here);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	need(listener >= 0 && !bind(listener, (struct sockaddr *)&here, len) &&
		     !listen(listener, 1) &&
		     !getsockname(listener, (struct sockaddr *)&here, &len),
	     "listen");
	socket_ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	need(!connect(socket_ends[1], (struct sockaddr *)&here, len), "connect");
	socket_ends[0] = accept(listener, NULL, NULL);
	need(socket_ends[0] >= 0, "accept");
}

int main(int argc, char **argv)
{
	static void *(*const threads[])(void *) = { holder, waiter, feeder, eater };
	enum { THREADS = sizeof(threads) / sizeof(threads[0]) };
	pthread_t started[THREADS];

	if (argc > 1)
		times = atoi(argv[1]);
	need(!pipe(pipe_ends), "pipe");
	connect_sockets();
	for (int i = 0; i < THREADS; i++)
		need(!pthread_create(&started[i], NULL, threads[i], NULL),
		     "pthread_create");
	while (hear())
		;
	for (int i = 0; i < times; i++) {
		reap();
		join();
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(started[i], NULL);
	return 0;
}
