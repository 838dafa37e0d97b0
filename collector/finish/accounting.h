/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's CPU time by the kernel's own accounting, to compare the samples with: from
 * its control group, from /proc, or from wait4.
 */
#ifndef ACCOUNTING_H
#define ACCOUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "recording/recording.h"
#include "sample/cgroup.h"
#include "target/target.h"

/* Times in /proc come in ticks: own and of children waited for, of user and system each. */
enum { ACCOUNTING_COARSE_NS = 20000000 };

struct cpu_time {
	bool known;
	uint64_t user_ns, system_ns;
};

struct accounting {
	struct target *target;
	const struct cgroup *cgroup;
	const struct recording *rec;
	const char *root;        /* before /proc */
	bool system;             /* the whole machine is recorded */
	bool whole;              /* only the target, from its start to its end */
	bool daemons;            /* what nobody waits for is recorded too */
	struct cpu_time at_stop; /* of accounting_now, when the events were stopped */
};

/* Sets the target's times, and their source. */
void accounting_take(const struct accounting *b);

/* The time of a target that is our child and goes on, until now. */
struct cpu_time accounting_now(const struct target *target, const struct cgroup *cgroup,
			       const struct recording *rec, const char *root);

/*
 * The most that the recorded processes can have used while they were recorded: what
 * accounting_take found may also be of pauses, or of the time before -t's begin.
 */
struct cpu_time accounting_most(const struct accounting *b);

#endif
