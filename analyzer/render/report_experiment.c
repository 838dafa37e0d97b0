/* SPDX-License-Identifier: Apache-2.0 */
#include "render/report_experiment.h"

#include <stdlib.h>
#include <string.h>

#include "render/json_members.h"
#include "model/run.h"

static void put_counts(struct json_writer *w, const char *key, const char *const *names,
		       const uint64_t *counts, size_t len)
{
	json_key(w, key);
	json_begin_object(w);
	for (size_t i = 0; i < len; i++)
		json_put_unsigned(w, names[i], counts[i]);
	json_end(w);
}

static void put_event(struct json_writer *w, const struct exp_event *event,
		      uint64_t samples, uint64_t recorded)
{
	json_begin_object(w);
	json_put_text(w, "asked", event->asked);
	json_put_text(w, "got", event->got);
	json_put_text_or_null(w, "reason", event->reason);
	json_put_text_or_null(w, "leader", event->leader);
	json_put_text(w, "metric", event->metric);
	json_put_text(w, "label", event->label);
	json_put_text(w, "unit", event->unit);
	json_put_text_or_null(w, "skid", event->skid);
	json_put_unsigned(w, "precise", event->precise);
	json_put_unsigned(w, "precise_asked", event->precise_asked);
	json_put_unsigned_or_null(w, "period", event->period);
	json_put_number_or_null(w, "hz", event->hz, event->hz > 0);
	json_put_number(w, "scale", event->scale > 0 ? event->scale : 1);
	json_put_unsigned(w, "samples", samples);
	json_put_unsigned(w, "weight", recorded);
	json_put_unsigned_or_null(w, "count", event->count);
	json_put_unsigned(w, "unsampled", event->unsampled);
	json_put_text_or_null(w, "unsampled_why", event->unsampled_why);
	json_end(w);
}

static void put_events(struct json_writer *w, const struct source *source)
{
	const struct exp_log *log = &source->exp->log;

	json_key(w, "events");
	json_begin_array(w);
	for (size_t e = 0; e < log->events.len; e++)
		put_event(w, &log->events.data[e], source->totals.whole[e].samples,
			  source->recorded[e]);
	json_end(w);
}

static void put_collector(struct json_writer *w, const struct exp_log *log)
{
	json_key(w, "collector");
	json_begin_object(w);
	json_put_text(w, "version", log->version);
	json_put_number(w, "cpu_s", (double)log->collector_cpu_ns * 1e-9);
	json_put_unsigned(w, "max_rss_kb", log->collector_max_rss_kb);
	json_put_number(w, "lowered_s", (double)log->lowered_ns * 1e-9);
	json_end(w);
}

static void put_usage(struct json_writer *w, const struct exp_usage *usage)
{
	bool waited = !strcmp(usage->of, EXP_USAGE_WAITED);

	json_key(w, "usage");
	if (!waited && strcmp(usage->of, EXP_USAGE_PROCESSES) != 0) {
		json_null(w);
		return;
	}
	json_begin_object(w);
	json_put_text(w, "of", usage->of);
	json_put_unsigned(w, "minor_faults", usage->minor_faults);
	json_put_unsigned(w, "major_faults", usage->major_faults);
	if (waited) {
		json_put_unsigned(w, "voluntary_switches", usage->voluntary_switches);
		json_put_unsigned(w, "involuntary_switches", usage->involuntary_switches);
	}
	if (waited || usage->blocks) {
		json_put_unsigned(w, "input_blocks", usage->input_blocks);
		json_put_unsigned(w, "output_blocks", usage->output_blocks);
	}
	json_end(w);
}

static void put_machine(struct json_writer *w, const struct exp_log *log)
{
	json_put_text(w, "hostname", log->hostname);
	json_put_text(w, "kernel", log->kernel);
	json_put_text(w, "arch", log->arch);
	json_put_text(w, "cpu", log->cpu);
	json_put_unsigned(w, "cpus", log->cpus);
	json_put_number_or_null(w, "hz", log->hz, log->hz > 0);
	json_put_unsigned(w, "page_size", log->page_size);
}

static void put_target(struct json_writer *w, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;
	char *command = run_command_line(run);

	json_put_text(w, "command", command);
	json_put_texts(w, "argv", log->command.data, log->command.len);
	json_put_text(w, "cwd", log->cwd);
	json_put_text(w, "cgroup", log->cgroup);
	json_key(w, "pid");
	json_signed(w, log->pid);
	json_key(w, "exit_status");
	if (log->exit_status >= 0)
		json_signed(w, log->exit_status);
	else
		json_null(w);
	json_key(w, "signal");
	if (log->signal)
		json_signed(w, log->signal);
	else
		json_null(w);
	free(command);
}

static void put_numbers(struct json_writer *w, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;
	size_t processes = run->exp->processes.len, threads = run->exp->threads.len;

	json_put_text(w, "started", log->started);
	json_put_number(w, "duration_s", run->duration_s);
	json_put_number(w, "recorded_s", run->recorded_s);
	json_key(w, "complete");
	json_bool(w, run->whole);
	json_put_unsigned(w, "samples", run->samples);
	json_put_unsigned(w, "waits", run->waits);
	json_put_unsigned(w, "lost", log->lost);
	json_put_unsigned(w, "lost_other", log->lost_other);
	json_put_unsigned(w, "lost_records", log->lost_records);
	json_put_unsigned(w, "filtered", log->filtered);
	json_put_unsigned(w, "throttled", log->throttled);
	json_put_number_or_null(w, "cpu_s", run->cpu_s, run->has_cpu);
	json_put_number_or_null(w, "rusage_cpu_s", run->rusage_cpu_s, run->has_rusage);
	json_put_unsigned(w, "bytes", run->exp->bytes);
	json_put_unsigned(w, "processes", log->processes ? log->processes : processes);
	json_put_unsigned(w, "threads", log->threads ? log->threads : threads);
}

void report_put_experiment(struct json_writer *w, const struct model *model,
			   size_t source)
{
	const struct exp_log *log;
	struct run run;

	run_read(&run, model, source);
	log = &run.exp->log;
	json_begin_object(w);
	json_put_text(w, "path", run.exp->path);
	put_target(w, &run);
	put_machine(w, log);
	put_numbers(w, &run);
	put_usage(w, &log->usage);
	json_put_text(w, "comment", log->comment);
	json_key(w, "labels");
	json_begin_object(w);
	vec_for_each(const struct exp_label, label, &log->labels)
		json_put_text(w, label->key, label->value);
	json_end(w);
	json_put_text(w, "stack", log->stack);
	json_put_text(w, "scope", log->scope);
	put_counts(w, "stack_ends", exp_stack_end_names, log->stack_ends, EXP_ENDS);
	json_put_unsigned(w, "completed_stacks", log->completed_stacks);
	put_counts(w, "left_out", exp_left_out_names, log->left_out, EXP_LEFT_KINDS);
	put_collector(w, log);
	put_events(w, &model->sources.data[source]);
	json_put_texts(w, "errors", run.errors.data, run.errors.len);
	json_put_texts(w, "warnings", run.warnings.data, run.warnings.len);
	json_end(w);
	run_release(&run);
}
