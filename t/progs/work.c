/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) < 0)
		abort();
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t thread_cpu_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t process_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t parse_ms(const char *text)
{
	char *end;
	unsigned long ms = strtoul(text, &end, 10);

	if (end == text || *end) {
		fprintf(stderr, "\"%s\" is not a number of milliseconds\n", text);
		exit(2);
	}
	return ms;
}
