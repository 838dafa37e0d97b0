/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says of a process: lines of /proc/PID/stat, complete or cut anywhere. */
#include "process/proc_times.h"
#include "scratch.h"
#include "tap.h"

#include <string.h>
#include <unistd.h>

#define LINE "12 (a) b (c) S 1 12 12 0 -1 4194560 9 8 7 6 11 22 33 44 20 0 1 0 5 6 7\n"

static bool stat_runs(const char *line)
{
	struct proc_stat stat;

	return proc_stat_parse(line, &stat) && stat.runs;
}

static void test_stolen(uint64_t tick)
{
	char *root = scratch_make();

	is_u64(proc_times_stolen(root), 0, "no file: no stolen time");
	scratch_text(root, "proc/stat",
		     "cpu  1 2 3 4 5 6 7 89 10 11\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
	is_u64(proc_times_stolen(root), 89 * tick, "the time that a hypervisor took");
	scratch_text(root, "proc/stat", "cpu  1 2 3 4 5 6 7\n");
	is_u64(proc_times_stolen(root), 0, "a kernel that does not report it");
	scratch_remove(root);
}

int main(void)
{
	uint64_t tick = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	const size_t needed = strlen(LINE) - strlen(" 6 7\n");
	struct proc_stat stat = { 0 };
	const struct proc_times *t = &stat.times;
	char text[sizeof(LINE)];
	size_t wrong = 0;

	ok(proc_stat_parse(LINE, &stat), "a line");
	is_u64(t->user_ns, 11 * tick, "its user time, behind a name with parentheses");
	is_u64(t->system_ns, 22 * tick, "system time");
	is_u64(t->waited_user_ns, 33 * tick, "user time of children");
	is_u64(t->waited_system_ns, 44 * tick, "system time of children");
	is_u64(stat.started_ns, 5 * tick, "its start");
	is_i64(stat.parent, 1, "its parent");
	is_i64(stat.group, 12, "its group");
	for (size_t len = 0; len < strlen(LINE); len++) {
		memcpy(text, LINE, len);
		text[len] = '\0';
		wrong += proc_stat_parse(text, &stat) != (len >= needed);
	}
	is_u64(wrong, 0, "cut before the last of these it is refused");
	ok(!proc_stat_parse("1 (a) S 1 1 1 1 1 1 1 1 1 1 x 1 1 1 1 1 1 1 1 1 1", &stat),
	   "a line without numbers is refused");
	ok(!proc_stat_parse(
		   "1 (a) S 1 1 1 1 1 1 1 1 1 1 99999999999999999 1 1 1 1 1 1 1 1",
		   &stat),
	   "so is one with a number that is too large");
	ok(stat_runs("1 (a) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1") &&
		   !stat_runs("1 (a) Z 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1") &&
		   stat_runs("1 (a) Z 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1"),
	   "a zombie runs while other threads of it do");
	test_stolen(tick);
	return done_testing();
}
