/* SPDX-License-Identifier: Apache-2.0 */
/* The user's command for each finished recording: a shell's, whose $1 is the recording. */
#ifndef HOOK_H
#define HOOK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* From being told to end until it is killed. */
#define HOOK_GRACE_NS UINT64_C(2000000000)

/*
 * Starts it in a process group of its own, with the signal mask MASK, nothing to read, and
 * none of collect's ambient capabilities.  Its number, or -1.
 */
pid_t hook_start(const char *command, const char *path, const sigset_t *mask);

/* Reports how it failed; TIME_IS_UP: because it was sent a signal to end. */
void hook_tell_failure(const char *path, int status, bool time_is_up);

#endif
