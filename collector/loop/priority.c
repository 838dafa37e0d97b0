/* SPDX-License-Identifier: Apache-2.0 */
#include "loop/priority.h"

#include <sched.h>
#include <sys/resource.h>

#include "base/thread_time.h"

#define SECOND_NS 1000000000u
#define FLOOD_NS  (SECOND_NS / 2) /* CPU time within a second */
#define QUIET_NS  (SECOND_NS / 4)

enum {
	PATIENCE_MAX = 64,
	NICE = -10, /* still before ordinary programs, but they get their share */
};

static void measure_anew(struct priority *p, uint64_t now_ns, uint64_t used_ns)
{
	p->from_ns = now_ns;
	p->from_used_ns = used_ns;
}

static bool lower_if_flooded(struct priority *p, uint64_t now_ns, uint64_t used_ns)
{
	if (used_ns - p->from_used_ns > FLOOD_NS) {
		measure_anew(p, now_ns, used_ns);
		p->low_since_ns = now_ns;
		p->quiet = 0;
		if (p->patience < PATIENCE_MAX)
			p->patience = p->patience ? 2 * p->patience : 1;
		return false;
	}
	if (now_ns - p->from_ns >= SECOND_NS)
		measure_anew(p, now_ns, used_ns);
	return true;
}

static bool raise_if_quiet(struct priority *p, uint64_t now_ns, uint64_t used_ns)
{
	if (now_ns - p->from_ns < SECOND_NS)
		return false;
	p->quiet = used_ns - p->from_used_ns < QUIET_NS ? p->quiet + 1 : 0;
	measure_anew(p, now_ns, used_ns);
	if (p->quiet < p->patience)
		return false;
	p->lowered_ns += now_ns - p->low_since_ns;
	p->low_since_ns = now_ns;
	return true;
}

bool priority_should_be_high(struct priority *p, uint64_t now_ns, uint64_t used_ns)
{
	return p->high ? lower_if_flooded(p, now_ns, used_ns)
		       : raise_if_quiet(p, now_ns, used_ns);
}

/* Whether that is allowed. */
static bool set_real_time(void)
{
	struct sched_param param = { .sched_priority = 1 };

	return !sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &param);
}

/* The flag stays: clearing it requires CAP_SYS_NICE, setting real time may not. */
static bool set_ordinary(void)
{
	struct sched_param param = { 0 };

	return !sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
}

void priority_raise(struct priority *p, uint64_t now_ns)
{
	*p = (struct priority){
		.policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK,
		.nice = getpriority(PRIO_PROCESS, 0),
	};
	if (p->policy != SCHED_OTHER)
		return;
	p->high = set_real_time();
	/* the flag keeps threads and children from inheriting the nice value */
	if (!p->high && set_ordinary())
		setpriority(PRIO_PROCESS, 0, NICE);
	measure_anew(p, now_ns, thread_time_ns());
}

void priority_adapt(struct priority *p, uint64_t now_ns)
{
	bool high;

	if (!p->high && !p->patience)
		return; /* it was never raised */
	high = priority_should_be_high(p, now_ns, thread_time_ns());
	if (high == p->high || !(high ? set_real_time() : set_ordinary()))
		return;
	p->high = high;
	if (!high)
		setpriority(PRIO_PROCESS, 0, NICE);
}

void priority_restore(struct priority *p, uint64_t now_ns)
{
	if (!p->high && p->patience)
		p->lowered_ns += now_ns - p->low_since_ns;
	if (p->high)
		set_ordinary();
	p->high = false;
	p->patience = 0;
	if (p->policy == SCHED_OTHER)
		setpriority(PRIO_PROCESS, 0, p->nice);
}
