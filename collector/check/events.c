/* SPDX-License-Identifier: Apache-2.0 */
/* collect --check: which events can be counted, and how precisely. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/probe.h"
#include "events/event.h"
#include "base/file.h"
#include "sample/precision.h"
#include "check/trial.h"
#include "base/xalloc.h"

#define DEVICES "/sys/bus/event_source/devices"

static void say_trial(const struct check_facts *facts, const struct perf_event_attr *attr,
		      int error, const struct trial *trial, struct check_line *line)
{
	if (trial->lost_room)
		strbuf_addstr(check_say(line, CHECK_NO, "ulimit -l unlimited"),
			      "it opens, but no memory is left for its ring");
	else if (error)
		check_refused(facts->sys, attr, error, line);
	else
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "%s: %u samples of collect itself read",
			    attr->type == PERF_TYPE_HARDWARE ? "cycles" : "cpu-clock",
			    trial->samples);
}

void check_counters(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct trial trial;

	check_attr(true, &attr);
	facts->counters = trial_run(facts->sys, &attr, &trial);
	say_trial(facts, &attr, facts->counters, &trial, line);
}

void check_clock(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct trial trial;

	check_attr(false, &attr);
	facts->clock = trial_run(facts->sys, &attr, &trial);
	say_trial(facts, &attr, facts->clock, &trial, line);
}

void check_kernel(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;
	struct trial trial;
	int error;

	check_attr(!facts->counters, &attr);
	attr.exclude_kernel = attr.exclude_hv = 0;
	error = trial_run(facts->sys, &attr, &trial);
	facts->kernel = !error;
	if (error)
		check_refused(facts->sys, &attr, error, line);
	else
		strbuf_addf(
			check_say(line, trial.kernel ? CHECK_YES : CHECK_PARTLY, NULL),
			"%u of %u samples lay in the kernel", trial.kernel,
			trial.samples);
}

void check_precise(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;

	if (facts->counters) {
		strbuf_addstr(check_say(line, CHECK_NO, NULL), "no counter opens here");
		return;
	}
	check_attr(true, &attr);
	for (unsigned precise = precision_counts(facts->sys) ? EVENT_PRECISE_MAX : 0;
	     precise; precise--) {
		attr.precise_ip = precise & 3;
		if (trial_open(facts->sys, &attr, 0, -1, 0))
			continue;
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "cycles open with :%.*s, %s", (int)precise, "ppp",
			    event_skid_name(precise));
		return;
	}
	strbuf_addf(check_say(line, CHECK_NO, NULL), "this CPU's samples have %s",
		    event_skid_name(0));
}

void check_addresses(struct check_facts *facts, struct check_line *line)
{
	struct perf_event_attr attr;

	if (facts->counters) {
		strbuf_addstr(check_say(line, CHECK_NO, NULL), "no counter opens here");
		return;
	}
	check_attr(true, &attr);
	attr.precise_ip = 2;
	attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	if (!precision_counts(facts->sys) || trial_open(facts->sys, &attr, 0, -1, 0))
		strbuf_addstr(check_say(line, CHECK_NO, NULL),
			      "no precise event that records them opens");
	else
		strbuf_addstr(check_say(line, CHECK_YES, NULL),
			      "samples can carry address, latency and source of data "
			      "(collect -h +CTR)");
}

/* The first PMU of a socket: one that names the CPUs to open it on. */
static char *socket_pmu(const struct sys *sys, unsigned *count)
{
	char *path = xasprintf("%s" DEVICES, sys->root), *first = NULL;
	DIR *dir = opendir(path);
	struct dirent *entry;

	free(path);
	for (*count = 0; dir && (entry = readdir(dir));) {
		FILE *f = file_fopen(sys->root, DEVICES "/%s/cpumask", entry->d_name);

		if (!f)
			continue;
		fclose(f);
		++*count;
		if (!first)
			first = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	return first;
}

void check_socket(struct check_facts *facts, struct check_line *line)
{
	unsigned count;
	char *pmu = socket_pmu(facts->sys, &count), *type;
	struct perf_event_attr attr = { 0 };
	int error;

	if (!pmu) {
		strbuf_addstr(check_say(line, CHECK_NO, NULL),
			      "the kernel has no counters shared by a socket");
		return;
	}
	type = xasprintf(DEVICES "/%s/type", pmu);
	attr.type = (uint32_t)sys_read_number(facts->sys, type, PERF_TYPE_MAX);
	error = trial_open(facts->sys, &attr, -1, 0, 0);
	if (error == -EACCES || error == -EPERM)
		check_refused(facts->sys, &attr, error, line);
	else
		strbuf_addf(check_say(line, CHECK_YES, NULL),
			    "%u units shared by a socket, such as %s", count, pmu);
	free(type);
	free(pmu);
}

/* Checks the kernel's descriptions of tracepoints: reading them means permission. */
void check_tracepoints(struct check_facts *facts, struct check_line *line)
{
	static const char id[] = "/events/sched/sched_switch/id";
	static const char *const dirs[] = { "/sys/kernel/tracing",
					    "/sys/kernel/debug/tracing" };
	bool closed = false;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		FILE *f = file_fopen(facts->sys->root, "%s%s", dirs[i], id);

		closed = closed || (!f && errno == EACCES);
		if (!f)
			continue;
		fclose(f);
		strbuf_addf(check_say(line, CHECK_YES, NULL), "described in %s", dirs[i]);
		return;
	}
	if (closed)
		strbuf_addf(check_say(line, CHECK_NO, "run collect as root"),
			    "this user may not read %s", dirs[0]);
	else
		strbuf_addf(check_say(line, CHECK_NO,
				      "sudo mount -t tracefs tracefs "
				      "/sys/kernel/tracing"),
			    "no tracefs is mounted on %s", dirs[0]);
}
