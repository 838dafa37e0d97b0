/* SPDX-License-Identifier: Apache-2.0 */
/*
 * can-sample: exits with 0 if this user may sample a program's CPU clock; else prints the
 * reason and exits with 1.  It shares nothing with collect, so a test can distinguish a
 * machine that forbids sampling from a collect that fails.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) < 0) {
		printf("perf_event_open: %s\n", strerror(errno));
		return 1;
	}
	return 0;
}
