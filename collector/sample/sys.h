/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel calls that the collector makes for counters, as a table, so tests can
 * simulate a kernel with other counters, limits and privileges.  Each behaves as its
 * manual page says, errno included.
 */
#ifndef SYS_H
#define SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/perf_event.h>

struct sys {
	int (*perf_event_open)(struct perf_event_attr *attr, pid_t pid, int cpu,
			       int group_fd, unsigned long flags);
	int (*ioctl)(int fd, unsigned long request, void *argument);
	void *(*mmap)(size_t len, int fd); /* shared, readable and writable */
	int (*munmap)(void *addr, size_t len);
	ssize_t (*read)(int fd, void *buf, size_t len);
	int (*close)(int fd);
	uint64_t (*now)(void); /* CLOCK_MONOTONIC, nanoseconds */
	long (*sysconf)(int name);
	const char *root; /* precedes /proc and /sys: "" on a real machine */
};

/* The running kernel. */
extern const struct sys sys_kernel;

/* A whole number from the first line of a file such as /proc/sys/kernel/…, or FALLBACK.
 */
long sys_read_number(const struct sys *sys, const char *path, long fallback);

/* At least 1. */
size_t sys_cpus_online(const struct sys *sys);

/* The bytes of memory that can be had without swapping (MemAvailable); 0: unknown. */
uint64_t sys_memory_available(const struct sys *sys);

/* The number behind KEY ("CapEff") in /proc/self/status, in BASE, or FALLBACK. */
uint64_t sys_status_number(const struct sys *sys, const char *key, int base,
			   uint64_t fallback);

#endif
