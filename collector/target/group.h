/* SPDX-License-Identifier: Apache-2.0 */
/* A control group that is recorded: its processes, its CPU time, and its end. */
#ifndef TARGET_GROUP_H
#define TARGET_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "process/proc_list.h"

struct target_group {
	char *path; /* in the hierarchy; NULL: there is none */
	int fd;     /* of its directory */
	uint64_t user_before, system_before, user_ns, system_ns;
	bool has_times; /* those four are known */
	bool empty;     /* nothing ran in it before the last look at its times */
	bool gone;
	uint64_t looked_ns;
};

#define TARGET_GROUP_NONE                                                                \
	{                                                                                \
		.fd = -1                                                                 \
	}

/* Opens that DIRECTORY, a group PATH.  0 or a negative errno. */
int target_group_open(struct target_group *g, const char *directory, const char *path)
	__attribute__((warn_unused_result));

/* Adds the processes in it, and in the groups below it, to PIDS. */
void target_group_processes(const struct target_group *g, pid_vec *pids);

/* What it used up to now does not count. */
void target_group_begin(struct target_group *g);

/* Reads its times, and whether it ended; unless NOW, only from time to time. */
void target_group_poll(struct target_group *g, bool now);

/* Its time since the beginning.  False if unknown: it ended before a last look. */
bool target_group_times(const struct target_group *g, uint64_t *user_ns,
			uint64_t *system_ns);

void target_group_release(struct target_group *g);

#endif
