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

static void test_io(void)
{
	char *root = scratch_make();
	struct proc_io io;

	ok(!proc_io_read(root, 12, &io), "no file: no blocks");
	scratch_text(root, "proc/12/io",
		     "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\n"
		     "write_bytes: 18446744073709551615\ncancelled_write_bytes: 5\n");
	ok(proc_io_read(root, 12, &io) && io.read == 4096 && io.written == UINT64_MAX,
	   "bytes read and written");
	scratch_text(root, "proc/12/io", "rchar: 1\nread_bytes: 4096\n");
	ok(!proc_io_read(root, 12, &io), "half of them");
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
	ok(t->minor_faults == 9 && t->waited_minor_faults == 8, "minor faults");
	ok(t->major_faults == 7 && t->waited_major_faults == 6, "major faults");
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
	ok(proc_stat_parse(LINE, &stat) && !stat.exits &&
		   proc_stat_parse("1 (a) S 1 1 1 1 1 4194308 1 1 1 1 1 1 1 1 1 1 1 1 1",
				   &stat) &&
		   stat.exits,
	   "a thread that is ending");
	ok(stat_runs("1 (a) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1") &&
		   !stat_runs("1 (a) Z 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1") &&
		   stat_runs("1 (a) Z 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 1 1"),
	   "a zombie runs while other threads of it do");
	test_io();
	test_stolen(tick);
	return done_testing();
}
