/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc/PID/stat says of a process: proc(5). */
#ifndef PROC_STAT_H
#define PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the kernel accounts to a process: CPU time, in ticks of 10 ms, and page faults. */
struct proc_times {
	uint64_t user_ns, system_ns; /* of its threads, including ended ones */
	/* of its ended and waited-for children, and of theirs */
	uint64_t waited_user_ns, waited_system_ns;
	uint64_t minor_faults, major_faults, waited_minor_faults, waited_major_faults;
};

struct proc_stat {
	bool runs;  /* it is no zombie, or only its first thread is */
	bool exits; /* the thread, for a process its first one, is ending or has ended */
	pid_t parent, group;
	struct proc_times times;
	uint64_t started_ns; /* CLOCK_BOOTTIME, in ticks */
};

/* One of them, of the kernel's clock for users. */
uint64_t proc_stat_tick_ns(void);

/* ROOT precedes /proc.  False if PID has gone or its line cannot be parsed. */
bool proc_stat_read(const char *root, pid_t pid, struct proc_stat *out)
	__attribute__((warn_unused_result));

/* The same of a thread of PID. */
bool proc_stat_read_thread(const char *root, pid_t pid, pid_t tid, struct proc_stat *out)
	__attribute__((warn_unused_result));

/* Parses stat's line, at the beginning of TEXT. */
bool proc_stat_parse(const char *text, struct proc_stat *out)
	__attribute__((warn_unused_result));

#endif
