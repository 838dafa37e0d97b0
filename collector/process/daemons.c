/* SPDX-License-Identifier: Apache-2.0 */
#include "process/daemons.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "process/proc_stat.h"

/* The kernel reports a process some instants after its start, and rounds times to ticks. */
#define SLACK_NS 50000000u

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void daemons_find(const struct tasks *tasks, uint64_t start_ns, const char *root,
		  pid_vec *pids)
{
	/* read first: a pause between the two only adds to the slack */
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	const uint64_t asleep_ns = clock_ns(CLOCK_BOOTTIME) - now_ns;

	vec_for_each(const struct process, p, &tasks->processes) {
		struct proc_stat s;

		if (!p->live || !p->pid || p->pid > INT32_MAX ||
		    idmap_get(&tasks->by_pid, p->pid, 0) !=
			    (uint32_t)(p - tasks->processes.data) ||
		    !proc_stat_read(root, (pid_t)p->pid, &s) || !s.runs)
			continue;
		/* else the number belongs to another process now */
		if (s.started_ns <= asleep_ns + start_ns + p->start_ns + SLACK_NS)
			*vec_push(pids) = (pid_t)p->pid;
	}
}

void daemons_kill(const pid_vec *pids, const char *root)
{
	vec_for_each(const pid_t, pid, pids) {
		struct proc_stat s;

		if (*pid != getpid() && proc_stat_read(root, *pid, &s) && s.runs &&
		    s.group == getpgrp())
			kill(*pid, SIGKILL);
	}
}
