/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misworded HOW…: wrong and rare uses of libcollector.h, one after another, and a line of
 * what it did for each.  Between its calls time passes: two are never at one instant.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ringprof/libcollector.h"

static const char *self;

/* "a" around "b" ends first, "c" ends without a begin, "d" and "e" never end. */
static void mistakes(void)
{
	collector_region_begin("a");
	collector_region_begin("b");
	collector_region_end("a");
	collector_region_end("c");
	collector_region_end(NULL);
	collector_region_begin("d");
	collector_region_begin("e");
}

static void deep(void)
{
	for (int i = 0; i < 300; i++)
		collector_region_begin("deep");
	for (int i = 0; i < 300; i++)
		collector_region_end("deep");
}

/* More than the room for names, each in its own buffer's place. */
static void many_names(void)
{
	char name[64];

	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		collector_region_begin(name);
		collector_region_end(name);
	}
}

/* As many of the shortest names as there is room for, and one more. */
static void brim(void)
{
	char name[16];

	for (unsigned i = 0; i < 16384; i++) {
		snprintf(name, sizeof(name), "%07u", i);
		collector_region_begin(name);
		collector_region_end(name);
	}
}

static void long_name(void)
{
	static char name[10001];

	memset(name, 'x', sizeof(name) - 1);
	collector_region_begin(name);
	collector_region_end(name);
}

/* Faster than anybody can read: counted, whole or not at all. */
static void flood(void)
{
	for (int i = 0; i < 1000000; i++) {
		collector_region_begin("flood");
		collector_region_end("flood");
	}
}

static void spin(void)
{
	for (volatile int i = 0; i < 3000000; i++)
		;
}

static void child(void)
{
	pid_t pid;

	collector_region_begin("parent");
	pid = fork();
	if (!pid) {
		collector_region_begin("child");
		spin();
		collector_region_end("child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	collector_region_end("parent");
}

static void killed(void)
{
	pid_t pid = fork();

	if (!pid) {
		collector_region_begin("kept");
		spin();
		collector_region_end("kept");
		collector_region_begin("killed");
		spin();
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
}

static void executed(void)
{
	pid_t pid = fork();

	if (!pid) {
		collector_region_begin("before");
		spin();
		collector_region_end("before");
		execl("/proc/self/exe", self, "after", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void after(void)
{
	collector_region_begin("after");
	spin();
	collector_region_end("after");
}

static void *short_thread(void *how)
{
	collector_region_begin("thread");
	collector_region_end("thread");
	if (how)
		pthread_exit(NULL);
	return NULL;
}

/* More threads than slots, but not at once. */
static void threads(void)
{
	for (int i = 0; i < 1500; i++) {
		pthread_t t;

		if (!pthread_create(&t, NULL, short_thread, i % 2 ? &t : NULL))
			pthread_join(t, NULL);
	}
}

static pthread_barrier_t all_there;

static void *one_of_many(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < 3000; i++) {
		collector_region_begin("one of many");
		collector_region_end("one of many");
	}
	pthread_barrier_wait(&all_there);
	return NULL;
}

/* Forty threads at once, each of which needs several pieces of memory. */
static void together(void)
{
	enum { MANY = 40 };
	pthread_t t[MANY];

	pthread_barrier_init(&all_there, NULL, MANY);
	for (int i = 0; i < MANY; i++)
		if (pthread_create(&t[i], NULL, one_of_many, NULL))
			exit(99);
	for (int i = 0; i < MANY; i++)
		pthread_join(t[i], NULL);
}

/* Nine tenths of the addresses that ulimit -v allows are still the program's. */
static void frugal(void)
{
	struct rlimit limit;

	after();
	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		exit(99);
	if (mmap(NULL, limit.rlim_cur / 10 * 9, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0) == MAP_FAILED)
		exit(1);
}

/* Its addresses, all of which mlockall(2) would fill with memory. */
static void size(void)
{
	char line[128];
	FILE *status;

	after();
	status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "VmSize:", 7))
			fputs(line, stdout);
	if (status)
		fclose(status);
}

static void in_handler(int sig)
{
	(void)sig;
	collector_region_begin("handler");
	collector_region_end("handler");
}

static void handler(void)
{
	signal(SIGUSR1, in_handler);
	for (int i = 0; i < 100; i++) {
		collector_region_begin("outer");
		raise(SIGUSR1);
		collector_region_end("outer");
	}
}

enum { FORKS = 300 };
static volatile sig_atomic_t forks, deaths, is_forked;

/* Its child goes on where the handler was called, its parent waits until it has ended. */
static void fork_in_handler(int sig)
{
	const pid_t pid = fork();
	int status;

	(void)sig;
	if (!pid) {
		is_forked = 1;
		return;
	}
	forks++;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		deaths++;
	if (forks < FORKS)
		setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 200 },
			  NULL);
}

/* Calls of all kinds, in the midst of which the program forks; by then its names are known. */
static void forking(void)
{
	char name[32];

	signal(SIGALRM, fork_in_handler);
	for (unsigned i = 0; forks < FORKS && !is_forked; i++) {
		if (i == 100)
			raise(SIGALRM);
		snprintf(name, sizeof(name), "forking %u", i % 100);
		collector_region_begin("forking");
		collector_region_begin(name);
		collector_region_end(NULL);
		collector_region_end("forking");
		if (i % 8 == 0)
			collector_sample(name);
	}
	if (is_forked) {
		collector_region_begin("forked");
		collector_region_end("forked");
		_exit(0);
	}
	if (deaths)
		exit(1);
}

/* Until all that was said before is read, even by a slow collect. */
static void settles(void)
{
	struct timespec rest = { .tv_sec = 1 };

	while (nanosleep(&rest, &rest))
		;
}

/* Faster than anybody can read. */
static void requests(void)
{
	for (int i = 0; i < 3000; i++)
		collector_sample("asked for");
}

/* Another program takes over in the middle of a region. */
static void replaced(void)
{
	collector_region_begin("replaced");
	spin();
	execl("/proc/self/exe", self, "after", (char *)NULL);
}

/* Long regions end just before another program takes over. */
static void setup(void)
{
	collector_region_begin("all");
	collector_region_begin("setup");
	for (int i = 0; i < 60; i++)
		spin();
	collector_region_end("setup");
	collector_region_end("all");
	execl("/proc/self/exe", self, "after", (char *)NULL);
}

static jmp_buf outside;

static void leaps(void)
{
	collector_region_begin("around");
	if (!setjmp(outside)) {
		collector_region_begin("left by a leap");
		longjmp(outside, 1);
	}
	collector_region_end("around");
}

static void *leave(void *unused)
{
	(void)unused;
	collector_region_begin("left by its thread");
	pthread_exit(NULL);
}

static void leaves(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, leave, NULL))
		pthread_join(t, NULL);
}

static void at_exit(void)
{
	collector_region_begin("at exit");
	spin();
	collector_region_end("at exit");
}

static int exits;

static __attribute__((destructor)) void destroy(void)
{
	if (!exits)
		return;
	collector_region_begin("destructor");
	spin();
	collector_region_end("destructor");
}

static void destructors(void)
{
	exits = 1;
	atexit(at_exit);
}

/* From here on the kernel refuses all but the C library's own needs; threads are refused, too. */
static void confined(void)
{
#define ALLOW(CALL)                                                                      \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##CALL, 0, 1),                          \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(write),
		ALLOW(exit_group),
		ALLOW(newfstatat),
		ALLOW(brk),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog filter = { sizeof(rules) / sizeof(*rules), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		exit(77);
	for (int i = 0; i < 100000; i++) {
		collector_region_begin("confined");
		collector_region_end("confined");
	}
}

/* The first use of libcollector.h was before. */
static void confined_later(void)
{
	after();
	confined();
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "mistakes", mistakes },
	{ "deep", deep },
	{ "names", many_names },
	{ "long", long_name },
	{ "flood", flood },
	{ "child", child },
	{ "killed", killed },
	{ "executed", executed },
	{ "after", after },
	{ "threads", threads },
	{ "handler", handler },
	{ "requests", requests },
	{ "replaced", replaced },
	{ "leaps", leaps },
	{ "leaves", leaves },
	{ "destructors", destructors },
	{ "setup", setup },
	{ "confined", confined },
	{ "confined_later", confined_later },
	{ "together", together },
	{ "frugal", frugal },
	{ "size", size },
	{ "forking", forking },
	{ "settles", settles },
	{ "brim", brim },
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (int i = 1; i < argc; i++)
		for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++)
			if (!strcmp(ways[w].name, argv[i])) {
				ways[w].run();
				printf("%s\n", argv[i]);
			}
	return 0;
}
