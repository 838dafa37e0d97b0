/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc/PID/stat says of a process: proc(5). */
#ifndef PROC_STAT_H
#define PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The CPU time that the kernel accounts to a process, in ticks of 10 ms. */
struct proc_times {
	uint64_t user_ns, system_ns; /* of its threads, including ended ones */
	/* of its ended and waited-for children, and of theirs */
	uint64_t waited_user_ns, waited_system_ns;
};

struct proc_stat {
	bool runs; /* it is no zombie, or only its first thread is */
	pid_t parent, group;
	struct proc_times times;
	uint64_t started_ns; /* CLOCK_BOOTTIME, in ticks */
};

/* One of them, of the kernel's clock for users. */
uint64_t proc_stat_tick_ns(void);

/* ROOT precedes /proc.  False if PID has gone or its line cannot be parsed. */
bool proc_stat_read(const char *root, pid_t pid, struct proc_stat *out)
	__attribute__((warn_unused_result));

/* Parses stat's line, at the beginning of TEXT. */
bool proc_stat_parse(const char *text, struct proc_stat *out)
	__attribute__((warn_unused_result));

#endif
