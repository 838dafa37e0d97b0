/* SPDX-License-Identifier: Apache-2.0 */
/* statistics: times, rates, losses and stack ends of a run, and what collect used. */
#include <stdlib.h>
#include <string.h>

#include "tables/fields.h"
#include "model/metric.h"
#include "model/run.h"
#include "session/experiments.h"
#include "views/views.h"
#include "base/xalloc.h"

static void add_times(struct table *table, size_t n, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;

	fields_add(table, n, "Duration", "%.3f s", run->duration_s);
	if (run->has_cpu)
		fields_add(table, n, "CPU time by samples", "%.3f s (%s)", run->cpu_s,
			   run->cpu_label);
	if (run->has_cpu || run->has_rusage)
		fields_add(table, n, "CPUs busy, mean", "%.2f of %u", run_cpus_busy(run),
			   log->cpus);
	if (!run->has_rusage)
		return;
	fields_add(table, n, "CPU time by the kernel", "%.3f s", run->rusage_cpu_s);
	fields_add(table, n, "  user", "%.3f s", (double)log->rusage_user_ns * 1e-9);
	fields_add(table, n, "  system", "%.3f s", (double)log->rusage_system_ns * 1e-9);
}

/* With labels that Studio's users know. */
static void add_usage(struct table *table, size_t n, const struct exp_usage *usage)
{
	const bool waited = !strcmp(usage->of, EXP_USAGE_WAITED);
	const bool any = waited || !strcmp(usage->of, EXP_USAGE_PROCESSES);
	const bool blocks = waited || (any && usage->blocks);
	const struct {
		const char *label;
		uint64_t count;
		bool known;
	} rows[] = {
		{ "Minor page faults", usage->minor_faults, any },
		{ "Major page faults", usage->major_faults, any },
		{ "Voluntary context switches", usage->voluntary_switches, waited },
		{ "Involuntary context switches", usage->involuntary_switches, waited },
		{ "Input blocks of 512 bytes", usage->input_blocks, blocks },
		{ "Output blocks of 512 bytes", usage->output_blocks, blocks },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].known)
			fields_add(table, n, rows[i].label, "%llu",
				   (unsigned long long)rows[i].count);
}

/* Records that may be samples make the number of lost samples uncertain. */
static void add_lost(struct table *table, size_t n, const struct exp_log *log)
{
	if (log->lost_records)
		fields_add(table, n, "Lost samples", "%llu to %llu",
			   (unsigned long long)log->lost,
			   (unsigned long long)(log->lost + log->lost_records));
	else
		fields_add(table, n, "Lost samples", "%llu",
			   (unsigned long long)log->lost);
	if (log->lost_other)
		fields_add(table, n, "Lost records of tasks and mappings", "%llu",
			   (unsigned long long)log->lost_other);
	if (log->filtered)
		fields_add(table, n, "Samples filtered out", "%llu",
			   (unsigned long long)log->filtered);
}

static void add_number(struct table *table, size_t n, const char *label, uint64_t count,
		       const struct run *run)
{
	fields_add(table, n, label, "%llu", (unsigned long long)count);
	if (run->recorded_s > 0)
		fields_add(table, n, "  per second", "%.1f",
			   (double)count / run->recorded_s);
}

/* Both are rows of one table. */
static void add_samples(struct table *table, size_t n, const struct run *run)
{
	const uint64_t rows = run->samples + run->waits;

	add_number(table, n, "Samples", run->samples, run);
	if (run->waits)
		add_number(table, n, "Waits", run->waits, run);
	if (rows)
		fields_add(table, n,
			   run->waits ? "Bytes of a sample or wait" : "  bytes each",
			   "%.1f", (double)run->exp->bytes / (double)rows);
}

static void add_tasks(struct table *table, size_t n, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;

	fields_add(table, n, "Throttled", "%llu times",
		   (unsigned long long)log->throttled);
	fields_add(table, n, "Processes", "%llu",
		   (unsigned long long)(log->processes ? log->processes
						       : run->exp->processes.len));
	fields_add(table, n, "Threads", "%llu",
		   (unsigned long long)(log->threads ? log->threads
						     : run->exp->threads.len));
}

static void add_stack_ends(struct table *table, size_t n, const struct run *run)
{
	static const char *const words[EXP_ENDS] = {
		[EXP_END_ROOT] = "Stacks that are whole",
		[EXP_END_TRUNCATED] = "  copy of the stack too short",
		[EXP_END_NO_RULE] = "  code without unwind information",
		[EXP_END_BAD_MEMORY] = "  unreadable frame",
		[EXP_END_DEPTH] = "  too deep",
		[EXP_END_OTHER] = "  frame pointers end",
		[EXP_END_NONE] = "  no user stack",
		[EXP_END_OTHER_STACK] = "  interrupted on another stack",
		[EXP_END_NO_REGISTER] = "  register not saved",
		[EXP_END_UNKNOWN] = "Stacks of unknown root",
	};
	const uint64_t *ends = run->exp->log.stack_ends;
	uint64_t all = 0;

	for (int i = 0; i < EXP_ENDS; i++)
		all += ends[i];
	for (int i = 0; i < EXP_ENDS; i++)
		if (ends[i])
			fields_add(table, n, words[i], "%llu (%.2f %%)",
				   (unsigned long long)ends[i],
				   100 * (double)ends[i] / (double)all);
	if (run->exp->log.completed_stacks && all)
		fields_add(table, n, "Stacks read beyond their copies", "%llu (%.2f %%)",
			   (unsigned long long)run->exp->log.completed_stacks,
			   100 * (double)run->exp->log.completed_stacks / (double)all);
}

static void add_events(struct table *table, size_t n, const struct model *model,
		       const struct source *source)
{
	const struct exp_log *log = &source->exp->log;

	for (size_t e = 0; e < log->events.len; e++) {
		const struct exp_event *event = &log->events.data[e];
		struct value whole = source->totals.whole[e];
		const char *label = model_string(
			model, model->metrics.data[source->metric[e]].label);

		if (*event->state) {
			if (value_is_any(whole))
				fields_add(table, n, label, "%llu waits, %llu ns",
					   (unsigned long long)whole.samples,
					   (unsigned long long)whole.weight);
			continue;
		}
		fields_add(table, n, label,
			   "%llu samples, %llu %s, %.1f %% of the time counted",
			   (unsigned long long)whole.samples,
			   (unsigned long long)source->recorded[e], event->unit,
			   100 / (event->scale > 0 ? event->scale : 1));
	}
}

static void add_left_out(struct table *table, size_t n, const struct exp_log *log)
{
	static const char *const words[EXP_LEFT_KINDS] = {
		[EXP_LEFT_MAPPINGS] = "Left out: mappings",
		[EXP_LEFT_PROCESSES] = "Left out: mappings of whole processes",
		[EXP_LEFT_MODULES] = "Left out: mappings of files",
		[EXP_LEFT_KERNEL] = "Left out: areas of kernel code",
		[EXP_LEFT_STACKS] = "Left out: callers of stacks",
		[EXP_LEFT_JIT] = "Left out: names of addresses in JIT code",
		[EXP_LEFT_THREADS] = "Left out: threads taken as ended",
		[EXP_LEFT_NAMES] = "Left out: names of threads and processes",
		[EXP_LEFT_CGROUPS] = "Left out: paths of control groups",
		[EXP_LEFT_TABLES] = "Left out: tables for unwinding",
		[EXP_LEFT_ORIGINS] = "Left out: rights to debug files",
		[EXP_LEFT_FILES] = "Left out: files to unwind by",
		[EXP_LEFT_SYMBOLS] = "Left out: symbol tables",
		[EXP_LEFT_LABELS] = "Left out: names of functions",
		[EXP_LEFT_COMMANDS] = "Left out: command lines",
		[EXP_LEFT_DEBUG] = "Left out: debug files without a build-id",
		[EXP_LEFT_LOCKED] = "Left out: looks at locked processes",
	};

	for (int i = 0; i < EXP_LEFT_KINDS; i++)
		if (log->left_out[i])
			fields_add(table, n, words[i], "%llu",
				   (unsigned long long)log->left_out[i]);
}

static void add_collector(struct table *table, size_t n, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;

	if (!log->collector_max_rss_kb) /* it was imported, or did not end */
		return;
	fields_add(table, n, "Collector's CPU time", "%.3f s",
		   (double)log->collector_cpu_ns * 1e-9);
	fields_add(table, n, "Collector's memory", "%llu KiB",
		   (unsigned long long)log->collector_max_rss_kb);
	if (log->lowered_ns)
		fields_add(table, n, "Collector's priority lowered", "%.3f s",
			   (double)log->lowered_ns * 1e-9);
}

static int show_statistics(struct session *s, size_t source)
{
	struct table table;
	struct run run;
	char *title;
	int error;

	run_read(&run, &s->model, source);
	title = xasprintf("Statistics of %s", run.exp->path);
	fields_init(&table, "statistics", title);
	add_times(&table, source + 1, &run);
	add_usage(&table, source + 1, &run.exp->log.usage);
	add_samples(&table, source + 1, &run);
	add_lost(&table, source + 1, &run.exp->log);
	add_tasks(&table, source + 1, &run);
	add_stack_ends(&table, source + 1, &run);
	add_events(&table, source + 1, &s->model, &s->model.sources.data[source]);
	add_left_out(&table, source + 1, &run.exp->log);
	add_collector(&table, source + 1, &run);
	error = session_show(s, &table);
	free(title);
	run_release(&run);
	return error;
}

static int run_statistics(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t first, end;
	int error = experiments_chosen(s, argc, argv, &first, &end, err);

	if (error)
		return error;
	for (size_t i = first; i < end && !error; i++)
		error = show_statistics(s, i);
	return command_shown(s, error, err);
}

const struct cmd cmd_statistics = {
	.name = "statistics",
	.args = "[EXP]",
	.help = "times, rates, losses, stack ends, collector's cost",
	.example = "statistics 1",
	.run = run_statistics,
};
