/* SPDX-License-Identifier: Apache-2.0 */
#include "process/proc_times.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"

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
	return ticks * proc_stat_tick_ns();
}

bool proc_times_read(const char *root, pid_t pid, struct proc_times *out)
{
	struct proc_stat stat;

	if (!proc_stat_read(root, pid, &stat))
		return false;
	*out = stat.times;
	return true;
}

bool proc_io_read(const char *root, pid_t pid, struct proc_io *out)
{
	FILE *f = file_fopen(root, "/proc/%d/io", (int)pid);
	char line[64];
	int found = 0;

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f))
		found += sscanf(line, "read_bytes: %" SCNu64, &out->read) == 1 ||
			 sscanf(line, "write_bytes: %" SCNu64, &out->written) == 1;
	fclose(f);
	return found == 2;
}

size_t proc_times_living(const struct tasks *tasks, const char *root,
			 proc_times_skip_fn *skip, const void *ctx, uint64_t *user_ns,
			 uint64_t *system_ns)
{
	size_t count = 0;

	vec_for_each(const struct process, p, &tasks->processes) {
		struct proc_stat stat;

		if (!p->live || skip(ctx, (pid_t)p->pid) ||
		    idmap_get(&tasks->by_pid, p->pid, 0) !=
			    (uint32_t)(p - tasks->processes.data) ||
		    !proc_stat_read(root, (pid_t)p->pid, &stat))
			continue;
		*user_ns += stat.times.user_ns + stat.times.waited_user_ns;
		*system_ns += stat.times.system_ns + stat.times.waited_system_ns;
		count++;
	}
	return count;
}
