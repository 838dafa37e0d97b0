/* SPDX-License-Identifier: Apache-2.0 */
#include "page/summary.h"

#include <string.h>

#include "model/foreign.h"
#include "model/run.h"
#include "page/outline.h"
#include "rows/function_table.h"
#include "rows/overview_fields.h"

/* Functions that fit on one screen beside the rest. */
#define FUNCTIONS_MAX 15

/* ---- the verdict on the data ---- */

struct verdict {
	size_t errors, warnings, damages;
	uint64_t lost, samples;
};

static void add_run(struct verdict *v, const struct model *model, size_t source)
{
	const struct exp_log *log = &model->sources.data[source].exp->log;
	struct run run;

	run_read(&run, model, source);
	v->errors += run.errors.len;
	v->warnings += run.warnings.len;
	v->damages += run.damages;
	v->lost += log->lost + log->lost_other + log->lost_records;
	v->samples += run.samples + run.waits;
	run_release(&run);
}

static void put_verdict(const struct page_data *data, struct strbuf *out)
{
	const struct model *model = &data->session->model;
	struct verdict v = { 0 };

	for (size_t i = 0; i < model->sources.len; i++)
		add_run(&v, model, i);
	if (v.errors || v.damages)
		strbuf_addstr(out, "<p class=\"verdict bad\">Parts of the data are "
				   "missing: see the errors and warnings below.</p>\n");
	else if (v.warnings)
		strbuf_addstr(out, "<p class=\"verdict fair\">Read the warnings below "
				   "before you rely on these numbers.</p>\n");
	else if (v.lost)
		strbuf_addstr(out, "<p class=\"verdict fair\">Some records were lost; "
				   "their number is below.</p>\n");
	else if (!v.samples)
		strbuf_addstr(out,
			      "<p class=\"verdict fair\">There are no samples.</p>\n");
	else
		strbuf_addstr(out, "<p class=\"verdict good\">The data are complete: "
				   "nothing was lost, and nothing gave cause for a "
				   "warning.</p>\n");
}

/* ---- what ran ---- */

/* The value of a field, whose label may have a number behind it. */
static const char *field_text(const struct page_data *data, const char *label,
			      const char *text)
{
	if (!strncmp(label, "Experiment", strlen("Experiment")))
		return page_strip_path(data->stacks.strip, text);
	if (!strncmp(label, "Command", strlen("Command")))
		return page_strip_command(data->stacks.strip, text);
	return page_strip_text(data->stacks.strip, text);
}

static void put_fields(const struct page_data *data, struct strbuf *out)
{
	struct table table;

	overview_fields(data->session, &table);
	strbuf_addstr(out, "<dl>\n");
	for (size_t r = 0; r < table_rows(&table); r++) {
		const struct cell *cells = table_row(&table, r);

		strbuf_addstr(out, "<dt>");
		foreign_put_html(out, table_string(&table, cells[0].text.at));
		strbuf_addstr(out, "</dt><dd>");
		foreign_put_html(
			out, foreign(field_text(data, table.text.data + cells[0].text.at,
						table.text.data + cells[1].text.at)));
		strbuf_addstr(out, "</dd>\n");
	}
	strbuf_addstr(out, "</dl>\n");
	table_release(&table);
}

static void put_notes(const struct page_data *data, struct strbuf *out)
{
	struct strbuf notes = { 0 };

	page_data_notes(data, &notes);
	for (char *save, *line = notes.len ? strtok_r(notes.data, "\n", &save) : NULL;
	     line; line = strtok_r(NULL, "\n", &save)) {
		strbuf_addstr(out, "<p class=\"note\">");
		foreign_put_html(out, foreign(line));
		strbuf_addstr(out, "</p>\n");
	}
	strbuf_release(&notes);
}

/* ---- the hottest functions ---- */

static double percent_of(const struct estimate *e, double amount)
{
	return e->whole > 0 ? 100 * amount / e->whole : 0;
}

static void put_function(const struct page_data *data, const struct sums *sums,
			 uint32_t function, struct strbuf *out)
{
	struct session *s = data->session;
	const struct metric *metric = &s->model.metrics.data[data->metric];
	struct estimate own = estimate_of(
		metric, sums_value(sums, EXCLUSIVE, data->metric, function),
		metric->total);
	struct estimate total = estimate_of(
		metric, sums_value(sums, INCLUSIVE, data->metric, function),
		metric->total);

	strbuf_addstr(out, "<tr>");
	strbuf_addf(out, "<td class=\"n\">%.2f %%</td>", own.percent);
	if (!metric->exact)
		strbuf_addf(out, "<td class=\"n\">%.2f to %.2f</td>",
			    percent_of(&own, own.low), percent_of(&own, own.high));
	strbuf_addf(out, "<td class=\"n\">%llu</td><td class=\"n\">%.2f %%</td>",
		    (unsigned long long)own.samples, total.percent);
	strbuf_addstr(out, "<td class=\"name\">");
	foreign_put_html(out,
			 foreign(page_function_name(s, data->stacks.strip, function)));
	strbuf_addstr(out, "</td><td>");
	foreign_put_html(out,
			 foreign(object_name(&s->model,
					     s->model.functions.data[function].object)));
	strbuf_addstr(out, "</td></tr>\n");
}

static void put_functions(const struct page_data *data, struct strbuf *out)
{
	struct session *s = data->session;
	const struct sums *sums = &session_analysis(s, ANALYSIS_SUMS)->sums;
	const struct metric *metric = &s->model.metrics.data[data->metric];
	struct ranks ranks;

	functions_ranked(s, sums, NULL, &ranks);
	strbuf_addstr(out, "<h2>Hottest functions, by ");
	foreign_put_html(out, foreign(model_string(&s->model, metric->label)));
	strbuf_addstr(out, "</h2>\n<table>\n<thead><tr><th class=\"n\">Exclusive</th>");
	if (!metric->exact)
		strbuf_addstr(out, "<th class=\"n\">95 % interval</th>");
	strbuf_addstr(out, "<th class=\"n\">Samples</th><th "
			   "class=\"n\">Inclusive</th><th>Function</th>"
			   "<th>Object</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < ranks.len && i < FUNCTIONS_MAX; i++)
		put_function(data, sums, ranks.data[i].id, out);
	strbuf_addstr(out, "</tbody>\n</table>\n");
	if (ranks.len > FUNCTIONS_MAX)
		strbuf_addf(out, "<p class=\"note\">%zu more functions.</p>\n",
			    ranks.len - FUNCTIONS_MAX);
	vec_release(&ranks);
}

void page_summary(const struct page_data *data, struct strbuf *out)
{
	put_verdict(data, out);
	put_fields(data, out);
	put_notes(data, out);
	if (data->session->model.metrics.len)
		put_functions(data, out);
	page_outline(data, out);
}
