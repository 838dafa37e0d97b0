/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread's CPU time so far, to rest in proportion to the work done. */
#ifndef THREAD_TIME_H
#define THREAD_TIME_H

#include <stdint.h>
#include <time.h>

static inline uint64_t thread_time_ns(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
