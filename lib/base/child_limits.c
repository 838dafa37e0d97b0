/* SPDX-License-Identifier: Apache-2.0 */
#include "base/child_limits.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sanitizer.h"

/* ---- memory and time ---- */

/* The user's own limit may be lower. */
static void limit(int resource, uint64_t most, uint64_t at_last)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return;
	now.rlim_cur = now.rlim_cur < most ? now.rlim_cur : most;
	now.rlim_max = now.rlim_max < at_last ? now.rlim_max : at_last;
	setrlimit(resource, &now);
}

/* The memory that RLIMIT_DATA counts: the parent's, as the fork copied it. */
static uint64_t own_memory(void)
{
	FILE *f = file_fopen("", "/proc/self/statm");
	unsigned long long pages;
	uint64_t bytes = UINT64_MAX;

	/* total, resident, shared, code, a zero, data */
	if (f && fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages) == 1)
		bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
	if (f)
		fclose(f);
	return bytes;
}

static void limit_memory(uint64_t more)
{
	uint64_t own = own_memory();

	if (own < UINT64_MAX - more)
		limit(RLIMIT_DATA, own + more, own + more);
}

void child_limits_set(const struct child_limits *limits)
{
	enum { STACK_MAX = 64 << 20 };

	if (!HAS_SANITIZER) {
		limit_memory(limits->memory);
		limit(RLIMIT_STACK, STACK_MAX, STACK_MAX);
		limit(RLIMIT_FSIZE, 0, 0);
	}
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_NOFILE, CHILD_FILES_MAX, CHILD_FILES_MAX);
	signal(SIGXCPU, SIG_DFL);
	limit(RLIMIT_CPU, limits->cpu_s, limits->cpu_s + 1);
}

/* ---- descriptors ---- */

enum {
	NR_CLOSE_RANGE = 436, /* the same for every machine; Linux 5.9 */
	/* Without that call: more than any of our programs opens. */
	NUMBERS_MAX = 1 << 16,
};

static void close_from_to(unsigned first, unsigned last)
{
	if (first > last || !syscall(NR_CLOSE_RANGE, first, last, 0))
		return;
	for (unsigned fd = first; fd <= last && fd < NUMBERS_MAX; fd++)
		close((int)fd);
}

static int by_number(const void *va, const void *vb)
{
	const int *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

void child_keep_files(int *keep, size_t count)
{
	unsigned next = 0;

	if (count)
		qsort(keep, count, sizeof(*keep), by_number);
	for (size_t i = 0; i < count; i++) {
		if (keep[i] < 0 || (unsigned)keep[i] < next)
			continue;
		if (keep[i])
			close_from_to(next, (unsigned)keep[i] - 1);
		next = (unsigned)keep[i] + 1;
	}
	close_from_to(next, INT_MAX);
}

/* ---- when memory runs out ---- */

void child_dies_first(void)
{
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC), error;

	if (fd < 0)
		return;
	error = file_write(fd, most, sizeof(most) - 1);
	(void)error; /* then it is as likely to be killed as the others */
	close(fd);
}
