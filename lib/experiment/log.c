/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/log.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "experiment/log_fields.h"
#include "base/xalloc.h"

#define LOG(member) offsetof(struct exp_log, member)

static const struct exp_log_field log_rows[] = {
	{ NULL, "started", TEXT, LOG(started) },
	{ NULL, "started_ns", U64, LOG(started_ns) },
	{ NULL, "duration_ns", U64, LOG(duration_ns), true },
	{ NULL, "recorded_ns", U64, LOG(recorded_ns), true },
	{ NULL, "comment", TEXT, LOG(comment) },
	{ NULL, "stack", TEXT, LOG(stack) },
	{ NULL, "scope", TEXT, LOG(scope) },
	{ NULL, "wakers", INT, LOG(wakers) },
	{ NULL, "series", TEXT, LOG(series) },
	{ "collector", "version", TEXT, LOG(version) },
	{ "collector", "cpu_ns", U64, LOG(collector_cpu_ns), true },
	{ "collector", "max_rss_kb", U64, LOG(collector_max_rss_kb), true },
	{ "collector", "lowered_ns", U64, LOG(lowered_ns), true },
	{ "target", "cwd", TEXT, LOG(cwd) },
	{ "target", "cgroup", TEXT, LOG(cgroup) },
	{ "target", "pid", I64, LOG(pid) },
	{ "target", "exit_status", INT, LOG(exit_status), true },
	{ "target", "signal", INT, LOG(signal), true },
	{ "target", "rusage_user_ns", U64, LOG(rusage_user_ns), true },
	{ "target", "rusage_system_ns", U64, LOG(rusage_system_ns), true },
	{ "target", "usage_of", TEXT, LOG(usage.of), true },
	{ "target", "minor_faults", U64, LOG(usage.minor_faults), true },
	{ "target", "major_faults", U64, LOG(usage.major_faults), true },
	{ "target", "voluntary_switches", U64, LOG(usage.voluntary_switches), true },
	{ "target", "involuntary_switches", U64, LOG(usage.involuntary_switches), true },
	{ "target", "blocks_known", INT, LOG(usage.blocks), true },
	{ "target", "input_blocks", U64, LOG(usage.input_blocks), true },
	{ "target", "output_blocks", U64, LOG(usage.output_blocks), true },
	{ "machine", "hostname", TEXT, LOG(hostname) },
	{ "machine", "kernel", TEXT, LOG(kernel) },
	{ "machine", "arch", TEXT, LOG(arch) },
	{ "machine", "cpu", TEXT, LOG(cpu) },
	{ "machine", "cpus", UINT, LOG(cpus) },
	{ "machine", "page_size", UINT, LOG(page_size) },
	{ "machine", "hz", REAL, LOG(hz) },
	{ "totals", "bytes", U64, LOG(bytes), true },
	{ "totals", "samples", U64, LOG(samples), true },
	{ "totals", "lost", U64, LOG(lost), true },
	{ "totals", "lost_other", U64, LOG(lost_other), true },
	{ "totals", "lost_records", U64, LOG(lost_records), true },
	{ "totals", "filtered", U64, LOG(filtered), true },
	{ "totals", "throttled", U64, LOG(throttled), true },
	{ "totals", "unthrottled", U64, LOG(unthrottled), true },
	{ "totals", "completed_stacks", U64, LOG(completed_stacks), true },
	{ "totals", "processes", U64, LOG(processes), true },
	{ "totals", "threads", U64, LOG(threads), true },
	{ "left_out", "mappings", U64, LOG(left_out[EXP_LEFT_MAPPINGS]), true },
	{ "left_out", "processes", U64, LOG(left_out[EXP_LEFT_PROCESSES]), true },
	{ "left_out", "modules", U64, LOG(left_out[EXP_LEFT_MODULES]), true },
	{ "left_out", "kernel_areas", U64, LOG(left_out[EXP_LEFT_KERNEL]), true },
	{ "left_out", "stacks", U64, LOG(left_out[EXP_LEFT_STACKS]), true },
	{ "left_out", "jit_names", U64, LOG(left_out[EXP_LEFT_JIT]), true },
	{ "left_out", "threads", U64, LOG(left_out[EXP_LEFT_THREADS]), true },
	{ "left_out", "names", U64, LOG(left_out[EXP_LEFT_NAMES]), true },
	{ "left_out", "cgroups", U64, LOG(left_out[EXP_LEFT_CGROUPS]), true },
	{ "left_out", "tables", U64, LOG(left_out[EXP_LEFT_TABLES]), true },
	{ "left_out", "origins", U64, LOG(left_out[EXP_LEFT_ORIGINS]), true },
	{ "left_out", "locked", U64, LOG(left_out[EXP_LEFT_LOCKED]), true },
	{ "left_out", "debug_files", U64, LOG(left_out[EXP_LEFT_DEBUG]), true },
	{ "left_out", "files", U64, LOG(left_out[EXP_LEFT_FILES]), true },
	{ "left_out", "symbols", U64, LOG(left_out[EXP_LEFT_SYMBOLS]), true },
	{ "left_out", "labels", U64, LOG(left_out[EXP_LEFT_LABELS]), true },
	{ "left_out", "command_lines", U64, LOG(left_out[EXP_LEFT_COMMANDS]), true },
};

const char *const exp_left_out_names[EXP_LEFT_KINDS] = {
	[EXP_LEFT_MAPPINGS] = "mappings",      [EXP_LEFT_PROCESSES] = "processes",
	[EXP_LEFT_MODULES] = "modules",        [EXP_LEFT_KERNEL] = "kernel_areas",
	[EXP_LEFT_STACKS] = "stacks",          [EXP_LEFT_JIT] = "jit_names",
	[EXP_LEFT_THREADS] = "threads",        [EXP_LEFT_NAMES] = "names",
	[EXP_LEFT_CGROUPS] = "cgroups",        [EXP_LEFT_TABLES] = "tables",
	[EXP_LEFT_ORIGINS] = "origins",        [EXP_LEFT_LOCKED] = "locked",
	[EXP_LEFT_DEBUG] = "debug_files",      [EXP_LEFT_FILES] = "files",
	[EXP_LEFT_SYMBOLS] = "symbols",        [EXP_LEFT_LABELS] = "labels",
	[EXP_LEFT_COMMANDS] = "command_lines",
};

#define EVENT(member) offsetof(struct exp_event, member)

static const struct exp_log_field event_rows[] = {
	{ NULL, "asked", TEXT, EVENT(asked) },
	{ NULL, "got", TEXT, EVENT(got) },
	{ NULL, "reason", TEXT, EVENT(reason) },
	{ NULL, "metric", TEXT, EVENT(metric) },
	{ NULL, "label", TEXT, EVENT(label) },
	{ NULL, "unit", TEXT, EVENT(unit) },
	{ NULL, "leader", TEXT, EVENT(leader) },
	{ NULL, "state", TEXT, EVENT(state) },
	{ NULL, "skid", TEXT, EVENT(skid) },
	{ NULL, "precise", UINT, EVENT(precise) },
	{ NULL, "precise_asked", UINT, EVENT(precise_asked) },
	{ NULL, "period", U64, EVENT(period) },
	{ NULL, "hz", REAL, EVENT(hz), true },
	{ NULL, "scale", REAL, EVENT(scale), true },
	{ NULL, "samples", U64, EVENT(samples), true },
	{ NULL, "count", U64, EVENT(count), true },
	{ NULL, "unsampled", U64, EVENT(unsampled), true },
	{ NULL, "unsampled_why", TEXT, EVENT(unsampled_why), true },
	{ NULL, "addressed", U64, EVENT(addressed), true },
};

#define NOTE(member) offsetof(struct exp_note, member)

static const struct exp_log_field note_rows[] = {
	{ NULL, "severity", TEXT, NOTE(severity) },
	{ NULL, "text", TEXT, NOTE(text) },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct exp_log_fields exp_log_fields = { log_rows, COUNT(log_rows) };
const struct exp_log_fields exp_event_fields = { event_rows, COUNT(event_rows) };
const struct exp_log_fields exp_note_fields = { note_rows, COUNT(note_rows) };

static void free_texts(const struct exp_log_fields *fields, void *base)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->rows[i].type == TEXT)
			free(*(char **)((char *)base + fields->rows[i].offset));
}

void exp_log_release(struct exp_log *log)
{
	free_texts(&exp_log_fields, log);
	vec_for_each(char *, arg, &log->command)
		free(*arg);
	vec_for_each(struct exp_event, e, &log->events)
		free_texts(&exp_event_fields, e);
	vec_for_each(struct exp_note, n, &log->notes)
		free_texts(&exp_note_fields, n);
	vec_for_each(struct exp_label, label, &log->labels) {
		free(label->key);
		free(label->value);
	}
	vec_release(&log->labels);
	vec_release(&log->command);
	vec_release(&log->events);
	vec_release(&log->notes);
	*log = (struct exp_log){ 0 };
}

int64_t exp_log_started(const struct exp_log *log)
{
	struct tm tm = { 0 };

	return log->started && strptime(log->started, "%Y-%m-%dT%H:%M:%S", &tm)
		       ? timegm(&tm)
		       : 0;
}

void exp_log_losses(const struct exp_log *log, struct strbuf *out)
{
	if (log->lost || !log->lost_records)
		strbuf_addf(out, "%" PRIu64 " lost", log->lost);
	if (log->lost_records)
		strbuf_addf(out, "%s%" PRIu64 " record%s lost", log->lost ? ", " : "",
			    log->lost_records, log->lost_records == 1 ? "" : "s");
	if (log->lost_other)
		strbuf_addf(out, ", %" PRIu64 " other record%s lost", log->lost_other,
			    log->lost_other == 1 ? "" : "s");
	if (log->filtered)
		strbuf_addf(out, ", %" PRIu64 " filtered out", log->filtered);
}

void exp_log_note(struct exp_log *log, const char *severity, const char *text)
{
	*vec_push(&log->notes) = (struct exp_note){
		.severity = xstrdup(severity),
		.text = xstrdup(text),
	};
}
