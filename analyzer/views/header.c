/* SPDX-License-Identifier: Apache-2.0 */
/* header: the circumstances of a recording, and its problems. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tables/fields.h"
#include "model/generated.h"
#include "model/interpreted.h"
#include "model/nameless.h"
#include "model/ratio.h"
#include "model/run.h"
#include "session/experiments.h"
#include "views/views.h"
#include "base/xalloc.h"

struct page {
	struct table *table;
	const struct model *model;
	const struct source *source;
	const struct run *run;
	const struct exp_log *log;
	size_t experiment; /* from 1 */
};

static void add_sentences(const struct page *p, const char *label, char *const *data,
			  size_t len)
{
	for (size_t i = 0; i < len; i++)
		fields_add(p->table, p->experiment, label, "%s", data[i]);
}

static void add_troubles(const struct page *p)
{
	add_sentences(p, "Error", p->run->errors.data, p->run->errors.len);
	add_sentences(p, "Warning", p->run->warnings.data, p->run->warnings.len);
	if (!p->run->errors.len && !p->run->warnings.len)
		fields_add(p->table, p->experiment, "Errors and warnings", "none");
	vec_for_each(const struct exp_note, note, &p->log->notes)
		if (!strcmp(note->severity, "note"))
			fields_add(p->table, p->experiment, "Note", "%s", note->text);
}

static void add_target(const struct page *p)
{
	char *command = run_subject(p->run);

	fields_add(p->table, p->experiment, "Target command", "%s", command);
	if (p->log->pid)
		fields_add(p->table, p->experiment, "Process", "%lld",
			   (long long)p->log->pid);
	if (*p->log->cwd)
		fields_add(p->table, p->experiment, "Working directory", "%s",
			   p->log->cwd);
	if (*p->log->comment)
		fields_add(p->table, p->experiment, "Comment", "%s", p->log->comment);
	vec_for_each(const struct exp_label, label, &p->log->labels)
		fields_add(p->table, p->experiment, "Label", "%s=%s", label->key,
			   label->value);
	if (p->log->signal)
		fields_add(p->table, p->experiment, "Ended by", "signal %d (%s)",
			   p->log->signal, strsignal(p->log->signal));
	else if (p->log->exit_status >= 0)
		fields_add(p->table, p->experiment, "Exit status", "%d",
			   p->log->exit_status);
	free(command);
}

static void add_machine(const struct page *p)
{
	const struct exp_log *log = p->log;

	fields_add(p->table, p->experiment, "Host", "%s", log->hostname);
	fields_add(p->table, p->experiment, "Operating system", "%s (%s)", log->kernel,
		   log->arch);
	if (log->page_size)
		fields_add(p->table, p->experiment, "Page size", "%u bytes",
			   log->page_size);
	if (log->hz > 0)
		fields_add(p->table, p->experiment, "CPUs", "%u, %s, %.0f MHz", log->cpus,
			   log->cpu, log->hz / 1e6);
	else
		fields_add(p->table, p->experiment, "CPUs", "%u, %s", log->cpus,
			   log->cpu);
}

/* The meaning of log.json's scope. */
static const struct {
	const char *name, *text;
} scopes[] = {
	{ "task", "each task's own counters; a new process starts a fresh interval" },
	{ "cgroup", "a control group made for the run, on every CPU" },
	{ "cpu", "the CPUs' counters; only the program's samples are kept" },
};

static void add_event(const struct page *p, size_t index)
{
	const struct exp_event *event = &p->log->events.data[index];
	const double unsampled = source_unsampled(p->source, index);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s (%s): asked for %s, got %s", event->label, event->metric,
		    event->asked, event->got);
	if (event->period)
		strbuf_addf(&text, ", every %llu %s", (unsigned long long)event->period,
			    event->unit);
	if (*event->leader)
		strbuf_addf(&text, ", read at the samples of %s", event->leader);
	if (*event->skid)
		strbuf_addf(&text, ", %s", event->skid);
	if (event->precise_asked > event->precise)
		strbuf_addf(&text, " (asked for precise_ip %u, got %u)",
			    event->precise_asked, event->precise);
	if (event->hz > 0)
		strbuf_addf(&text, ", at %.3f GHz", event->hz / 1e9);
	if (event->scale > 1)
		strbuf_addf(&text,
			    ", multiplexed: counted %.1f %% of the time, scaled "
			    "by %.3f",
			    100 / event->scale, event->scale);
	if (unsampled > 0)
		strbuf_addf(&text, ", %.1f %% of it without a sample", 100 * unsampled);
	if (unsampled > 0 && *event->unsampled_why)
		strbuf_addf(&text, " (%s)", event->unsampled_why);
	if (event->addressed)
		strbuf_addf(&text, ", %llu samples with an address of data",
			    (unsigned long long)event->addressed);
	if (*event->reason)
		strbuf_addf(&text, "; %s", event->reason);
	fields_add(p->table, p->experiment, "Event", "%s", text.data);
	strbuf_release(&text);
}

/* Those of the states of threads in one line: they have nothing of their own. */
static void add_states(const struct page *p)
{
	struct strbuf text = { 0 };

	vec_for_each(const struct exp_event, event, &p->log->events)
		if (*event->state)
			strbuf_addf(&text, "%s%s", text.len ? ", " : "", event->metric);
	if (text.len)
		fields_add(p->table, p->experiment, "States of threads", "%s", text.data);
	strbuf_release(&text);
}

/* The request, the actual events, and the reasons for differences. */
static void add_parameters(const struct page *p)
{
	fields_add(p->table, p->experiment, "Collector", "collect %s", p->log->version);
	for (size_t e = 0; e < p->log->events.len; e++)
		if (!*p->log->events.data[e].state)
			add_event(p, e);
	add_states(p);
	fields_add(p->table, p->experiment, "Call stacks", "%s", p->log->stack);
	for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		if (!strcmp(p->log->scope, scopes[i].name))
			fields_add(p->table, p->experiment, "Counted by", "%s",
				   i == 1 && *p->log->cgroup
					   ? "the control group, on every CPU"
					   : scopes[i].text);
}

/* The sum of this run's events of METRIC. */
static struct value sum_of(const struct source *source, uint32_t metric)
{
	struct value sum = { 0 };

	for (size_t e = 0; e < source->totals.events; e++)
		if (source->metric[e] == metric)
			value_add(&sum, source->totals.whole[e]);
	return sum;
}

/* The program's clock rate, if two events together give it. */
static void add_clock(const struct page *p)
{
	vec_for_each(const struct ratio, ratio, &p->model->ratios) {
		const struct metric *bottom = &p->model->metrics.data[ratio->bottom];
		struct estimate e;

		if (ratio->kind->top != PART_CYCLES ||
		    ratio->kind->bottom == PART_INSTS ||
		    !ratio_estimate(p->model, ratio, sum_of(p->source, ratio->top),
				    sum_of(p->source, ratio->bottom), &e))
			continue;
		fields_add(p->table, p->experiment, model_string(p->model, ratio->label),
			   "%.*f%s%s (%.*f to %.*f), by %s over %s", ratio->kind->digits,
			   e.amount, *ratio->kind->unit ? " " : "", ratio->kind->unit,
			   ratio->kind->digits, e.low, ratio->kind->digits, e.high,
			   model_string(p->model, p->model->metrics.data[ratio->top].id),
			   model_string(p->model, bottom->id));
	}
}

/* STARTED (ISO 8601, UTC) and the time that lies SECONDS later. */
static void add_times(const struct page *p)
{
	struct strbuf pauses = { 0 };
	struct tm tm = { 0 };
	char end[32];
	time_t then;

	if (*p->log->started)
		fields_add(p->table, p->experiment, "Started", "%s", p->log->started);
	if (strptime(p->log->started, "%Y-%m-%dT%H:%M:%S", &tm)) {
		then = timegm(&tm) + (time_t)p->run->duration_s;
		if (gmtime_r(&then, &tm) &&
		    strftime(end, sizeof(end), "%Y-%m-%dT%H:%M:%SZ", &tm))
			fields_add(p->table, p->experiment, "Ended", "%s", end);
	}
	run_put_pauses(p->run, &pauses);
	fields_add(p->table, p->experiment, "Duration", "%.3f s%s", p->run->duration_s,
		   strbuf_str(&pauses));
	strbuf_release(&pauses);
}

static void add_yield(const struct page *p)
{
	struct strbuf ends = { 0 }, yield = { 0 };
	const struct exp_log *log = p->log;
	uint64_t all = 0;

	for (int i = 0; i < EXP_ENDS; i++)
		all += log->stack_ends[i];
	for (int i = 0; i < EXP_ENDS && all; i++)
		if (log->stack_ends[i])
			strbuf_addf(&ends, "%s%s %.2f %%", ends.len ? ", " : "",
				    exp_stack_end_names[i],
				    100 * (double)log->stack_ends[i] / (double)all);
	run_put_yield(p->run, &yield);
	fields_add(p->table, p->experiment, "Samples", "%s", yield.data);
	strbuf_release(&yield);
	if (ends.len)
		fields_add(p->table, p->experiment, "Stacks end at", "%s", ends.data);
	if (log->completed_stacks && all)
		fields_add(p->table, p->experiment, "Read beyond copies", "%.2f %%",
			   100 * (double)log->completed_stacks / (double)all);
	fields_add(p->table, p->experiment, "Data", "%llu bytes",
		   (unsigned long long)p->run->exp->bytes);
	if (log->collector_max_rss_kb)
		fields_add(p->table, p->experiment, "Collector's own cost",
			   "%.3f s of CPU time, %llu KiB of memory",
			   (double)log->collector_cpu_ns * 1e-9,
			   (unsigned long long)log->collector_max_rss_kb);
	strbuf_release(&ends);
}

static void add_advice(const struct page *p,
		       void (*advise)(const struct model *model,
				      const struct source *source, struct strbuf *out))
{
	struct strbuf text = { 0 };

	advise(p->model, p->source, &text);
	if (text.len)
		fields_add(p->table, p->experiment, "Names", "%s", text.data);
	strbuf_release(&text);
}

/* The remedies that would name most, if they are worth a line. */
static void add_names(const struct page *p)
{
	struct generated_code code = { 0 };
	const struct generated *most;
	struct strbuf remedy = { 0 };

	generated_add(&code, p->model, p->source);
	most = code.by_runtime.data;
	if (code.by_runtime.len && most->runtime && most->samples * 100 >= code.samples) {
		generated_remedy(most->runtime, &remedy);
		fields_add(p->table, p->experiment, "Names",
			   "%.1f %% in generated code of %s: %s",
			   100 * (double)most->samples / (double)code.samples,
			   most->runtime->name, remedy.data);
	}
	strbuf_release(&remedy);
	generated_release(&code);
	add_advice(p, interpreted_advise);
	add_advice(p, nameless_advise);
}

static int show_header(struct session *s, size_t source)
{
	struct table table;
	struct run run;
	struct page page;
	char *title;
	int error;

	run_read(&run, &s->model, source);
	title = xasprintf("Experiment: %s", run.exp->path);
	fields_init(&table, "header", title);
	page = (struct page){ &table, &s->model,     &s->model.sources.data[source],
			      &run,   &run.exp->log, source + 1 };
	add_troubles(&page);
	add_target(&page);
	add_machine(&page);
	add_parameters(&page);
	add_clock(&page);
	add_times(&page);
	add_yield(&page);
	add_names(&page);
	error = session_show(s, &table);
	free(title);
	run_release(&run);
	return error;
}

static int run_header(struct session *s, int argc, char **argv, struct strbuf *err)
{
	size_t first, end;
	int error = experiments_chosen(s, argc, argv, &first, &end, err);

	if (error)
		return error;
	for (size_t i = first; i < end && !error; i++)
		error = show_header(s, i);
	return command_shown(s, error, err);
}

const struct cmd cmd_header = {
	.name = "header",
	.args = "[EXP]",
	.help = "errors and warnings, then command, machine and events",
	.example = "header 1",
	.run = run_header,
};
