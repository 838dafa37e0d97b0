/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "render/report.h"

#include <stdlib.h>
#include <string.h>

#include "render/json_value.h"
#include "model/metric.h"
#include "model/ratio.h"
#include "render/render.h"
#include "model/run.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

static void put(json_object *to, const char *key, json_object *value)
{
	json_object_object_add(to, key, value);
}

static json_object *number(uint64_t n)
{
	return json_object_new_uint64(n);
}

static json_object *texts(char *const *data, size_t len)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < len; i++)
		json_object_array_add(array, json_text(data[i]));
	return array;
}

/* ---- experiments ---- */

static json_object *stack_ends_of(const struct exp_log *log)
{
	json_object *ends = json_object_new_object();

	for (int i = 0; i < EXP_ENDS; i++)
		put(ends, exp_stack_end_names[i], number(log->stack_ends[i]));
	return ends;
}

static json_object *event_of(const struct exp_event *event, struct value whole)
{
	json_object *o = json_object_new_object();

	put(o, "asked", json_text(event->asked));
	put(o, "got", json_text(event->got));
	put(o, "reason", *event->reason ? json_text(event->reason) : NULL);
	put(o, "leader", *event->leader ? json_text(event->leader) : NULL);
	put(o, "metric", json_text(event->metric));
	put(o, "label", json_text(event->label));
	put(o, "unit", json_text(event->unit));
	put(o, "skid", *event->skid ? json_text(event->skid) : NULL);
	put(o, "precise", number(event->precise));
	put(o, "precise_asked", number(event->precise_asked));
	put(o, "period", event->period ? number(event->period) : NULL);
	put(o, "hz", event->hz > 0 ? json_number(event->hz) : NULL);
	put(o, "scale", json_number(event->scale > 0 ? event->scale : 1));
	put(o, "samples", number(whole.samples));
	put(o, "weight", number(whole.weight));
	put(o, "count", event->count ? number(event->count) : NULL);
	put(o, "unsampled", number(event->unsampled));
	return o;
}

static json_object *events_of(const struct source *source)
{
	json_object *array = json_object_new_array();
	const struct exp_log *log = &source->exp->log;

	for (size_t e = 0; e < log->events.len; e++)
		json_object_array_add(
			array, event_of(&log->events.data[e], source->totals.whole[e]));
	return array;
}

static json_object *left_out_of(const struct exp_log *log)
{
	json_object *o = json_object_new_object();

	for (int i = 0; i < EXP_LEFT_KINDS; i++)
		put(o, exp_left_out_names[i], number(log->left_out[i]));
	return o;
}

static json_object *collector_of(const struct exp_log *log)
{
	json_object *o = json_object_new_object();

	put(o, "version", json_text(log->version));
	put(o, "cpu_s", json_number((double)log->collector_cpu_ns * 1e-9));
	put(o, "max_rss_kb", number(log->collector_max_rss_kb));
	put(o, "lowered_s", json_number((double)log->lowered_ns * 1e-9));
	return o;
}

static void put_machine(json_object *o, const struct exp_log *log)
{
	put(o, "hostname", json_text(log->hostname));
	put(o, "kernel", json_text(log->kernel));
	put(o, "arch", json_text(log->arch));
	put(o, "cpu", json_text(log->cpu));
	put(o, "cpus", number(log->cpus));
	put(o, "hz", log->hz > 0 ? json_number(log->hz) : NULL);
	put(o, "page_size", number(log->page_size));
}

static void put_target(json_object *o, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;
	char *command = run_command_line(run);

	put(o, "command", json_text(command));
	put(o, "argv", texts(log->command.data, log->command.len));
	put(o, "cwd", json_text(log->cwd));
	put(o, "pid", json_object_new_int64(log->pid));
	put(o, "exit_status",
	    log->exit_status >= 0 ? json_object_new_int(log->exit_status) : NULL);
	put(o, "signal", log->signal ? json_object_new_int(log->signal) : NULL);
	free(command);
}

static void put_numbers(json_object *o, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;
	size_t processes = run->exp->processes.len, threads = run->exp->threads.len;

	put(o, "started", json_text(log->started));
	put(o, "duration_s", json_number(run->duration_s));
	put(o, "complete",
	    json_object_new_boolean(log->complete && !run->exp->truncated));
	put(o, "samples", number(run->samples));
	put(o, "lost", number(log->lost));
	put(o, "throttled", number(log->throttled));
	put(o, "cpu_s", run->has_cpu ? json_number(run->cpu_s) : NULL);
	put(o, "rusage_cpu_s", run->has_rusage ? json_number(run->rusage_cpu_s) : NULL);
	put(o, "bytes", number(run->exp->bytes));
	put(o, "processes", number(log->processes ? log->processes : processes));
	put(o, "threads", number(log->threads ? log->threads : threads));
}

static json_object *experiment_of(const struct model *model, size_t source)
{
	json_object *o = json_object_new_object();
	const struct exp_log *log;
	struct run run;

	run_read(&run, model, source);
	log = &run.exp->log;
	put(o, "path", json_text(run.exp->path));
	put_target(o, &run);
	put_machine(o, log);
	put_numbers(o, &run);
	put(o, "comment", json_text(log->comment));
	put(o, "stack", json_text(log->stack));
	put(o, "scope", json_text(log->scope));
	put(o, "stack_ends", stack_ends_of(log));
	put(o, "completed_stacks", number(log->completed_stacks));
	put(o, "left_out", left_out_of(log));
	put(o, "collector", collector_of(log));
	put(o, "events", events_of(&model->sources.data[source]));
	put(o, "errors", texts(run.errors.data, run.errors.len));
	put(o, "warnings", texts(run.warnings.data, run.warnings.len));
	run_release(&run);
	return o;
}

/* ---- metrics ---- */

static json_object *metric_object(const struct model *model, const struct metric *metric)
{
	const struct exp_event *event =
		&model->sources.data[metric->source].exp->log.events.data[metric->event];
	struct estimate total = estimate_total(metric);
	double seconds = metric_seconds(metric);
	json_object *o = json_object_new_object();

	put(o, "id", json_text(model_string(model, metric->id)));
	put(o, "label", json_text(model_string(model, metric->label)));
	put(o, "unit", json_text(metric_unit(model, metric)));
	put(o, "asked", json_text(event->asked));
	put(o, "got", json_text(event->got));
	put(o, "reason", *event->reason ? json_text(event->reason) : NULL);
	put(o, "scale", json_number(metric->scale));
	put(o, "seconds_per_unit", seconds > 0 ? json_number(seconds) : NULL);
	put(o, "total", json_number(total.amount));
	put(o, "samples", number(total.samples));
	return o;
}

/* A ratio of the whole; its value is null where there is nothing to divide by. */
static json_object *ratio_object(const struct model *model, const struct ratio *ratio)
{
	const struct metric *top = &model->metrics.data[ratio->top];
	const struct metric *bottom = &model->metrics.data[ratio->bottom];
	json_object *o = json_object_new_object();
	struct estimate e;
	bool there = ratio_total(model, ratio, &e);

	put(o, "id", json_text(model_string(model, ratio->id)));
	put(o, "label", json_text(model_string(model, ratio->label)));
	put(o, "unit", json_text(ratio->kind->unit));
	put(o, "numerator", json_text(model_string(model, top->id)));
	put(o, "denominator", json_text(model_string(model, bottom->id)));
	put(o, "factor", json_number(ratio_factor(model, ratio)));
	put(o, "value", there ? json_number(e.amount) : NULL);
	put(o, "low", there ? json_bound(e.low, e.amount) : NULL);
	put(o, "high", there ? json_bound(e.high, e.amount) : NULL);
	return o;
}

/* ---- the document ---- */

struct report *report_new(const struct model *model)
{
	struct report *report = xcalloc(1, sizeof(*report));
	json_object *experiments = json_object_new_array();
	json_object *metrics = json_object_new_array();
	json_object *ratios = json_object_new_array();

	for (size_t i = 0; i < model->sources.len; i++)
		json_object_array_add(experiments, experiment_of(model, i));
	vec_for_each(const struct metric, metric, &model->metrics)
		json_object_array_add(metrics, metric_object(model, metric));
	vec_for_each(const struct ratio, ratio, &model->ratios)
		json_object_array_add(ratios, ratio_object(model, ratio));
	report->head = json_object_new_object();
	put(report->head, "schema", json_object_new_string(REPORT_SCHEMA));
	put(report->head, "version", json_object_new_string(PACKAGE_VERSION));
	put(report->head, "experiments", experiments);
	put(report->head, "metrics", metrics);
	put(report->head, "ratios", ratios);
	put(report->head, "notes", json_object_new_array());
	return report;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	json_object_put(report->head);
	vec_for_each(struct report_view, view, &report->views) {
		free(view->key);
		strbuf_release(&view->rows);
	}
	vec_release(&report->views);
	free(report);
}

static struct report_view *find_view(const struct report *report, const char *key)
{
	vec_for_each(struct report_view, view, &report->views)
		if (!strcmp(view->key, key))
			return view;
	return NULL;
}

/* The view that TABLE belongs to, new unless it joins one. */
static struct report_view *view_of(struct report *report, const struct table *table)
{
	char *key = xstrdup(table->key);
	struct report_view *view = find_view(report, key);

	for (unsigned n = 2; view && !table->joins; n++) {
		free(key);
		key = xasprintf("%s_%u", table->key, n);
		view = find_view(report, key);
	}
	if (view) {
		free(key);
		return view;
	}
	view = vec_push(&report->views);
	*view = (struct report_view){ .key = key };
	return view;
}

static void add_note(struct report *report, const char *view, const char *text)
{
	json_object *note = json_object_new_object();

	put(note, "view", json_text(view));
	put(note, "text", json_text(text));
	json_object_array_add(json_object_object_get(report->head, "notes"), note);
}

void report_add(struct report *report, const struct table *table)
{
	struct report_view *view;

	if (!table->key)
		return;
	view = view_of(report, table);
	render_json(table, &view->rows);
	if (table->note.len)
		add_note(report, view->key, table->note.data);
}

static void put_head(const struct report *report, struct strbuf *out)
{
	const char *part = "{\n";

	json_object_object_foreach(report->head, key, value)
	{
		strbuf_addf(out, "%s\"%s\": ", part, key);
		foreign_put_json(out, value,
				 JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
					 JSON_C_TO_STRING_NOSLASHESCAPE);
		part = ",\n";
	}
}

static int write_text(const struct strbuf *text, report_write_fn *write, void *ctx)
{
	return text->len ? write(ctx, text->data, text->len) : 0;
}

int report_write(const struct report *report, report_write_fn *write, void *ctx)
{
	struct strbuf between = { 0 };
	int error;

	put_head(report, &between);
	error = write_text(&between, write, ctx);
	for (size_t i = 0; i < report->views.len && !error; i++) {
		const struct report_view *view = &report->views.data[i];

		strbuf_clear(&between);
		strbuf_addf(&between, "%s,\n\"%s\": [\n", i ? "\n]" : "", view->key);
		error = write_text(&between, write, ctx);
		if (!error)
			error = write_text(&view->rows, write, ctx);
	}
	strbuf_clear(&between);
	strbuf_addstr(&between, report->views.len ? "\n]\n}\n" : "\n}\n");
	if (!error)
		error = write_text(&between, write, ctx);
	strbuf_release(&between);
	return error;
}
