/* SPDX-License-Identifier: Apache-2.0 */
/* A child that keeps little of its parent's, and has low limits. */
#include "base/child_limits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "scratch.h"
#include "stand_in.h"
#include "tap.h"

/* Pretends that the kernel has no close_range, as before Linux 5.9. */
static bool is_old;

static bool old_kernel(long number, const long *args, long *answer)
{
	(void)args;
	if (number != 436 || !is_old)
		return false;
	errno = ENOSYS;
	*answer = -1;
	return true;
}

/* How FN ends in a child: its exit status, or 1000 plus the signal. */
static int end_of(int (*fn)(void))
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(fn());
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void set(uint64_t memory, uint64_t cpu_s)
{
	child_limits_set(&(struct child_limits){ .memory = memory, .cpu_s = cpu_s });
}

/* ---- memory and time ---- */

enum { MIB = 1 << 20 };

static bool can_have(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0) != MAP_FAILED;
}

static int use_memory(void)
{
	set(64 * MIB, 60);
	return !can_have(48 * MIB) ? 1 : can_have(48 * MIB) ? 2 : 0;
}

static int use_time(void)
{
	struct rlimit now;

	set(64 * MIB, 1);
	if (getrlimit(RLIMIT_CPU, &now) || now.rlim_cur != 1 || now.rlim_max != 2)
		return 1;
	for (;;)
		;
}

static int use_ignored_time(void)
{
	signal(SIGXCPU, SIG_IGN);
	return use_time();
}

static int use_disk(void)
{
	int fd = open("f", O_WRONLY | O_CREAT, 0600);

	set(64 * MIB, 60);
	return write(fd, "x", 1) == 1;
}

static int use_core(void)
{
	struct rlimit now;

	set(64 * MIB, 60);
	return getrlimit(RLIMIT_CORE, &now) || now.rlim_max;
}

static int use_files(void)
{
	int last = 0;

	set(64 * MIB, 60);
	for (int fd = 0; fd >= 0; fd = dup(0))
		last = fd;
	return last != CHILD_FILES_MAX - 1;
}

static int keep_lower(void)
{
	struct rlimit low = { 100, 200 };

	setrlimit(RLIMIT_CPU, &low);
	set(64 * MIB, 300);
	return getrlimit(RLIMIT_CPU, &low) || low.rlim_cur != 100 || low.rlim_max != 200;
}

static void test_limits(void)
{
	if (HAS_SANITIZER) {
		skip(2, "sanitizers take memory, and write reports");
	} else {
		is_i64(end_of(use_memory), 0,
		       "it gets 48 MiB of 64, and not as much again");
		is_i64(end_of(use_disk), 1000 + SIGXFSZ, "it writes no file");
	}
	is_i64(end_of(use_time), 1000 + SIGXCPU, "it ends after a second of CPU time");
	is_i64(end_of(use_ignored_time), 1000 + SIGXCPU,
	       "though its parent ignores that");
	is_i64(end_of(use_core), 0, "it leaves no core");
	is_i64(end_of(use_files), 0, "it opens a limited number of files");
	is_i64(end_of(keep_lower), 0, "a lower limit of the user's stays");
}

/* ---- descriptors ---- */

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* 3 … 9 are open, and 1000. */
static int keep_three(void)
{
	int keep[] = { 7, -1, 5, 7, 1000 };

	for (int fd = 0; fd < 10; fd++)
		dup2(0, fd);
	dup2(0, 1000);
	dup2(0, 999);
	child_keep_files(keep, sizeof(keep) / sizeof(keep[0]));
	for (int fd = 0; fd < 1010; fd++)
		if (is_open(fd) != (fd == 5 || fd == 7 || fd == 1000))
			return 1;
	return 0;
}

static int keep_first(void)
{
	int keep[] = { 1, 0 };

	child_keep_files(keep, 2);
	return !is_open(0) || !is_open(1) || is_open(2);
}

static int keep_none(void)
{
	int keep[] = { -1 };

	child_keep_files(keep, 1);
	return is_open(0) || is_open(2);
}

static void test_descriptors(const char *where)
{
	is_i64(end_of(keep_three), 0, "three are kept, all others closed %s", where);
	is_i64(end_of(keep_first), 0, "the first ones %s", where);
	is_i64(end_of(keep_none), 0, "none %s", where);
}

/* ---- when memory runs out ---- */

static int die_first(void)
{
	char text[16] = "";
	bool read;
	FILE *f;

	child_dies_first();
	f = fopen("/proc/self/oom_score_adj", "re");
	read = f && fgets(text, sizeof(text), f);
	if (f)
		fclose(f);
	return !read || atoi(text) != 1000;
}

int main(void)
{
	char *dir = scratch_make();

	stand_in = old_kernel;
	if (chdir(dir))
		abort();
	test_limits();
	test_descriptors("by close_range");
	is_old = true;
	test_descriptors("one by one");
	is_i64(end_of(die_first), 0, "the child is killed first");
	scratch_remove(dir);
	return done_testing();
}
