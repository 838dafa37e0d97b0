/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For targets with known profiles: spends CPU time in a named function, measured by the
 * kernel's own clock, so a test can compare a profile with the time spent.
 */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

/* A function that keeps its name and its frame in a profile. */
#if defined(__has_attribute) && __has_attribute(noipa)
#define FUNCTION __attribute__((noipa))
#else
#define FUNCTION __attribute__((noinline))
#endif

/* After a call, so that it is not the function's last act and no tail call. */
#define NO_TAIL_CALL() __asm__ volatile("" ::: "memory")

/* CPU time of this thread, and of this process. */
uint64_t thread_cpu_ns(void);
uint64_t process_cpu_ns(void);

/* Milliseconds from an argument; a message and exit 2 if it is no number. */
uint64_t parse_ms(const char *text);

/*
 * Keeps the calling function busy until this thread has used NS more.  Inlined, so that
 * the time is the caller's own; the clock is read so
 * seldom that this costs less than 1 %.
 */
static inline __attribute__((always_inline)) void spin_ns(uint64_t ns)
{
	const uint64_t end = thread_cpu_ns() + ns;

	do
		for (volatile unsigned i = 0; i < 40000; i++)
			;
	while (thread_cpu_ns() < end);
}

#endif
