/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do one thing together: many in little memory, and one that has none left. */
#include "recording/crew.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/program.h"
#include "base/xalloc.h"
#include "sparse.h"
#include "tap.h"

enum { MEMBERS = 3, TIMES = 100 };

struct work {
	size_t starves; /* this member */
	unsigned done[MEMBERS];
	int policy[MEMBERS];
};

static void do_share(void *ctx, size_t member)
{
	struct work *w = ctx;

	if (member == w->starves)
		program_die_oom();
	w->done[member]++;
	w->policy[member] = sched_getscheduler(0);
}

static void do_often(struct crew *crew, struct work *w)
{
	for (int i = 0; i < TIMES; i++)
		crew_do(crew, do_share, w);
}

static void end_program(void *ctx)
{
	(void)ctx;
	ok(false, "the caller goes on");
	_exit(1);
}

static void test_memory(struct crew *crew)
{
	struct work w = { .starves = MEMBERS };

	do_often(crew, &w);
	for (size_t i = 0; i < MEMBERS; i++)
		is_u64(w.done[i], TIMES, "each does its share: %zu", i);
	memset(&w, 0, sizeof(w));
	w.starves = 1;
	do_often(crew, &w);
	is_u64(w.done[0], TIMES, "the caller waits for no member without memory");
	is_u64(w.done[1], 0, "... which does no more");
	is_u64(w.done[2], TIMES, "... and the others go on");
}

static void allocate(void *ctx, size_t member)
{
	(void)ctx;
	(void)member;
	free(xmalloc(1000));
}

static void test_policy(struct crew *crew, int policy, int priority, const char *what)
{
	struct work w = { .starves = MEMBERS };

	if (sched_setscheduler(0, policy, &(struct sched_param){ priority })) {
		skip(MEMBERS, "no other policy is allowed");
		return;
	}
	crew_do(crew, do_share, &w);
	for (size_t i = 0; i < MEMBERS; i++)
		is_i64(w.policy[i], policy, "%s: %zu", what, i);
}

static int use_many(int fd)
{
	enum { MANY = 64 };
	struct crew *crew = crew_start(MANY);
	const bool all = crew_members(crew) == MANY;

	(void)fd;
	crew_do(crew, allocate, NULL);
	crew_end(crew);
	return !all;
}

int main(void)
{
	struct crew *crew;

	if (sparse_has_limit())
		is_i64(sparse_use(-1, 48 << 20, use_many), 0, "many share little memory");
	crew = crew_start(MEMBERS);
	is_u64(crew_members(crew), MEMBERS, "members");
	test_policy(crew, SCHED_RR | SCHED_RESET_ON_FORK, 1, "real time, as the caller");
	test_policy(crew, SCHED_OTHER | SCHED_RESET_ON_FORK, 0, "no more");
	program_on_oom(end_program, NULL);
	test_memory(crew);
	crew_end(crew);
	program_on_oom(NULL, NULL);
	ok(true, "it ends");
	return done_testing();
}
