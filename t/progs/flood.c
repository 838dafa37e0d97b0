/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flood WHAT COUNT: makes the kernel write COUNT records of one kind, as fast as it can.
 * WHAT is names (a thread gets new names), forks (children that end at once, each under a
 * name of its own), line (each child forks the next one and ends before it), threads,
 * execs (of this program), maps (executable pages at ever new addresses, one at a time),
 * or files (each mapped to be executed, under a name of its own).  Prints "total NANOSECONDS", its CPU time and that of its children.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void rename_to(unsigned long n)
{
	char name[16];

	snprintf(name, sizeof(name), "n%u", (unsigned)n);
	prctl(PR_SET_NAME, name);
}

static void names(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		rename_to(i);
}

static pid_t fork_or_die(void)
{
	pid_t pid = fork();

	if (pid < 0)
		abort();
	return pid;
}

static void forks(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		pid_t pid = fork_or_die();

		if (!pid) {
			rename_to(i);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* All are reaped by the first, which they are given to when their parents end. */
static void line(unsigned long count)
{
	unsigned long i = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (i < count) {
		if (fork_or_die())
			break;
		i++;
	}
	if (i)
		_exit(0);
	while (wait(NULL) > 0)
		continue;
}

static void *no_work(void *arg)
{
	return arg;
}

static void threads(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, no_work, NULL))
			abort();
		pthread_join(thread, NULL);
	}
}

static void execs(unsigned long count)
{
	char self[] = "flood", what[] = "execs", left[32];
	char *args[] = { self, what, left, NULL };

	if (!count)
		return;
	snprintf(left, sizeof(left), "%lu", count - 1);
	execv("/proc/self/exe", args);
	abort();
}

/* In room that is free: the areas of one that is taken would be too many. */
static void maps(unsigned long count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t len = (count + 1) * 2 * page;
	char *room = mmap(NULL, len, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (room == MAP_FAILED || munmap(room, len))
		abort();
	for (unsigned long i = count; i-- > 0;) {
		void *at = room + i * 2 * page;

		if (mmap(at, page, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			abort();
		munmap(at, page);
	}
}

/* One file, which has another name each time: to create as many takes ten times as long. */
static void files(unsigned long count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char name[32] = "file", next[32];
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)page))
		abort();
	for (unsigned long i = 0; i < count; i++) {
		void *at;

		snprintf(next, sizeof(next), "file.%lu", i);
		if (rename(name, next))
			abort();
		at = mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED || munmap(at, page))
			abort();
		memcpy(name, next, sizeof(name));
	}
	if (unlink(name) || close(fd))
		abort();
}

static const struct {
	const char *name;
	void (*run)(unsigned long count);
} floods[] = {
	{ "names", names },     { "forks", forks }, { "line", line },
	{ "threads", threads }, { "execs", execs }, { "maps", maps },
	{ "files", files },
};

static unsigned long long used_ns(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (unsigned long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) *
		       1000000000 +
	       (unsigned long long)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) *
		       1000;
}

int main(int argc, char **argv)
{
	size_t count = sizeof(floods) / sizeof(floods[0]), i = 0;

	while (i < count && (argc != 3 || strcmp(argv[1], floods[i].name) != 0))
		i++;
	if (i == count) {
		fprintf(stderr,
			"usage: flood names|forks|line|threads|execs|maps|files COUNT\n");
		return 2;
	}
	floods[i].run(strtoul(argv[2], NULL, 10));
	printf("total %llu\n", used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN));
	return 0;
}
