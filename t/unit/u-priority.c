/* SPDX-License-Identifier: Apache-2.0 */
/* When the reader's priority goes down and up again, with a simulated clock. */
#include "loop/priority.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "base/thread_time.h"
#include "tap.h"

#define MS 1000000u

struct clock {
	struct priority p;
	uint64_t now, used;
};

/* How many ROUNDS of 100 ms are high if the reader uses so much of each. */
static unsigned run(struct clock *c, unsigned rounds, unsigned used_ms)
{
	unsigned high = 0;

	for (unsigned i = 0; i < rounds; i++) {
		c->now += (uint64_t)100 * MS;
		c->used += (uint64_t)used_ms * MS;
		c->p.high = priority_should_be_high(&c->p, c->now, c->used);
		high += c->p.high;
	}
	return high;
}

/* ---- with the rules of a simulated kernel ---- */

static struct {
	int policy, nice;
	bool real_time_allowed; /* by RLIMIT_RTPRIO, without CAP_SYS_NICE */
} kernel;

/* Replaces libc's.  The flag cannot be cleared: kernel/sched/syscalls.c. */
int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	bool flag = policy & SCHED_RESET_ON_FORK;
	bool real_time = policy == (SCHED_RR | SCHED_RESET_ON_FORK);

	(void)pid;
	(void)param;
	if ((kernel.policy & SCHED_RESET_ON_FORK && !flag) ||
	    (real_time && !kernel.real_time_allowed)) {
		errno = EPERM;
		return -1;
	}
	kernel.policy = policy;
	return 0;
}

int sched_getscheduler(pid_t pid)
{
	(void)pid;
	return kernel.policy;
}

int setpriority(__priority_which_t which, id_t who, int nice)
{
	(void)which;
	(void)who;
	kernel.nice = nice;
	return 0;
}

static bool is_real_time(void)
{
	return (kernel.policy & ~SCHED_RESET_ON_FORK) == SCHED_RR;
}

/* More than half a CPU was used since the last round. */
static void flood(struct priority *p)
{
	p->from_used_ns = thread_time_ns() - 1000 * (uint64_t)MS;
}

/* A second after the last round, with next to no CPU time used. */
static void quiet_second(struct priority *p, uint64_t *now)
{
	p->from_used_ns = thread_time_ns();
	*now += 1000 * (uint64_t)MS;
	priority_adapt(p, *now);
}

static void test_limited(void)
{
	uint64_t now = 1000 * (uint64_t)MS;
	struct priority p;

	kernel.real_time_allowed = true;
	priority_raise(&p, now);
	ok(p.high && is_real_time(), "an ordinary user with the right");
	flood(&p);
	priority_adapt(&p, now);
	ok(!p.high && !is_real_time(), "gives it up in a flood");
	kernel.real_time_allowed = false;
	quiet_second(&p, &now);
	ok(!p.high && !is_real_time(), "and is not high if that is refused");
	kernel.real_time_allowed = true;
	quiet_second(&p, &now);
	ok(p.high && is_real_time(), "but is once it is allowed again");
	is_u64(p.lowered_ns / MS, 2000, "it was low for that long");
	priority_restore(&p, now);
	ok(!p.high && !is_real_time(), "no longer high after the end");
	priority_raise(&p, now);
	ok(p.high && is_real_time(), "but in a later recording");
}

/* A container may have CAP_SYS_NICE, and no real time. */
static void test_nice(void)
{
	struct priority p;

	kernel.policy = SCHED_OTHER;
	kernel.real_time_allowed = false;
	priority_raise(&p, 0);
	ok(!p.high && kernel.nice == -10,
	   "if real time is refused, its nice value puts it ahead");
	ok(kernel.policy & SCHED_RESET_ON_FORK, "children do not inherit it");
	priority_restore(&p, 0);
	ok(kernel.nice == p.nice && kernel.policy & SCHED_RESET_ON_FORK,
	   "the nice value ends with the recording");
	kernel.policy = SCHED_IDLE;
	kernel.nice = 7;
	priority_raise(&p, 0);
	priority_restore(&p, 0);
	ok(kernel.policy == SCHED_IDLE && kernel.nice == 7,
	   "the user's own choice stays");
}

int main(void)
{
	struct clock c = { .p = { .high = true } };

	is_u64(run(&c, 1000, 50), 1000, "half a CPU is no flood");
	is_u64(run(&c, 1000, 51), 9, "more is one within a second");
	is_u64(run(&c, 1000, 26), 0, "over a quarter of one it stays low");
	is_u64(run(&c, 9, 24) + run(&c, 1, 0), 1,
	       "after a quiet second it is high again");
	is_u64(c.p.lowered_ns / MS, 200000, "it was low for that long");
	is_u64(run(&c, 6, 100), 5, "a flood of half a second");
	is_u64(run(&c, 25, 0), 6, "then two quiet seconds are needed");
	for (unsigned i = 0; i < 20; i++) {
		run(&c, 6, 100);
		run(&c, 640, 0);
	}
	ok(c.p.high, "and 64 at most");
	run(&c, 6, 100);
	run(&c, 10, 0);
	run(&c, 10, 100);
	is_u64(run(&c, 639, 0), 0, "they must be in a row");
	is_u64(run(&c, 1, 0), 1, "no more");
	c = (struct clock){ .p = { .high = true } };
	run(&c, 1, 0);
	c.now += (uint64_t)60000 * MS;
	is_u64(run(&c, 1, 50), 1, "a round of a minute does not count as a second of it");
	test_limited();
	test_nice();
	return done_testing();
}
