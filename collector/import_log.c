/* SPDX-License-Identifier: Apache-2.0 */
#include "import_log.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "closing.h"
#include "config.h"
#include "xalloc.h"

static char *text_or(const char *text, const char *otherwise)
{
	return xstrdup(text ? text : otherwise);
}

/* ---- events ---- */

/* The kernel's generic events, by their config. */
static const char *const hardware_names[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const software_names[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
};

static const char *name_in(const char *const *names, size_t count, uint64_t config)
{
	return config < count ? names[config] : NULL;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The kernel's number of the counter, without that of its PMU (hybrid CPUs). */
static uint64_t generic_config(const struct perf_attr *attr)
{
	return attr->config & UINT32_MAX;
}

static char *name_of(const struct perf_file *file, size_t index)
{
	const struct perf_attr *attr = &file->events.data[index].attr;
	const char *name = perf_file_event_name(file, index);

	if (!name && attr->type == PERF_TYPE_HARDWARE)
		name = name_in(hardware_names, COUNT(hardware_names),
			       generic_config(attr));
	if (!name && attr->type == PERF_TYPE_SOFTWARE)
		name = name_in(software_names, COUNT(software_names), attr->config);
	if (name)
		return xstrdup(name);
	return xasprintf("%" PRIu32 ":%#" PRIx64, attr->type, attr->config);
}

/*
 * The metric's id, which er_print's metrics take: no ':' or '/' in it.  The parts that an
 * event has on a CPU with several kinds of core get one id, for they are one metric.
 */
static char *metric_of(const char *name)
{
	static const char *const kinds[] = { "cpu_core/", "cpu_atom/" };
	char *metric, *out;
	size_t len;

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			name += strlen(kinds[i]);
	metric = xstrdup(name);
	len = strlen(metric);
	if (len && metric[len - 1] == '/')
		metric[len - 1] = '\0';
	for (out = metric; *out; out++)
		if (!isalnum((unsigned char)*out) && !strchr("_-", *out))
			*out = '.';
	return metric;
}

static const char *unit_of(const struct perf_attr *attr)
{
	if (attr->type == PERF_TYPE_HARDWARE &&
	    (generic_config(attr) == PERF_COUNT_HW_CPU_CYCLES ||
	     generic_config(attr) == PERF_COUNT_HW_REF_CPU_CYCLES))
		return "cycles";
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
	     attr->config == PERF_COUNT_SW_TASK_CLOCK))
		return "ns";
	return "events";
}

static void fill_event(struct exp_log *log, const struct import *imp, size_t index)
{
	const struct import_event *from = &imp->events.data[index];
	const struct perf_attr *attr = &imp->file->events.data[index].attr;
	const struct recording_event *seen;
	char *name;

	if (from->row == IMPORT_NO_ROW)
		return;
	seen = &imp->rec->events.data[from->row];
	name = name_of(imp->file, index);
	*vec_push(&log->events) = (struct exp_event){
		.asked = name,
		.got = xstrdup(name),
		.reason = xstrdup(""),
		.metric = metric_of(name),
		.label = xstrdup(name),
		.unit = xstrdup(unit_of(attr)),
		.period = attr->freq ? 0 : attr->period,
		.scale = 1,
		.samples = seen->samples,
		.count = seen->weight,
	};
}

/* ---- the machine and the run ---- */

static void fill_machine(struct exp_log *log, const struct perf_info *info)
{
	log->hostname = text_or(info->hostname, "unknown");
	log->kernel = info->osrelease ? xasprintf("Linux %s", info->osrelease)
				      : xstrdup("unknown");
	log->arch = text_or(info->arch, "unknown");
	log->cpu = text_or(info->cpudesc ? info->cpudesc : info->cpuid, "unknown");
	log->cpus = info->cpus;
	vec_for_each(char *, arg, &info->command)
		*vec_push(&log->command) = xstrdup(*arg);
}

static void fill_run(struct exp_log *log, const struct recording *rec)
{
	log->cwd = xstrdup("");
	log->started = xstrdup("");
	log->scope = xstrdup("");
	log->stack = xstrdup(stack_mode_names[rec->stack.mode]);
	log->exit_status = -1;
	log->started_ns = rec->start_ns;
	log->duration_ns = rec->last_ns > rec->start_ns ? rec->last_ns - rec->start_ns
							: 0;
	log->samples = rec->samples;
	log->lost = rec->lost;
	log->throttled = rec->throttled;
	log->unthrottled = rec->unthrottled;
	log->processes = rec->tasks.processes_seen;
	log->threads = rec->tasks.threads_seen;
	memcpy(log->stack_ends, rec->stack.ends, sizeof(log->stack_ends));
	log->complete = true;
}

/* ---- notes ---- */

static void note_source(struct exp_log *log, const struct perf_info *info,
			const char *path)
{
	char *text = xasprintf("imported from %s, which perf%s%s recorded", path,
			       info->version ? " " : "",
			       info->version ? info->version : "");

	exp_log_note(log, "note", text);
	free(text);
}

static void warn_count(struct exp_log *log, uint64_t count, const char *what)
{
	char *text;

	if (!count)
		return;
	text = xasprintf("%" PRIu64 " %s", count, what);
	closing_note(log, "warning", text);
	free(text);
}

static void warn_end(struct exp_log *log, const struct perf_file *file)
{
	char *text;

	if (file->unfinished)
		closing_note(log, "warning",
			     "perf was ended before it had written all: names of events "
			     "and the machine are missing");
	if (!file->truncated)
		return;
	text = xasprintf("the file ends within a record, at byte %" PRIu64
			 "; what stands before is here",
			 file->at);
	closing_note(log, "warning", text);
	free(text);
}

void import_log_fill(struct exp_log *log, const struct import *imp, const char *path,
		     const char *comment)
{
	const struct perf_file *file = imp->file;

	log->version = xstrdup(PACKAGE_VERSION);
	log->comment = text_or(comment, "");
	fill_machine(log, &file->info);
	fill_run(log, imp->rec);
	for (size_t i = 0; i < imp->events.len; i++)
		fill_event(log, imp, i);
	note_source(log, &file->info, path);
	warn_end(log, file);
	warn_count(log, imp->rec->lost, "records were lost when it was recorded");
	warn_count(log, imp->rec->bad, "records could not be understood");
	warn_count(log, imp->unknown,
		   "samples are of an event that the file does not tell");
	warn_count(log, imp->queue.late, "records came out of their order in time");
	warn_count(
		log, file->left_out,
		"parts of what the file says of the machine and the events are damaged");
}
