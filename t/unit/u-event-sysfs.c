/* SPDX-License-Identifier: Apache-2.0 */
/* PMUs, tracepoints and hybrid CPUs, from a /sys of our own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "forced.h"
#include "tap.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define DEV   "sys/bus/event_source/devices/"
#define TRACE "sys/kernel/tracing/events/"

static const struct {
	const char *path, *text;
} files[] = {
	{ DEV "cpu/type", "4\n" },
	{ DEV "cpu/format/event", "config:0-7,32-35\n" },
	{ DEV "cpu/format/umask", "config:8-15\n" },
	{ DEV "cpu/format/ldlat", "config1:0-15\n" },
	{ DEV "cpu/format/any", "config:21\n" },
	{ DEV "cpu/format/broken", "config:9-200\n" },
	{ DEV "cpu/format/odd", "bits:1\n" },
	{ DEV "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
	{ DEV "cpu/events/loop", "loop\n" },
	{ DEV "armv8/type", "8\n" }, /* the only one for cores */
	{ DEV "armv8/cpus", "0-3\n" },
	{ DEV "armv8/format/event", "config:0-15\n" },
	{ DEV "imc_0/type", "17\n" },
	{ DEV "imc_0/cpumask", "0\n" },
	{ DEV "imc_0/format/event", "config:0-7\n" },
	{ DEV "bad/type", "many\n" },
	{ TRACE "sched/sched_switch/id", "316\n" },
	{ TRACE "sched/broken/id", "x\n" },
	{ TRACE "sched/enable", "0\n" },
	{ TRACE "task/task_rename/id", "12\n" },
	{ TRACE "task/task_newtask/id", "11\n" },
	{ TRACE "task/filter/enable", "0\n" },
};

static const struct {
	const char *path, *text;
} hybrid_files[] = {
	{ DEV "cpu_core/type", "4\n" },  { DEV "cpu_core/cpus", "0-3\n" },
	{ DEV "cpu_atom/type", "10\n" }, { DEV "cpu_atom/cpus", "4-7\n" },
	{ DEV "uncore/type", "11\n" },   { DEV "uncore/cpumask", "0\n" },
};

static void file_write(const char *root, const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", root, path);
	FILE *file;

	for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		exit(99);
	free(full);
}

struct row {
	const char *text, *name;
	uint32_t type;
	uint64_t config, config1, period;
	bool not_program;
	int error;
	const char *sentence;
};

static const struct row rows[] = {
	{ "cpu/event=0x3c,umask=0x1/", .name = "cpu/event=0x3c,umask=0x1/", .type = 4,
	  .config = 0x13c, .period = 1000003 },
	{ "cpu/event=0x120/", .name = "cpu/event=0x120/", .type = 4,
	  .config = 0x100000020, .period = 1000003 },
	{ "cpu/config=0xff,any/u", .name = "cpu/config=0xff,any/.u", .type = 4,
	  .config = 0x2000ff, .period = 1000003 },
	{ "cpu/mem-loads/pp,7", .name = "cpu/mem-loads/.pp", .type = 4, .config = 0x1cd,
	  .config1 = 3, .period = 7 },
	{ "cpu/mem-loads,ldlat=30/", .name = "cpu/mem-loads,ldlat=30/", .type = 4,
	  .config = 0x1cd, .config1 = 30, .period = 1000003 },
	{ "cpu/event=1,period=99/", .name = "cpu/event=1,period=99/", .type = 4,
	  .config = 1, .period = 99 },
	{ "cpu/event=1/~user=1,5", .name = "cpu/event=1/", .type = 4, .config = 1,
	  .period = 5 },
	{ "armv8/event=0x2/", .name = "armv8/event=0x2/", .type = 4, .config = 2,
	  .period = 1000003 },
	{ "imc_0/event=4/", .name = "imc_0/event=4/", .type = 17, .config = 4,
	  .period = 1000003, .not_program = true },
	{ "sched:sched_switch", .name = "sched.sched_switch", .type = 2, .config = 316,
	  .period = 1 },
	{ "sched:sched_switch:u,3", .name = "sched.sched_switch.u", .type = 2,
	  .config = 316, .period = 3 },

	{ "cpu/evnt=1/", .error = -EINVAL, .sentence = "the PMU cpu has no term `evnt'" },
	{ "cpu/umask=256/", .error = -EINVAL,
	  .sentence = "the PMU cpu has too few bits" },
	{ "cpu/event=x/", .error = -EINVAL, .sentence = "the PMU cpu takes numbers" },
	{ "cpu/broken=1/", .error = -EINVAL, .sentence = "the PMU cpu has an invalid" },
	{ "cpu/odd=1/", .error = -EINVAL, .sentence = "the PMU cpu has an invalid" },
	{ "cpu/loop/", .error = -EINVAL, .sentence = "the PMU cpu has no term" },
	{ "cpu/event=1,,/", .error = -EINVAL, .sentence = "the PMU cpu has no term" },
	{ "cpu/..=1/", .error = -EINVAL, .sentence = "the PMU cpu has no term" },
	{ "gpu/event=1/", .error = -ENOENT, .sentence = "this machine has no PMU `gpu'" },
	{ "bad/event=1/", .error = -ENOENT, .sentence = "this machine has no PMU `bad'" },
	{ "sched:no_such", .error = -ENOENT, .sentence = "unknown counter" },
	{ "task:task_*,on,cycles" },
	{ "task:r*", .error = -ENOENT, .sentence = "no tracepoint matches task:r*" },
	{ "nothing:*", .error = -ENOENT, .sentence = "no tracepoint matches noth" },
	{ "t*:*", .error = -ENOENT, .sentence = "unknown counter `t*:*'" },
	{ "{cycles,task:*}", .error = -EINVAL,
	  .sentence = "the pattern task:* cannot be in a group" },
	{ "task:task_rename,task:*", .error = -EINVAL,
	  .sentence = "the counter task.task_rename appears twice" },
	{ "many:e?*", .error = -E2BIG,
	  .sentence = "many:e?* matches 65 tracepoints, and 64 can be recorded" },
	{ "sched:broken", .error = -EINVAL,
	  .sentence = "`sched:broken' is not a counter of this CPU, and" },
};

static void row_test(const struct events *events, const struct row *row)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	is_i64(event_list_parse(events, row->text, &list, &err), row->error, "%s: %s",
	       row->text, strbuf_str(&err));
	if (row->error)
		ok(!strncmp(strbuf_str(&err), row->sentence, strlen(row->sentence)),
		   "%s: %s", row->text, strbuf_str(&err));
	else if (list.len == 1) {
		is_str(list.data[0].name, row->name, "%s: name", row->text);
		is_u64(list.data[0].type, row->type, "%s: type", row->text);
		is_u64(list.data[0].config, row->config, "%s: config", row->text);
		is_u64(list.data[0].config1, row->config1, "%s: config1", row->text);
		is_u64(list.data[0].period, row->period, "%s: period", row->text);
		is_u64(list.data[0].not_program, row->not_program, "%s: whose",
		       row->text);
	}
	event_list_release(&list);
	strbuf_release(&err);
}

/* By name, each with the rate behind the pattern. */
static void pattern_test(const struct events *events)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	ok(!event_list_parse(events, "task:*,3,page-faults", &list, &err), "a pattern");
	if (is_u64(list.len, 3, "two tracepoints, and the next counter")) {
		is_str(list.data[0].asked, "task:task_newtask", "the first");
		is_u64(list.data[1].config, 12, "the second");
		is_str(list.data[1].name, "task.task_rename", "its metric");
		is_u64(list.data[1].period, 3, "and rate");
		is_u64(list.data[1].part, 0, "no part of the first");
	}
	event_list_release(&list);
	strbuf_release(&err);
}

/* One counter, a part for each kind of core; the kernel's own events need none. */
static void hybrid_test(const char *root)
{
	struct events *events;
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	for (size_t i = 0; i < sizeof(hybrid_files) / sizeof(*hybrid_files); i++)
		file_write(root, hybrid_files[i].path, hybrid_files[i].text);
	events = forced_open("skl", root);
	ok(!event_list_parse(events, "cycles,7,ring0,page-faults", &list, &err),
	   "a hybrid CPU: %s", strbuf_str(&err));
	if (is_u64(list.len, 5, "two parts, two parts, one")) {
		is_str(list.data[0].raw, "cpu_atom/PERF_COUNT_HW_CPU_CYCLES/", "raw");
		is_u64(list.data[0].config, (uint64_t)10 << 32, "of the small cores");
		is_u64(list.data[1].config, (uint64_t)4 << 32, "of the big cores");
		is_u64(list.data[1].part, 1, "the second part");
		is_str(list.data[1].name, "cycles", "has the same metric");
		is_u64(list.data[1].period, 7, "and period");
		ok(list.data[3].exclude_user && list.data[3].part == 1 &&
			   !strcmp(list.data[3].name, "ring0"),
		   "ring0 is system cycles");
		is_u64(list.data[4].config, PERF_COUNT_SW_PAGE_FAULTS, "no part");
	}
	event_list_release(&list);
	strbuf_release(&err);
	events_close(events);
}

int main(void)
{
	char root[] = "/tmp/ringprof-sysfs-XXXXXX",
	     hybrid[] = "/tmp/ringprof-sysfs-XXXXXX";
	struct events *events;
	char *clean;
	int failed;

	if (!mkdtemp(root) || !mkdtemp(hybrid))
		exit(99);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		file_write(root, files[i].path, files[i].text);
	for (unsigned i = 0; i < 65; i++) {
		char *path = xasprintf(TRACE "many/e%u/id", i);

		file_write(root, path, "1\n");
		free(path);
	}
	events = forced_open("skl", root);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		row_test(events, &rows[i]);
	pattern_test(events);
	events_close(events);
	hybrid_test(hybrid);
	clean = xasprintf("rm -rf %s %s", root, hybrid);
	failed = system(clean);
	free(clean);
	return done_testing() || failed;
}
