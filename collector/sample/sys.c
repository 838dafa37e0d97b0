/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static int kernel_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu,
				  int group_fd, unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

static int kernel_ioctl(int fd, unsigned long request, void *argument)
{
	return ioctl(fd, request, argument);
}

static void *kernel_mmap(size_t len, int fd)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static uint64_t kernel_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

const struct sys sys_kernel = {
	.perf_event_open = kernel_perf_event_open,
	.ioctl = kernel_ioctl,
	.mmap = kernel_mmap,
	.munmap = munmap,
	.read = read,
	.close = close,
	.now = kernel_now,
	.sysconf = sysconf,
	.root = "",
};

long sys_read_number(const struct sys *sys, const char *path, long fallback)
{
	FILE *f = file_fopen(sys->root, "%s", path);
	long value = fallback;
	char line[64], *end;

	if (!f)
		return fallback;
	if (fgets(line, sizeof(line), f)) {
		value = strtol(line, &end, 10);
		if (end == line)
			value = fallback;
	}
	fclose(f);
	return value;
}

/* The number behind KEY in a file of lines such as "KEY:	NUMBER kB". */
static uint64_t number_behind(const struct sys *sys, const char *path, const char *key,
			      int base, uint64_t fallback)
{
	FILE *f = file_fopen(sys->root, "%s", path);
	size_t len = strlen(key);
	uint64_t value = fallback;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, len) && line[len] == ':')
			value = strtoull(line + len + 1, NULL, base);
	if (f)
		fclose(f);
	return value;
}

size_t sys_cpus_online(const struct sys *sys)
{
	long online = sys->sysconf(_SC_NPROCESSORS_ONLN);

	return online > 0 ? (size_t)online : 1;
}

uint64_t sys_memory_available(const struct sys *sys)
{
	return number_behind(sys, "/proc/meminfo", "MemAvailable", 10, 0) * 1024;
}

uint64_t sys_status_number(const struct sys *sys, const char *key, int base,
			   uint64_t fallback)
{
	return number_behind(sys, "/proc/self/status", key, base, fallback);
}
