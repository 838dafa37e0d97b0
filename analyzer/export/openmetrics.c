/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export openmetrics: the first functions and objects, and the health of the recordings,
 * as gauges: for the textfile collector of Prometheus' node_exporter.
 *
 * All is bounded: the rows of each family by the limit, a label by LABEL_MAX.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/export.h"
#include "model/foreign.h"
#include "model/metric.h"
#include "model/numbers.h"
#include "model/run.h"
#include "rows/function_table.h"

enum { ROWS_USUAL = 20, LABEL_MAX = 200 /* characters */ };

struct openmetrics {
	struct session *session;
	struct stream *out;
	struct strtab units; /* as parts of names */
	struct strtab seen;  /* series, without the number of a duplicate */
	VEC(uint32_t) times; /* by id in seen: how often */
	struct strbuf name, text;
};

/* ---- series ---- */

/* "ringprof_function_exclusive_seconds"; UNIT "": none. */
static void begin_family(struct openmetrics *o, const char *name, const char *unit,
			 const char *help)
{
	strbuf_clear(&o->name);
	strbuf_addf(&o->name, "ringprof_%s%s%s", name, *unit ? "_" : "", unit);
	strbuf_addf(&o->out->text, "# TYPE %s gauge\n", o->name.data);
	if (*unit)
		strbuf_addf(&o->out->text, "# UNIT %s %s\n", o->name.data, unit);
	strbuf_addf(&o->out->text, "# HELP %s %s\n", o->name.data, help);
}

/* A label of the series in o->text, whose bytes may be any. */
static void add_label(struct openmetrics *o, const char *key, const char *value)
{
	struct strbuf clean = { 0 };
	const char *end;

	foreign_put(&clean, foreign(value));
	end = utf8_at(strbuf_str(&clean), LABEL_MAX);
	strbuf_addf(&o->text, "%s%s=\"", o->text.len ? "," : "", key);
	for (const char *at = strbuf_str(&clean); at < end; at++) {
		if (*at == '\\' || *at == '"')
			strbuf_addch(&o->text, '\\');
		strbuf_addch(&o->text, *at);
	}
	strbuf_addstr(&o->text, *end ? "…\"" : "\"");
	strbuf_release(&clean);
}

/*
 * Writes the series of the family with the labels in o->text.  Names that are one when
 * they are cut or cleaned differ by a number.
 */
static void put_series(struct openmetrics *o, double value)
{
	struct strbuf *out = &o->out->text;
	struct strbuf series = { 0 };
	uint32_t id;

	strbuf_addf(&series, "%s{%s", o->name.data, strbuf_str(&o->text));
	id = strtab_intern(&o->seen, series.data);
	while (o->times.len <= id)
		*vec_push(&o->times) = 0;
	strbuf_addstr(out, series.data);
	if (++o->times.data[id] > 1)
		strbuf_addf(out, "%sduplicate=\"%u\"", o->text.len ? "," : "",
			    (unsigned)o->times.data[id]);
	strbuf_addch(out, '}');
	strbuf_addch(out, ' ');
	number_exact(out, value);
	strbuf_addch(out, '\n');
	strbuf_release(&series);
	stream_pass(o->out);
}

/* ---- functions and objects ---- */

/* The id of a metric's unit as part of a name: "seconds", "cycles". */
static uint32_t unit_of(struct openmetrics *o, size_t metric)
{
	const struct model *model = &o->session->model;
	const char *unit = metric_unit(model, &model->metrics.data[metric]);
	struct strbuf text = { 0 };
	uint32_t id;

	for (size_t i = 0; i < 32 && unit[i]; i++)
		strbuf_addch(&text, isalnum((unsigned char)unit[i])
					    ? (char)tolower((unsigned char)unit[i])
					    : '_');
	id = strtab_intern(&o->units, text.len ? text.data : "events");
	strbuf_release(&text);
	return id;
}

/* Its rows are functions, or objects. */
struct kind {
	const char *names[2]; /* of exclusive and inclusive */
	const char *help[2];
	void (*add_labels)(struct openmetrics *o, uint32_t row);
	const struct sums *sums;
	struct ranks ranks;
};

static void add_object(struct openmetrics *o, uint32_t object)
{
	add_label(o, "object", object_path(&o->session->model, object));
}

static void add_function(struct openmetrics *o, uint32_t function)
{
	add_label(o, "function", session_function(o->session, function));
	add_object(o, o->session->model.functions.data[function].object);
}

/*
 * The rows with the most of METRIC first, in the flavor that sorts; of another sort than by
 * a metric, its order.
 */
static void rank_by(struct openmetrics *o, const struct kind *kind, size_t metric,
		    struct ranks *out)
{
	struct sort_key sort = session_sort(o->session);
	bool other = sort.by.field == FIELD_METRIC && sort.by.metric != metric;

	*out = (struct ranks){ 0 };
	vec_for_each(const struct rank, row, &kind->ranks) {
		struct rank rank = *row;
		struct value v = sums_value(kind->sums, sort.by.flavor, metric, rank.id);

		if (other) {
			rank.weight = v.weight;
			rank.samples = v.samples;
			rank.absent = false;
		}
		*vec_push(out) = rank;
	}
	if (other)
		ranks_sort(out, sort.reverse);
}

static void put_rows(struct openmetrics *o, const struct kind *kind, enum flavor flavor,
		     size_t metric)
{
	const struct model *model = &o->session->model;
	const struct metric *m = &model->metrics.data[metric];
	size_t limit = o->session->set.limit ? o->session->set.limit : ROWS_USUAL;

	struct ranks ranks;

	rank_by(o, kind, metric, &ranks);
	for (size_t i = 0; i < ranks.len && i < limit; i++) {
		uint32_t row = ranks.data[i].id;
		struct value v = sums_value(kind->sums, flavor, metric, row);

		if (!value_is_any(v))
			continue;
		strbuf_clear(&o->text);
		kind->add_labels(o, row);
		add_label(o, "metric", model_string(model, m->id));
		put_series(o, estimate_of(m, v, m->total).amount);
	}
	vec_release(&ranks);
}

/* A family has one unit. */
static void put_kind(struct openmetrics *o, const struct kind *kind)
{
	size_t metrics = o->session->model.metrics.len;

	for (uint32_t unit = 1; unit < strtab_count(&o->units); unit++)
		for (int f = EXCLUSIVE; f <= INCLUSIVE; f++) {
			begin_family(o, kind->names[f], strtab_get(&o->units, unit),
				     kind->help[f]);
			for (size_t m = 0; m < metrics; m++)
				if (unit_of(o, m) == unit)
					put_rows(o, kind, (enum flavor)f, m);
		}
}

static void put_totals(struct openmetrics *o)
{
	const struct model *model = &o->session->model;

	for (uint32_t unit = 1; unit < strtab_count(&o->units); unit++) {
		begin_family(o, "total", strtab_get(&o->units, unit),
			     "What all samples add up to.");
		for (size_t i = 0; i < model->metrics.len; i++) {
			const struct metric *m = &model->metrics.data[i];

			strbuf_clear(&o->text);
			add_label(o, "metric", model_string(model, m->id));
			if (unit_of(o, i) == unit)
				put_series(o, estimate_total(m).amount);
		}
	}
}

static void put_functions(struct openmetrics *o)
{
	struct kind kind = {
		.names = { "function_exclusive", "function_inclusive" },
		.help = { "What was counted in the function itself.",
			  "What was counted in the function and in all that it calls." },
		.add_labels = add_function,
		.sums = &session_analysis(o->session, ANALYSIS_SUMS)->sums,
	};

	functions_ranked(o->session, kind.sums, NULL, &kind.ranks);
	put_kind(o, &kind);
	vec_release(&kind.ranks);
}

/* By the metric that sorts. */
static void rank_objects(struct openmetrics *o, struct kind *kind)
{
	struct metric_item by = session_sort(o->session).by;
	size_t metric = by.field == FIELD_METRIC ? by.metric : 0;
	enum flavor flavor = by.field == FIELD_METRIC ? by.flavor : EXCLUSIVE;

	for (uint32_t i = 0; i < kind->sums->groups; i++)
		*vec_push(&kind->ranks) = (struct rank){
			.id = i,
			.name = object_path(&o->session->model, i),
			.weight = sums_value(kind->sums, flavor, metric, i).weight,
		};
	ranks_sort(&kind->ranks, false);
}

static void put_objects(struct openmetrics *o)
{
	const struct model *model = &o->session->model;
	struct frame_map frames;
	struct sums sums;
	uint32_t *of_function;
	struct kind kind = {
		.names = { "object_exclusive", "object_inclusive" },
		.help = { "What was counted in the object itself.",
			  "What was counted in the object and in all that it calls." },
		.add_labels = add_object,
		.sums = &sums,
	};

	session_shown(o->session, &frames);
	of_function = xcalloc(frames.groups + 1, sizeof(*of_function));
	for (size_t f = 0; f < frames.groups; f++)
		of_function[f] = model->functions.data[f].object;
	sums_build_grouped(&sums, model, &frames, of_function, model->objects.len, false);
	rank_objects(o, &kind);
	put_kind(o, &kind);
	vec_release(&kind.ranks);
	sums_release(&sums);
	frame_map_release(&frames);
	free(of_function);
}

/* ---- the recordings ---- */

static double duration(const struct source *source)
{
	return (double)source->exp->log.duration_ns * 1e-9;
}

/* Below 0: unknown. */
static double started(const struct source *source)
{
	int64_t at = exp_log_started(&source->exp->log);

	return at > 0 ? (double)at : -1;
}

static double samples(const struct source *source)
{
	return (double)source_samples(source);
}

static double lost(const struct source *source)
{
	return (double)source->exp->log.lost;
}

static double lost_records(const struct source *source)
{
	return (double)source->exp->log.lost_records;
}

static double throttled(const struct source *source)
{
	return (double)source->exp->log.throttled;
}

static double cut_stacks(const struct source *source)
{
	double sum = 0;

	for (int end = 0; end < EXP_ENDS; end++)
		if (end != EXP_END_ROOT)
			sum += (double)source->exp->log.stack_ends[end];
	return sum;
}

static double complete(const struct source *source)
{
	return run_is_whole(source);
}

static const struct {
	const char *name, *unit, *help;
	double (*value)(const struct source *source); /* below 0: unknown */
} figures[] = {
	{ "recording_duration", "seconds", "Length of the recording.", duration },
	{ "recording_start_time", "seconds", "When it began, since 1970.", started },
	{ "recording_samples", "", "Samples in the recording.", samples },
	{ "recording_lost_samples", "", "Samples that the kernel dropped.", lost },
	{ "recording_lost_records", "", "Records, samples or others, that it dropped.",
	  lost_records },
	{ "recording_throttled", "", "Times that it stopped an event for its rate.",
	  throttled },
	{ "recording_cut_stacks", "", "Stacks that do not reach their root.",
	  cut_stacks },
	{ "recording_complete", "", "1: it ended in order and is whole.", complete },
};

/* A label's key as one of Prometheus'; two may become one, so the first one counts. */
static void add_given(struct openmetrics *o, const struct exp_log *log)
{
	struct strtab keys;

	strtab_init(&keys);
	vec_for_each(const struct exp_label, label, &log->labels) {
		char *key = xasprintf("label_%s", label->key);

		for (char *c = key; *c; c++)
			*c = isalnum((unsigned char)*c) ? *c : '_';
		if (strtab_find(&keys, key) == STRTAB_NONE)
			add_label(o, key, label->value);
		strtab_intern(&keys, key);
		free(key);
	}
	strtab_release(&keys);
}

static void put_recordings(struct openmetrics *o)
{
	const struct model *model = &o->session->model;

	begin_family(o, "recording_info", "", "1; its labels describe the recording.");
	vec_for_each(const struct source, source, &model->sources) {
		strbuf_clear(&o->text);
		add_label(o, "recording", source->exp->path);
		add_label(o, "host", source->exp->log.hostname);
		add_label(o, "comment", source->exp->log.comment);
		add_given(o, &source->exp->log);
		put_series(o, 1);
	}
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		begin_family(o, figures[i].name, figures[i].unit, figures[i].help);
		vec_for_each(const struct source, source, &model->sources) {
			double value = figures[i].value(source);

			strbuf_clear(&o->text);
			add_label(o, "recording", source->exp->path);
			if (value >= 0)
				put_series(o, value);
		}
	}
}

static void write_openmetrics(struct session *s, struct stream *out)
{
	struct openmetrics o = { .session = s, .out = out };

	strtab_init(&o.units);
	strtab_init(&o.seen);
	for (size_t m = 0; m < s->model.metrics.len; m++)
		unit_of(&o, m);
	put_totals(&o);
	put_functions(&o);
	put_objects(&o);
	put_recordings(&o);
	strbuf_addstr(&out->text, "# EOF\n");
	strtab_release(&o.units);
	strtab_release(&o.seen);
	vec_release(&o.times);
	strbuf_release(&o.name);
	strbuf_release(&o.text);
}

const struct export_format export_openmetrics = {
	.whole = true,
	.write = write_openmetrics,
};
