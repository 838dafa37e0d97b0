/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "render/report.h"

#include <stdlib.h>
#include <string.h>

#include "render/json_writer.h"
#include "model/metric.h"
#include "model/ratio.h"
#include "render/render.h"
#include "model/run.h"
#include "base/xalloc.h"

/* ---- members ---- */

static void put_text(struct json_writer *w, const char *key, const char *text)
{
	json_key(w, key);
	json_text(w, text);
}

static void put_unsigned(struct json_writer *w, const char *key, uint64_t n)
{
	json_key(w, key);
	json_unsigned(w, n);
}

static void put_number(struct json_writer *w, const char *key, double n)
{
	json_key(w, key);
	json_number(w, n);
}

static void put_null(struct json_writer *w, const char *key)
{
	json_key(w, key);
	json_null(w);
}

/* The same, or null: for no text, and for 0. */
static void put_text_or_null(struct json_writer *w, const char *key, const char *text)
{
	if (*text)
		put_text(w, key, text);
	else
		put_null(w, key);
}

static void put_unsigned_or_null(struct json_writer *w, const char *key, uint64_t n)
{
	if (n)
		put_unsigned(w, key, n);
	else
		put_null(w, key);
}

static void put_number_or_null(struct json_writer *w, const char *key, double n, bool any)
{
	if (any)
		put_number(w, key, n);
	else
		put_null(w, key);
}

static void put_texts(struct json_writer *w, const char *key, char *const *data,
		      size_t len)
{
	json_key(w, key);
	json_begin_array(w);
	for (size_t i = 0; i < len; i++)
		json_text(w, data[i]);
	json_end(w);
}

/* ---- experiments ---- */

static void put_counts(struct json_writer *w, const char *key, const char *const *names,
		       const uint64_t *counts, size_t len)
{
	json_key(w, key);
	json_begin_object(w);
	for (size_t i = 0; i < len; i++)
		put_unsigned(w, names[i], counts[i]);
	json_end(w);
}

static void put_event(struct json_writer *w, const struct exp_event *event,
		      struct value whole)
{
	json_begin_object(w);
	put_text(w, "asked", event->asked);
	put_text(w, "got", event->got);
	put_text_or_null(w, "reason", event->reason);
	put_text_or_null(w, "leader", event->leader);
	put_text(w, "metric", event->metric);
	put_text(w, "label", event->label);
	put_text(w, "unit", event->unit);
	put_text_or_null(w, "skid", event->skid);
	put_unsigned(w, "precise", event->precise);
	put_unsigned(w, "precise_asked", event->precise_asked);
	put_unsigned_or_null(w, "period", event->period);
	put_number_or_null(w, "hz", event->hz, event->hz > 0);
	put_number(w, "scale", event->scale > 0 ? event->scale : 1);
	put_unsigned(w, "samples", whole.samples);
	put_unsigned(w, "weight", whole.weight);
	put_unsigned_or_null(w, "count", event->count);
	put_unsigned(w, "unsampled", event->unsampled);
	json_end(w);
}

static void put_events(struct json_writer *w, const struct source *source)
{
	const struct exp_log *log = &source->exp->log;

	json_key(w, "events");
	json_begin_array(w);
	for (size_t e = 0; e < log->events.len; e++)
		put_event(w, &log->events.data[e], source->totals.whole[e]);
	json_end(w);
}

static void put_collector(struct json_writer *w, const struct exp_log *log)
{
	json_key(w, "collector");
	json_begin_object(w);
	put_text(w, "version", log->version);
	put_number(w, "cpu_s", (double)log->collector_cpu_ns * 1e-9);
	put_unsigned(w, "max_rss_kb", log->collector_max_rss_kb);
	put_number(w, "lowered_s", (double)log->lowered_ns * 1e-9);
	json_end(w);
}

static void put_machine(struct json_writer *w, const struct exp_log *log)
{
	put_text(w, "hostname", log->hostname);
	put_text(w, "kernel", log->kernel);
	put_text(w, "arch", log->arch);
	put_text(w, "cpu", log->cpu);
	put_unsigned(w, "cpus", log->cpus);
	put_number_or_null(w, "hz", log->hz, log->hz > 0);
	put_unsigned(w, "page_size", log->page_size);
}

static void put_target(struct json_writer *w, const struct run *run)
{
	const struct exp_log *log = &run->exp->log;
	char *command = run_command_line(run);

	put_text(w, "command", command);
	put_texts(w, "argv", log->command.data, log->command.len);
	put_text(w, "cwd", log->cwd);
	put_text(w, "cgroup", log->cgroup);
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

	put_text(w, "started", log->started);
	put_number(w, "duration_s", run->duration_s);
	json_key(w, "complete");
	json_bool(w, log->complete && !run->exp->truncated);
	put_unsigned(w, "samples", run->samples);
	put_unsigned(w, "lost", log->lost);
	put_unsigned(w, "lost_other", log->lost_other);
	put_unsigned(w, "lost_records", log->lost_records);
	put_unsigned(w, "filtered", log->filtered);
	put_unsigned(w, "throttled", log->throttled);
	put_number_or_null(w, "cpu_s", run->cpu_s, run->has_cpu);
	put_number_or_null(w, "rusage_cpu_s", run->rusage_cpu_s, run->has_rusage);
	put_unsigned(w, "bytes", run->exp->bytes);
	put_unsigned(w, "processes", log->processes ? log->processes : processes);
	put_unsigned(w, "threads", log->threads ? log->threads : threads);
}

static void put_experiment(struct json_writer *w, const struct model *model,
			   size_t source)
{
	const struct exp_log *log;
	struct run run;

	run_read(&run, model, source);
	log = &run.exp->log;
	json_begin_object(w);
	put_text(w, "path", run.exp->path);
	put_target(w, &run);
	put_machine(w, log);
	put_numbers(w, &run);
	put_text(w, "comment", log->comment);
	put_text(w, "stack", log->stack);
	put_text(w, "scope", log->scope);
	put_counts(w, "stack_ends", exp_stack_end_names, log->stack_ends, EXP_ENDS);
	put_unsigned(w, "completed_stacks", log->completed_stacks);
	put_counts(w, "left_out", exp_left_out_names, log->left_out, EXP_LEFT_KINDS);
	put_collector(w, log);
	put_events(w, &model->sources.data[source]);
	put_texts(w, "errors", run.errors.data, run.errors.len);
	put_texts(w, "warnings", run.warnings.data, run.warnings.len);
	json_end(w);
	run_release(&run);
}

/* ---- metrics ---- */

static void put_metric(struct json_writer *w, const struct model *model,
		       const struct metric *metric)
{
	const struct exp_event *event =
		&model->sources.data[metric->source].exp->log.events.data[metric->event];
	struct estimate total = estimate_total(metric);
	double seconds = metric_seconds(metric);

	json_begin_object(w);
	put_text(w, "id", model_string(model, metric->id));
	put_text(w, "label", model_string(model, metric->label));
	put_text(w, "unit", metric_unit(model, metric));
	put_text(w, "asked", event->asked);
	put_text(w, "got", event->got);
	put_text_or_null(w, "reason", event->reason);
	put_number(w, "scale", metric->scale);
	put_number_or_null(w, "seconds_per_unit", seconds, seconds > 0);
	put_number(w, "total", total.amount);
	put_unsigned(w, "samples", total.samples);
	json_end(w);
}

/* A bound of E's interval; null where there is no value. */
static void put_bound(struct json_writer *w, const char *key, double bound,
		      const struct estimate *e, bool there)
{
	json_key(w, key);
	if (there)
		json_bound(w, bound, e->amount);
	else
		json_null(w);
}

/* A ratio of the whole; its value is null if there is nothing to divide by. */
static void put_ratio(struct json_writer *w, const struct model *model,
		      const struct ratio *ratio)
{
	const struct metric *top = &model->metrics.data[ratio->top];
	const struct metric *bottom = &model->metrics.data[ratio->bottom];
	struct estimate e = { 0 };
	bool there = ratio_total(model, ratio, &e);

	json_begin_object(w);
	put_text(w, "id", model_string(model, ratio->id));
	put_text(w, "label", model_string(model, ratio->label));
	put_text(w, "unit", ratio->kind->unit);
	put_text(w, "numerator", model_string(model, top->id));
	put_text(w, "denominator", model_string(model, bottom->id));
	put_number(w, "factor", ratio_factor(model, ratio));
	put_number_or_null(w, "value", e.amount, there);
	put_bound(w, "low", e.low, &e, there);
	put_bound(w, "high", e.high, &e, there);
	json_end(w);
}

/* ---- the document ---- */

/* Begins a member of the document. */
static struct json_writer begin_member(struct stream *out, const char *key)
{
	strbuf_addf(&out->text, "%s\"%s\": ", out->text.len ? ",\n" : "{\n", key);
	return (struct json_writer){ .out = out, .style = &json_pretty };
}

static void put_experiments(struct stream *out, const struct model *model)
{
	struct json_writer w = begin_member(out, "experiments");

	json_begin_array(&w);
	for (size_t i = 0; i < model->sources.len; i++)
		put_experiment(&w, model, i);
	json_end(&w);
}

static void put_metrics(struct stream *out, const struct model *model)
{
	struct json_writer w = begin_member(out, "metrics");

	json_begin_array(&w);
	vec_for_each(const struct metric, metric, &model->metrics)
		put_metric(&w, model, metric);
	json_end(&w);
}

static void put_ratios(struct stream *out, const struct model *model)
{
	struct json_writer w = begin_member(out, "ratios");

	json_begin_array(&w);
	vec_for_each(const struct ratio, ratio, &model->ratios)
		put_ratio(&w, model, ratio);
	json_end(&w);
}

static void put_string(struct stream *out, const char *key, const char *text)
{
	struct json_writer w = begin_member(out, key);

	json_text(&w, text);
}

struct report *report_new(const struct model *model)
{
	struct report *report = xcalloc(1, sizeof(*report));
	struct stream head = { 0 };

	put_string(&head, "schema", REPORT_SCHEMA);
	put_string(&head, "version", PACKAGE_VERSION);
	put_experiments(&head, model);
	put_metrics(&head, model);
	put_ratios(&head, model);
	report->head = head.text;
	return report;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	strbuf_release(&report->head);
	vec_for_each(struct report_view, view, &report->views) {
		free(view->key);
		spool_release(&view->rows);
	}
	vec_for_each(struct report_note, note, &report->notes) {
		free(note->view);
		free(note->text);
	}
	vec_release(&report->views);
	vec_release(&report->notes);
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

int report_add(struct report *report, struct table *table)
{
	struct report_view *view;
	struct stream rows = { .write = spool_write };

	if (!table->key || report->error)
		return report->error;
	view = view_of(report, table);
	rows.ctx = &view->rows;
	render_json(table, view->rows.len > 0, &rows);
	report->error = stream_end(&rows);
	if (!report->error)
		report->error = spool_flush(&view->rows);
	if (table->note.len)
		*vec_push(&report->notes) = (struct report_note){
			.view = xstrdup(view->key),
			.text = xstrdup(table->note.data),
		};
	return report->error;
}

static void put_notes(const struct report *report, struct stream *out)
{
	struct json_writer w = begin_member(out, "notes");

	json_begin_array(&w);
	vec_for_each(const struct report_note, note, &report->notes) {
		json_begin_object(&w);
		put_text(&w, "view", note->view);
		put_text(&w, "text", note->text);
		json_end(&w);
	}
	json_end(&w);
}

static void put_mistakes(const struct mistakes *mistakes, struct stream *out)
{
	struct json_writer w = begin_member(out, "errors");

	json_begin_array(&w);
	vec_for_each(const struct mistake, mistake, mistakes) {
		json_begin_object(&w);
		put_text_or_null(&w, "command", mistake->command ? mistake->command : "");
		put_unsigned(&w, "status", (uint64_t)mistake->status);
		put_text(&w, "text", mistake->text);
		json_end(&w);
	}
	json_end(&w);
}

static int write_view(const struct report *report, const struct report_view *view,
		      stream_write_fn *write, void *ctx)
{
	struct strbuf begin = { 0 };
	int error;

	strbuf_addf(&begin, "%s,\n\"%s\": [\n", view == report->views.data ? "" : "\n]",
		    view->key);
	error = write(ctx, begin.data, begin.len);
	strbuf_release(&begin);
	return error ? error : spool_copy(&view->rows, write, ctx);
}

int report_write(const struct report *report, const struct mistakes *mistakes,
		 stream_write_fn *write, void *ctx)
{
	struct stream head = { .write = write, .ctx = ctx };
	const char *end = report->views.len ? "\n]\n}\n" : "\n}\n";
	int error;

	strbuf_add(&head.text, report->head.data, report->head.len);
	put_notes(report, &head);
	put_mistakes(mistakes, &head);
	error = stream_end(&head);
	for (size_t i = 0; i < report->views.len && !error; i++)
		error = write_view(report, &report->views.data[i], write, ctx);
	return error ? error : write(ctx, end, strlen(end));
}
