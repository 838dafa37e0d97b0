/* SPDX-License-Identifier: Apache-2.0 */
#include "process/survivors.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

/* A process starts in the kernel some instants before it is reported; and times are ticks. */
#define SLACK_NS 50000000u

/* A process whose first thread has ended is a zombie with other threads. */
bool survivor_parse(const char *text, struct survivor *out)
{
	const char *at = strrchr(text, ')'); /* the name may have any byte */
	long hz = sysconf(_SC_CLK_TCK);
	uint64_t ticks, tick_ns = 1000000000u / (uint64_t)(hz > 0 ? hz : 100);
	long threads;
	int group;
	char state;

	/* state, pgrp, num_threads, starttime: proc(5) */
	if (!at || sscanf(at,
			  ") %c %*s %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			  "%*s %*s %ld %*s %" SCNu64,
			  &state, &group, &threads, &ticks) != 4)
		return false;
	*out = (struct survivor){
		.runs = (state != 'Z' && state != 'X') || threads > 1,
		.group = (pid_t)group,
		.started_ns = ticks < UINT64_MAX / tick_ns ? ticks * tick_ns : UINT64_MAX,
	};
	return true;
}

static bool look_up(const char *root, pid_t pid, struct survivor *out)
{
	FILE *f = file_fopen(root, "/proc/%d/stat", (int)pid);
	char text[4096];
	size_t len;

	if (!f)
		return false;
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return survivor_parse(text, out) && out->runs;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts = { 0 };

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void survivors_find(const struct tasks *tasks, uint64_t start_ns, const char *root,
		    pid_vec *pids)
{
	uint64_t asleep_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);

	vec_for_each(const struct process, p, &tasks->processes) {
		struct survivor s;

		if (!p->live || !p->pid || p->pid > INT32_MAX ||
		    idmap_get(&tasks->by_pid, p->pid, 0) !=
			    (uint32_t)(p - tasks->processes.data) ||
		    !look_up(root, (pid_t)p->pid, &s))
			continue;
		/* else the number is another's now */
		if (s.started_ns <= asleep_ns + start_ns + p->start_ns + SLACK_NS)
			*vec_push(pids) = (pid_t)p->pid;
	}
}

void survivors_kill(const pid_vec *pids, const char *root)
{
	vec_for_each(const pid_t, pid, pids) {
		struct survivor s;

		if (*pid != getpid() && look_up(root, *pid, &s) && s.group == getpgrp())
			kill(*pid, SIGKILL);
	}
}
