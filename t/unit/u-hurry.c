/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that somebody with real-time priority waits for have it too, before they first
 * run: on a busy machine that may take long.  Here it takes for ever, as the one CPU is his.
 */
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "process/helper.h"
#include "recording/crew.h"
#include "base/xalloc.h"
#include "tap.h"

enum { MEMBERS = 3, SECOND_NS = 1000000000 };

/* Threads of this process with that scheduling policy. */
static unsigned threads_with(int policy)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	unsigned count = 0;

	while (tasks && (entry = readdir(tasks)))
		if (entry->d_name[0] != '.')
			count += (sched_getscheduler(atoi(entry->d_name)) &
				  ~SCHED_RESET_ON_FORK) == policy;
	if (tasks)
		closedir(tasks);
	return count;
}

static bool take_one_cpu(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	return !sched_setaffinity(0, sizeof(one), &one) &&
	       !sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

static void do_nothing(struct helper *h)
{
	(void)h;
}

static void drop(struct helper *h)
{
	free(h);
}

static struct helper *start(bool hurries)
{
	static const struct helper_kind slow = { .work = do_nothing, .free = drop };
	static const struct helper_kind fast = { .work = do_nothing,
						 .free = drop,
						 .hurries = true };
	struct helper *h = xcalloc(1, sizeof(*h));

	return helper_start(h, hurries ? &fast : &slow) ? h : NULL;
}

static void test_helpers(void)
{
	const unsigned before = threads_with(SCHED_RR);
	struct helper *slow = start(false), *fast = start(true);

	is_u64(threads_with(SCHED_RR) - before, 1, "a helper that hurries");
	helper_hurry(slow);
	is_u64(threads_with(SCHED_RR) - before, 2, "another one, from now on");
	ok(helper_ask(slow, helper_now_ns() + SECOND_NS) &&
		   helper_ask(fast, helper_now_ns() + SECOND_NS),
	   "both do their work");
	helper_end(slow);
	helper_end(fast);
}

static void look(void *ctx, size_t member)
{
	if (member == 0)
		*(unsigned *)ctx = threads_with(SCHED_RR);
}

static void test_crew(void)
{
	const unsigned before = threads_with(SCHED_RR);
	struct crew *crew = crew_start(MEMBERS);
	unsigned hurry = 0;

	crew_do(crew, look, &hurry);
	is_u64(hurry - before, MEMBERS - 1, "a crew's members, in its first share");
	crew_end(crew);
}

int main(void)
{
	if (!take_one_cpu())
		skip_all("no real-time priority is allowed");
	test_crew();
	test_helpers();
	return done_testing();
}
