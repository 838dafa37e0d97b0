/* SPDX-License-Identifier: Apache-2.0 */
#include "process/proc_times.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Fields of stat, counted from 1 as proc(5) does. */
enum { FIELD_STATE = 3, FIELD_UTIME = 14, FIELD_CSTIME = 17 };

static uint64_t tick_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);

	return 1000000000u / (uint64_t)(hz > 0 ? hz : 100);
}

uint64_t proc_times_stolen(const char *root)
{
	FILE *f = file_fopen(root, "/proc/stat");
	uint64_t ticks = 0;

	if (!f)
		return 0;
	/* user, nice, system, idle, iowait, irq, softirq */
	if (fscanf(f, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &ticks) != 1)
		ticks = 0;
	fclose(f);
	return ticks * tick_ns();
}

/* The name in parentheses may have any byte, parentheses too; numbers follow the last. */
bool proc_times_parse(const char *text, struct proc_times *out)
{
	uint64_t values[FIELD_CSTIME - FIELD_UTIME + 1], *value = values;
	const char *at = strrchr(text, ')');
	uint64_t tick = tick_ns();

	for (int field = FIELD_STATE; at && field <= FIELD_CSTIME; field++) {
		char *end;

		at = strchr(at, ' ');
		if (!at)
			return false;
		if (field < FIELD_UTIME) {
			at++;
			continue;
		}
		*value = strtoull(++at, &end, 10);
		if (end == at || *value > UINT64_MAX / tick)
			return false;
		*value++ *= tick;
	}
	if (!at)
		return false;
	*out = (struct proc_times){ values[0], values[1], values[2], values[3] };
	return true;
}

bool proc_times_read(const char *root, pid_t pid, struct proc_times *out)
{
	FILE *f = file_fopen(root, "/proc/%d/stat", (int)pid);
	char text[4096];
	size_t len;

	if (!f)
		return false;
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = '\0';
	return proc_times_parse(text, out);
}

size_t proc_times_living(const struct tasks *tasks, const char *root,
			 proc_times_skip_fn *skip, const void *ctx, uint64_t *user_ns,
			 uint64_t *system_ns)
{
	size_t count = 0;

	vec_for_each(const struct process, p, &tasks->processes) {
		struct proc_times times;

		if (!p->live || skip(ctx, (pid_t)p->pid) ||
		    idmap_get(&tasks->by_pid, p->pid, 0) !=
			    (uint32_t)(p - tasks->processes.data) ||
		    !proc_times_read(root, (pid_t)p->pid, &times))
			continue;
		*user_ns += times.user_ns + times.waited_user_ns;
		*system_ns += times.system_ns + times.waited_system_ns;
		count++;
	}
	return count;
}
