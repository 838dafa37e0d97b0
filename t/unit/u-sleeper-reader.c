/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc of threads that sleep, in another thread: also files that never answer. */
#include "process/sleeper_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"
#include "wait/call_cause.h"

/* Until the answers are there: COUNT. */
static struct sleeper *await(struct sleeper_reader *r, size_t *count)
{
	struct sleeper *answers = NULL;
	uint64_t spent;

	for (int i = 0; i < 3000 && !answers; i++) {
		answers = sleeper_reader_answers(r, count, &spent);
		if (!answers)
			poll(NULL, 0, 10);
	}
	return answers;
}

static pid_t start_sleeping(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void test_reader(void)
{
	pid_t pid = start_sleeping();
	struct sleeper_reader r;
	struct sleeper *answers;
	size_t count, added = 0;

	sleeper_reader_init(&r, "", call_cause_wants_file);
	ok(sleeper_reader_get(&r), "a reader");
	ok(sleeper_reader_add(&r, (uint32_t)pid, (uint32_t)pid, 8192), "takes a thread");
	sleeper_reader_send(&r, 1);
	ok(!sleeper_reader_get(&r), "is busy");
	answers = await(&r, &count);
	is_u64(count, 1, "and answers");
	ok(answers && (!answers[0].error || answers[0].error == -EAGAIN),
	   "with what it read");
	sleeper_reader_done(&r);
	ok(sleeper_reader_get(&r), "it is free again");
	while (sleeper_reader_add(&r, (uint32_t)pid, (uint32_t)pid, 8192))
		added++;
	is_u64(added, SLEEPERS_MAX, "it takes so many at a time");
	sleeper_reader_release(&r);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void make(const char *root, const char *below, bool fifo)
{
	char *path = xasprintf("%s%s", root, below);

	if (fifo ? mkfifo(path, 0600) : mkdir(path, 0700))
		abort();
	free(path);
}

/* The file of process PID is a FIFO that nobody opens to write. */
static void make_fifo(const char *root, unsigned pid)
{
	char *path;

	for (unsigned depth = 0; depth < 4; depth++) {
		path = depth == 0   ? xasprintf("/proc/%u", pid)
		       : depth == 1 ? xasprintf("/proc/%u/task", pid)
		       : depth == 2 ? xasprintf("/proc/%u/task/%u", pid, pid)
				    : xasprintf("/proc/%u/task/%u/syscall", pid, pid);
		make(root, path, depth == 3);
		free(path);
	}
}

/* Until the file is being read, which a writer does not wait for: its descriptor. */
static int await_reader(const char *root, unsigned pid)
{
	char *path = xasprintf("%s/proc/%u/task/%u/syscall", root, pid, pid);
	int fd = -1;

	for (int i = 0; i < 3000 && fd < 0; i++) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			poll(NULL, 0, 10);
	}
	free(path);
	return fd;
}

/* Sends PID between two others, in rounds until it is left behind: how many are to be read anew. */
static size_t hang(struct sleeper_reader *r, const char *root, unsigned pid,
		   struct sleeper_again *again, int *fd)
{
	size_t count = 0;
	uint64_t now = 1;

	if (!sleeper_reader_get(r) || !sleeper_reader_add(r, 7, 7, 4096) ||
	    !sleeper_reader_add(r, pid, pid, 8192) || !sleeper_reader_add(r, 8, 9, 4096))
		return 0;
	sleeper_reader_send(r, now);
	*fd = await_reader(root, pid);
	for (int i = 0; i < 8 && !count; i++) {
		now += SLEEPER_ROUND_NS;
		count = sleeper_reader_check(r, now, again);
	}
	return count;
}

static void test_stuck(void)
{
	struct sleeper_again again[SLEEPERS_MAX];
	char *root = scratch_make();
	struct sleeper_reader r;
	int fds[SLEEPER_READERS] = { -1, -1, -1, -1 };
	size_t count;

	make(root, "/proc", false);
	for (unsigned i = 0; i < SLEEPER_READERS; i++)
		make_fifo(root, 20 + i);
	sleeper_reader_init(&r, root, call_cause_wants_file);
	is_u64(hang(&r, root, 20, again, &fds[0]), 2,
	       "a process whose file never answers: the others are to be read anew");
	ok(again[0].tid == 7 && again[0].room == 4096 && again[1].tid == 9,
	   "before and behind it");
	ok(sleeper_reader_avoids(&r, 20) && !sleeper_reader_avoids(&r, 7),
	   "it is not read again, but others are");
	ok(sleeper_reader_get(&r) && sleeper_reader_add(&r, 7, 7, 4096), "such as this");
	sleeper_reader_send(&r, 1);
	await(&r, &count);
	is_u64(count, 1, "which has an answer");
	sleeper_reader_done(&r);
	for (unsigned i = 1; i < SLEEPER_READERS; i++)
		is_u64(hang(&r, root, 20 + i, again, &fds[i]), 2, "another one");
	ok(!sleeper_reader_get(&r) && sleeper_reader_is_exhausted(&r),
	   "so many at once: nothing is read");
	is_u64(r.stuck, SLEEPER_READERS, "all are counted");
	close(fds[2]);
	fds[2] = -1;
	for (int i = 0; i < 3000 && sleeper_reader_is_exhausted(&r); i++) {
		sleeper_reader_check(&r, 1, again);
		poll(NULL, 0, 10);
	}
	ok(sleeper_reader_get(&r), "until one comes back");
	sleeper_reader_release(&r);
	for (unsigned i = 0; i < SLEEPER_READERS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	scratch_remove(root);
}

/* The owner and its thread were stopped meanwhile. */
static void test_late(void)
{
	struct sleeper_again again[SLEEPERS_MAX];
	char *root = scratch_make();
	struct sleeper_reader r;
	int fd;

	make(root, "/proc", false);
	make_fifo(root, 20);
	sleeper_reader_init(&r, root, call_cause_wants_file);
	ok(sleeper_reader_get(&r) && sleeper_reader_add(&r, 20, 20, 4096) &&
		   sleeper_reader_add(&r, 21, 21, 4096),
	   "a file that takes its time");
	sleeper_reader_send(&r, 1);
	fd = await_reader(root, 20);
	is_u64(sleeper_reader_check(&r, 1, again), 0, "is waited for");
	is_u64(sleeper_reader_check(&r, 100 * SLEEPER_STUCK_NS, again), 0,
	       "and a late round does not count as many");
	ok(r.sent && !r.stuck, "it is not left behind");
	close(fd);
	sleeper_reader_release(&r);
	scratch_remove(root);
}

int main(void)
{
	test_reader();
	test_stuck();
	test_late();
	return done_testing();
}
