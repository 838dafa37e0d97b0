/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU's own clock, which a program reads in a few nanoseconds without the kernel: the
 * time stamp counter (x86-64), the virtual counter (arm64).  It serves where the kernel
 * uses it for all of its own clocks (the clocksources tsc and arch_sys_counter): then it
 * goes on at one rate, and is the same on all CPUs.
 */
#ifndef CHANNEL_TICKS_H
#define CHANNEL_TICKS_H

#include <stdint.h>

/* Some ticks that take about a microsecond. */
#if defined(__x86_64__)
#define CHANNEL_CLOCKSOURCE "tsc"
static inline uint64_t channel_some_ticks(void)
{
	return 2500; /* no CPU with an invariant counter tells its rate to programs */
}

static inline uint64_t channel_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define CHANNEL_CLOCKSOURCE "arch_sys_counter"
static inline uint64_t channel_some_ticks(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz / 1000000;
}

static inline uint64_t channel_ticks(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#endif

#endif
