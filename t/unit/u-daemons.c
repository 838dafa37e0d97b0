/* SPDX-License-Identifier: Apache-2.0 */
/* Which recorded processes still run, by a simulated /proc. */
#include "process/daemons.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"
#include "tasks_world.h"

#define SECOND 1000000000u

static void put(const char *root, int pid, char state, uint64_t started_ns)
{
	char *path = xasprintf("proc/%d/stat", pid);
	char *line = xasprintf(
		"%d (x) %c 1 9 1 0 -1 1 1 1 1 1 1 1 1 1 20 0 1 0 %llu 6\n", pid, state,
		(unsigned long long)(started_ns /
				     (SECOND / (uint64_t)sysconf(_SC_CLK_TCK))));

	scratch_text(root, path, line);
	free(line);
	free(path);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

static void test_find(void)
{
	struct world w;
	struct tasks *t = &w.tasks;
	char *root = scratch_make();
	/* a pause between the two makes processes older, not younger */
	uint64_t boot = clock_ns(CLOCK_BOOTTIME);
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	pid_vec pids = { 0 };

	world_open(&w);
	tasks_thread(t, 10, 10);
	for (uint32_t pid = 11; pid <= 15; pid++)
		tasks_fork(t, pid, 10, pid, SECOND);
	tasks_exit(t, 12);
	put(root, 11, 'S', boot + SECOND);
	put(root, 12, 'S', boot + SECOND); /* its end was recorded */
	put(root, 13, 'Z', boot + SECOND);
	put(root, 14, 'R', boot + 2 * SECOND); /* another one has the number now */
	/* of 15 the end was not recorded, and nobody has its number */
	put(root, 16, 'R', boot + SECOND); /* not ours */
	daemons_find(t, start, root, &pids);
	is_u64(pids.len, 1, "one runs");
	is_i64(pids.len ? pids.data[0] : 0, 11, "the one that is known to");
	vec_release(&pids);
	world_read(&w);
	world_close(&w);
	scratch_remove(root);
}

int main(void)
{
	test_find();
	return done_testing();
}
