/* SPDX-License-Identifier: Apache-2.0 */
/* With whose rights files are opened that a process names. */
#include "process/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

enum { STRANGER = 54321 };

/* How a process changes itself before we look at it. */
typedef bool become(void);

static bool itself(void)
{
	return true;
}

static bool stranger(void)
{
	return !setgroups(0, NULL) && !setresgid(STRANGER, STRANGER, STRANGER) &&
	       !setresuid(STRANGER, STRANGER, STRANGER);
}

/* Has all capabilities in its own namespace. */
static bool in_own_namespace(void)
{
	return !unshare(CLONE_NEWUSER);
}

static bool stranger_in_own_namespace(void)
{
	return stranger() && in_own_namespace();
}

/* A child that changed itself and waits to be killed; -1: it may not. */
static pid_t start(become *do_become)
{
	int ends[2];
	char done = 0;
	pid_t child;

	if (pipe(ends))
		abort();
	child = fork();
	if (!child) {
		done = do_become();
		if (write(ends[1], &done, 1) != 1)
			_exit(2);
		for (;;)
			pause();
	}
	if (read(ends[0], &done, 1) != 1)
		done = 0;
	close(ends[0]);
	close(ends[1]);
	if (done)
		return child;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return -1;
}

static int open_as(const struct origin *origin, const char *path)
{
	int fd = named_file_open(origin_by(origin), NULL, path);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void test_file(const char *who, become *do_become, const char *path, int expected)
{
	struct origins origins = { 0 };
	struct origin_task task = { 0 };
	pid_t child = start(do_become);

	if (child < 0) {
		skip(2, "user namespaces are not allowed here");
		return;
	}
	ok(origins_of_task(&origins, child, &task), "%s has an origin", who);
	is_i64(open_as(task.origin, path), expected, "%s: root's file", who);
	origins_release(&origins);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void test_gone(void)
{
	struct origins origins = { 0 };
	struct origin_task task = { .inner_pid = 1 };
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	ok(!origins_of_task(&origins, child, &task), "a process that has ended");
	ok(!task.origin && !task.inner_pid, "has no origin");
	origins_release(&origins);
}

/* Files of twenty owners, while a quarter of 64 descriptors may be kept. */
static void test_bound(const char *path)
{
	struct rlimit was, low = { 64, 0 };
	struct origins origins = { 0 };
	struct origin_task task;
	const struct origin *first, *last = NULL;
	int fd = memfd_create("owned", MFD_CLOEXEC);
	bool told = true;

	getrlimit(RLIMIT_NOFILE, &was);
	low.rlim_max = was.rlim_max;
	setrlimit(RLIMIT_NOFILE, &low);
	for (unsigned i = 0; i < 20; i++) {
		told = told && !fchown(fd, STRANGER + i, STRANGER);
		last = origins_of_file(&origins, fd);
		told = told && last && last->by.refused == (i >= 16);
	}
	ok(told, "with a limit of 64 files, sixteen owners are known");
	is_u64(origins.left_out, 4, "the others are counted");
	is_i64(open_as(last, path), -EACCES, "and open nothing");
	ok(fchown(fd, STRANGER, STRANGER) == 0, "the first");
	first = origins_of_file(&origins, fd);
	ok(first && !first->by.refused, "is still known");
	low.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &low);
	ok(origins_of_task(&origins, getpid(), &task) && task.origin->by.refused,
	   "without descriptors a process opens nothing");
	setrlimit(RLIMIT_NOFILE, &was);
	origins_release(&origins);
	close(fd);
}

int main(void)
{
	char *dir = scratch_make();
	char path[300];

	scratch_text(dir, "secret", "root's");
	snprintf(path, sizeof(path), "%s/secret", dir);
	if (chmod(dir, 0755) || chmod(path, 0600))
		abort();
	test_gone();
	test_file("a child like us", itself, path, 0);
	if (geteuid()) {
		skip(12, "only root can become another user");
	} else {
		test_file("another user", stranger, path, -EACCES);
		test_file("another user in a namespace of its own",
			  stranger_in_own_namespace, path, -EACCES);
		test_file("root in a namespace of its own", in_own_namespace, path, 0);
		test_bound("/etc/passwd");
	}
	scratch_remove(dir);
	return done_testing();
}
