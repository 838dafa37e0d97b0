/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "render/report.h"

#include <stdlib.h>
#include <string.h>

#include "render/json_members.h"
#include "model/metric.h"
#include "model/ratio.h"
#include "render/render.h"
#include "render/report_experiment.h"
#include "base/xalloc.h"

/* ---- metrics ---- */

static void put_metric(struct json_writer *w, const struct model *model,
		       const struct metric *metric)
{
	const struct exp_event *event =
		&model->sources.data[metric->source].exp->log.events.data[metric->event];
	const char *id = model_string(model, metric->id);
	struct estimate total = estimate_total(metric);
	double seconds = metric_seconds(metric);

	json_begin_object(w);
	json_put_text(w, "id", id);
	json_put_text(w, "label", model_string(model, metric->label));
	json_put_text(w, "unit", metric_unit(model, metric));
	/* a sum of states is no event */
	json_put_text(w, "asked", metric->sum ? id : event->asked);
	json_put_text(w, "got", metric->sum ? id : event->got);
	json_put_text_or_null(w, "reason", event->reason);
	json_put_number(w, "scale", metric->mean_scale);
	json_put_number_or_null(w, "seconds_per_unit", seconds, seconds > 0);
	json_put_number(w, "total", total.amount);
	json_put_unsigned(w, "samples", total.samples);
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
	json_put_text(w, "id", model_string(model, ratio->id));
	json_put_text(w, "label", model_string(model, ratio->label));
	json_put_text(w, "unit", ratio->kind->unit);
	json_put_text(w, "numerator", model_string(model, top->id));
	json_put_text(w, "denominator", model_string(model, bottom->id));
	json_put_number(w, "factor", ratio_factor(model, ratio));
	json_put_number_or_null(w, "value", e.amount, there);
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
		report_put_experiment(&w, model, i);
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
		json_put_text(&w, "view", note->view);
		json_put_text(&w, "text", note->text);
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
		json_put_text_or_null(&w, "command",
				      mistake->command ? mistake->command : "");
		json_put_unsigned(&w, "status", (uint64_t)mistake->status);
		json_put_text(&w, "text", mistake->text);
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
