/* SPDX-License-Identifier: Apache-2.0 */
#include "import/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "events/event.h"
#include "import/metrics.h"
#include "import/name.h"
#include "import/notes.h"
#include "import/waits.h"
#include "recording/left_out.h"
#include "base/xalloc.h"

static char *text_or(const char *text, const char *otherwise)
{
	return xstrdup(text ? text : otherwise);
}

/* ---- events ---- */

static const char *skid_of(const struct perf_attr *attr, const char *unit)
{
	const struct event like = {
		.type = attr->type,
		.unit = strcmp(unit, "ns") ? EVENT_UNIT_EVENTS : EVENT_UNIT_NS,
		.precise_ip = attr->precise,
	};

	return event_skid(&like);
}

static char *label_of(const char *name, uint32_t number)
{
	char *base = import_label(name), *label;

	if (number == 1)
		return base;
	label = xasprintf("%s (%" PRIu32 ")", base, number);
	free(base);
	return label;
}

static char *metric_of(struct import_metrics *metrics, const struct perf_attr *attr,
		       const char *name, uint32_t *number)
{
	char *base = import_metric(name), *metric;

	metric = import_metrics_add(metrics, base, import_core_kind(attr, name), number);
	free(base);
	return metric;
}

static void fill_event(struct exp_log *log, const struct import *imp,
		       struct import_metrics *metrics, size_t index)
{
	const struct import_event *from = &imp->events.data[index];
	const struct perf_attr *attr = &imp->file->events.data[index].attr;
	const struct recording_event *seen;
	char *name, *metric;
	uint32_t number;

	if (from->row == IMPORT_NO_ROW)
		return;
	seen = &imp->rec->events.data[from->row];
	name = import_name(imp->file, index);
	metric = metric_of(metrics, attr, name, &number);
	*vec_push(&log->events) = (struct exp_event){
		.asked = name,
		.got = xstrdup(name),
		.leader = xstrdup(""),
		.reason = xstrdup(""),
		.metric = metric,
		.label = label_of(name, number),
		.unit = xstrdup(import_unit(attr, name)),
		.skid = xstrdup(skid_of(attr, import_unit(attr, name))),
		.precise = attr->precise,
		.precise_asked = attr->precise,
		.period = attr->freq ? 0 : attr->period,
		.scale = 1,
		.samples = seen->samples,
		.count = seen->weight,
		.addressed = seen->addressed,
	};
}

static void fill_events(struct exp_log *log, const struct import *imp)
{
	struct import_metrics metrics;

	import_metrics_init(&metrics);
	for (size_t i = 0; i < imp->events.len; i++) {
		import_waits_fill(log, imp);
		fill_event(log, imp, &metrics, i);
	}
	import_waits_fill(log, imp);
	import_metrics_release(&metrics);
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

/*
 * The events' totals count the same records as the rings' reports, which may lack the
 * last ones.
 */
static void fill_lost(struct exp_log *log, const struct import *imp)
{
	uint64_t samples = imp->lost[IMPORT_LOST_SAMPLES];
	uint64_t other = imp->lost[IMPORT_LOST_OTHER];
	uint64_t told = samples + other, all = told + imp->lost[IMPORT_LOST_MIXED];

	if (all < imp->rec->lost)
		all = imp->rec->lost;
	log->lost = imp->rec->lost_samples + samples;
	log->lost_other = other;
	log->lost_records = all - told;
	log->filtered = imp->filtered;
}

static void fill_run(struct exp_log *log, const struct recording *rec)
{
	log->cwd = xstrdup("");
	log->scope = xstrdup("");
	log->stack = xstrdup(stack_mode_names[rec->stack.mode]);
	log->exit_status = -1;
	log->started_ns = rec->start_ns;
	if (rec->start_ns && rec->last_ns > rec->start_ns)
		log->duration_ns = rec->last_ns - rec->start_ns;
	log->samples = rec->samples;
	log->throttled = rec->throttled;
	log->unthrottled = rec->unthrottled;
	log->processes = rec->tasks.processes_seen;
	log->threads = rec->tasks.threads_seen;
	memcpy(log->stack_ends, rec->stack.ends, sizeof(log->stack_ends));
	left_out_fill(rec, log);
	log->complete = true;
}

/* ---- notes ---- */

static void note_source(struct exp_log *log, const struct perf_info *info,
			const char *path)
{
	char *text = xasprintf("imported from %s, recorded by perf%s%s", path,
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
	exp_log_note(log, "warning", text);
	free(text);
}

static void warn_cut(struct exp_log *log, const struct perf_stream *stream)
{
	char *text;

	if (!stream->truncated)
		return;
	text = xasprintf("%s ends within a record, at byte %" PRIu64
			 "; everything before it is here",
			 stream->name ? stream->name : "the file", stream->at);
	exp_log_note(log, "warning", text);
	free(text);
}

static void warn_end(struct exp_log *log, const struct perf_file *file)
{
	if (file->unfinished)
		exp_log_note(log, "warning",
			     "perf ended before it wrote everything: names of events and "
			     "the machine are missing");
	warn_cut(log, &file->own);
	vec_for_each(const struct perf_stream, part, &file->parts)
		warn_cut(log, part);
	warn_count(log, file->missing,
		   "files of the folder are missing, with the records of their CPUs");
}

/* Warns of data other than samples, and how to convert or view it. */
static void warn_samples(struct exp_log *log, const struct import *imp)
{
	static const char trace[] =
		"bytes of a hardware trace were skipped: perf inject --itrace=i100us "
		"converts it to samples, in an importable file";
	bool none = !imp->rec->samples && !imp->waits->waiting.lives;

	warn_count(log, imp->file->traced, trace);
	if (none && imp->file->info.counts)
		exp_log_note(log, "warning",
			     "there are no samples: perf stat recorded it, and perf stat "
			     "report shows its counts");
	else if (none && !imp->file->traced)
		exp_log_note(log, "warning", "it has no samples");
}

static void warn_left_out(struct exp_log *log)
{
	for (size_t kind = 0; kind < EXP_LEFT_KINDS; kind++) {
		struct strbuf text = { 0 };

		if (left_out_say(log, kind, &text))
			exp_log_note(log, "warning", strbuf_str(&text));
		strbuf_release(&text);
	}
}

void import_log_fill(struct exp_log *log, const struct import *imp, const char *path,
		     const char *comment)
{
	const struct perf_file *file = imp->file;

	log->version = xstrdup(PACKAGE_VERSION);
	log->comment = text_or(comment, "");
	fill_machine(log, &file->info);
	fill_run(log, imp->rec);
	fill_lost(log, imp);
	log->started = import_started(imp);
	fill_events(log, imp);
	note_source(log, &file->info, path);
	import_notes_add(log, imp);
	import_waits_note(log, imp);
	warn_end(log, file);
	warn_samples(log, imp);
	warn_count(log, log->lost, "samples were lost during the recording");
	warn_count(log, log->lost_records,
		   "records, samples or others, were lost during the recording");
	warn_count(log, log->lost_other,
		   "records that are no samples were lost during the recording");
	warn_count(log, imp->rec->bad, "records could not be decoded");
	warn_count(log, imp->unknown,
		   "samples belong to an event that the file does not describe");
	warn_left_out(log);
	warn_count(log, imp->queue.late, "records were out of time order");
	warn_count(log, file->left_out,
		   "parts of the file's description of the machine and the events are "
		   "damaged");
}
