/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a thread has written a word of its memory since a certain instant.
 *
 * The CPU watches: a breakpoint of perf_event on the data, which needs no rights beyond
 * those that sampling the thread takes, and stops by itself with the first write.  So
 * that a word which is written again and again costs the thread one exception for each
 * time that it is armed (11 µs in a virtual machine), and a word that is not, nothing.
 *
 * Only the thread's own code is watched: no other thread, and not the kernel.
 */
#ifndef WATCHPOINT_H
#define WATCHPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sample/sys.h"

/* Whether the CPU, and what lies between it and us, do as they say: tried on ourselves.
 */
bool watchpoint_works(const struct sys *sys);

/*
 * Watches the 8 bytes at ADDRESS, a multiple of 8, in the thread TID, from before this
 * returns.  A descriptor, to be closed, or a negative errno.
 */
int watchpoint_arm(const struct sys *sys, pid_t tid, uint64_t address)
	__attribute__((warn_unused_result));

/* Whether the word was not written, from arming until the call began. */
bool watchpoint_is_intact(const struct sys *sys, int fd);

#endif
