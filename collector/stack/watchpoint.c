/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/watchpoint.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>

enum { WORD = 8 };

int watchpoint_arm(const struct sys *sys, pid_t tid, uint64_t address)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = address,
		.bp_len = WORD,
		.sample_period = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = sys->perf_event_open(&attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int error;

	if (fd < 0)
		return -errno;
	if (!sys->ioctl(fd, PERF_EVENT_IOC_REFRESH, (void *)1))
		return fd;
	error = -errno;
	sys->close(fd);
	return error;
}

/* A watchpoint that lost its register to another did not watch. */
bool watchpoint_is_intact(const struct sys *sys, int fd)
{
	struct {
		uint64_t writes, enabled_ns, running_ns;
	} seen;

	return sys->read(fd, &seen, sizeof(seen)) == (ssize_t)sizeof(seen) &&
	       !seen.writes && seen.enabled_ns == seen.running_ns;
}

bool watchpoint_works(const struct sys *sys)
{
	_Alignas(WORD) volatile uint64_t word = 0;
	int fd = watchpoint_arm(sys, 0, (uint64_t)(uintptr_t)&word);
	bool works;

	if (fd < 0)
		return false;
	works = watchpoint_is_intact(sys, fd);
	word = 1;
	works = works && !watchpoint_is_intact(sys, fd);
	sys->close(fd);
	return works;
}
