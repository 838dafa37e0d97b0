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
	int ret;
	const char *sentence;
};

static const struct row rows[] = {
	{ "cpu/event=0x3c,umask=0x1/", "cpu/event=0x3c,umask=0x1/", 4, 0x13c, 0, 1000003,
	  false, 0, NULL },
	{ "cpu/event=0x120/", "cpu/event=0x120/", 4, 0x100000020, 0, 1000003, false, 0,
	  NULL },
	{ "cpu/config=0xff,any/u", "cpu/config=0xff,any/.u", 4, 0x2000ff, 0, 1000003,
	  false, 0, NULL },
	{ "cpu/mem-loads/pp,7", "cpu/mem-loads/.pp", 4, 0x1cd, 3, 7, false, 0, NULL },
	{ "cpu/mem-loads,ldlat=30/", "cpu/mem-loads,ldlat=30/", 4, 0x1cd, 30, 1000003,
	  false, 0, NULL },
	{ "cpu/event=1,period=99/", "cpu/event=1,period=99/", 4, 1, 0, 99, false, 0,
	  NULL },
	{ "cpu/event=1/~user=1,5", "cpu/event=1/", 4, 1, 0, 5, false, 0, NULL },
	{ "armv8/event=0x2/", "armv8/event=0x2/", 4, 2, 0, 1000003, false, 0, NULL },
	{ "imc_0/event=4/", "imc_0/event=4/", 17, 4, 0, 1000003, true, 0, NULL },
	{ "sched:sched_switch", "sched.sched_switch", 2, 316, 0, 1, false, 0, NULL },
	{ "sched:sched_switch:u,3", "sched.sched_switch.u", 2, 316, 0, 3, false, 0,
	  NULL },

	{ "cpu/evnt=1/", NULL, 0, 0, 0, 0, false, -EINVAL,
	  "the PMU cpu has no term `evnt'" },
	{ "cpu/umask=256/", NULL, 0, 0, 0, 0, false, -EINVAL,
	  "the PMU cpu has too few bits" },
	{ "cpu/event=x/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu takes numbers" },
	{ "cpu/broken=1/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu describes" },
	{ "cpu/odd=1/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu describes" },
	{ "cpu/loop/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu has no term" },
	{ "cpu/event=1,,/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu has no term" },
	{ "cpu/..=1/", NULL, 0, 0, 0, 0, false, -EINVAL, "the PMU cpu has no term" },
	{ "gpu/event=1/", NULL, 0, 0, 0, 0, false, -ENOENT,
	  "this machine has no PMU `gpu'" },
	{ "bad/event=1/", NULL, 0, 0, 0, 0, false, -ENOENT,
	  "this machine has no PMU `bad'" },
	{ "sched:no_such", NULL, 0, 0, 0, 0, false, -ENOENT, "unknown counter" },
	{ "task:task_*,on,cycles", NULL, 0, 0, 0, 0, false, 0, NULL },
	{ "task:r*", NULL, 0, 0, 0, 0, false, -ENOENT, "no tracepoint matches task:r*" },
	{ "nothing:*", NULL, 0, 0, 0, 0, false, -ENOENT, "no tracepoint matches noth" },
	{ "t*:*", NULL, 0, 0, 0, 0, false, -ENOENT, "unknown counter `t*:*'" },
	{ "{cycles,task:*}", NULL, 0, 0, 0, 0, false, -EINVAL,
	  "a pattern, task:*, cannot stand in a group" },
	{ "task:task_rename,task:*", NULL, 0, 0, 0, 0, false, -EINVAL,
	  "the counter task.task_rename is asked for twice" },
	{ "many:e?*", NULL, 0, 0, 0, 0, false, -E2BIG,
	  "many:e?* matches 65 tracepoints, and 64 can be recorded" },
	{ "sched:broken", NULL, 0, 0, 0, 0, false, -EINVAL,
	  "`sched:broken' is no counter of this CPU, and" },
};

static void row_test(const struct events *events, const struct row *row)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	is_i64(event_list_parse(events, row->text, &list, &err), row->ret, "%s: %s",
	       row->text, strbuf_str(&err));
	if (row->ret)
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

/* By name, each with the rate that stands behind the pattern. */
static void pattern_test(const struct events *events)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	ok(!event_list_parse(events, "task:*,3,page-faults", &list, &err), "a pattern");
	if (is_u64(list.len, 3, "two tracepoints, and what stands behind")) {
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
	int ret;

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
	ret = system(clean);
	free(clean);
	return done_testing() || ret;
}
