/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the program waits share. */
#ifndef WAITS_H
#define WAITS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
/* the call is not the function's last, which a jump would be */
#define KEEP()   __asm__ volatile("" ::: "memory")

enum state {
	LOCK,
	SLEEP,
	PIPE,
	NETWORK,
	POLL,
	CHILD,
	TIMER,
	DISK,
	FAULT,
	TEXT,
	STOPPED,
	CPU,
	STATES
};

extern const char *const names[STATES];

/* By state; shared with children. */
extern _Atomic int64_t *waited;

static inline uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Time off the CPU since the last call. */
static inline uint64_t off_cpu(void)
{
	return now(CLOCK_MONOTONIC) - now(CLOCK_THREAD_CPUTIME_ID);
}

#define WAIT(state, call)                                                                \
	do {                                                                             \
		uint64_t before_ = off_cpu();                                            \
                                                                                         \
		call;                                                                    \
		waited[state] += (int64_t)(off_cpu() - before_);                         \
		KEEP();                                                                  \
	} while (0)

static inline _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Of files and their pages: waits_files.c. */
void shape_disk(const char *file);
void shape_datafault(const char *file);
void shape_textfault(const char *file);
void shape_pages(const char *file);

#endif
