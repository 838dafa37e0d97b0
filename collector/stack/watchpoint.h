/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a thread has written a word of its memory since a certain instant.
 *
 * The CPU watches: a perf_event data breakpoint, which requires no rights beyond those
 * for sampling the thread, and stops by itself at the first write.  So a word that is
 * written repeatedly costs the thread one exception for each arming (11 µs in a virtual
 * machine), and an unwritten one nothing.
 *
 * Only writes by the thread's own code are seen: not other threads' or the kernel's.
 */
#ifndef WATCHPOINT_H
#define WATCHPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample/sys.h"

/* Whether the CPU, and any hypervisor, really watch: tried on ourselves. */
bool watchpoint_works(const struct sys *sys);

/*
 * Watches the 8 bytes at ADDRESS, a multiple of 8, in the thread TID, from before this
 * returns.  A descriptor for the caller to close, or a negative errno.
 */
int watchpoint_arm(const struct sys *sys, pid_t tid, uint64_t address)
	__attribute__((warn_unused_result));

/* Whether the word was not written, from arming until the call began. */
bool watchpoint_is_intact(const struct sys *sys, int fd);

#endif
