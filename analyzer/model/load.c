/* SPDX-License-Identifier: Apache-2.0 */
#include "model/load.h"

#include <string.h>

#include "model/aggregate.h"
#include "model/filter_run.h"
#include "model/kept_totals.h"
#include "model/ratio.h"
#include "model/scales.h"
#include "model/region_stacks.h"
#include "model/skid.h"
#include "model/split.h"
#include "model/symbolize.h"
#include "base/xalloc.h"

/* ---- objects ---- */

/* Display names of modules without a path. */
static const char *const kind_names[] = {
	[EXP_KIND_FILE] = "<unknown file>",
	[EXP_KIND_KERNEL] = "[kernel]",
	[EXP_KIND_KERNEL_MODULE] = "[kernel module]",
	[EXP_KIND_VDSO] = "[vdso]",
	[EXP_KIND_ANON] = "<JIT>",
	[EXP_KIND_UNKNOWN] = "<Unknown>",
	[EXP_KIND_ARTIFICIAL] = "<artificial>", /* of no function: see model_artificial */
};

/* Modules without a build-id may belong to any build. */
static uint32_t build_of(struct model *model, const char *build_id)
{
	return *build_id ? strtab_intern(&model->strings, build_id)
			 : UINT32_MAX - model->unbuilt++;
}

static void map_objects(struct model *model, struct source *source)
{
	const struct experiment *exp = source->exp;

	source->object = xcalloc(exp->modules.len + 1, sizeof(*source->object));
	source->build = xcalloc(exp->modules.len + 1, sizeof(*source->build));
	for (size_t i = 0; i < exp->modules.len; i++) {
		const struct exp_module *m = &exp->modules.data[i];
		const char *path = experiment_string(exp, m->path);
		uint32_t text = strtab_intern(&model->strings,
					      *path && m->kind != EXP_KIND_ARTIFICIAL
						      ? path
						      : kind_names[m->kind]);
		source->object[i] = model_object(model, text, m->kind);
		source->build[i] = build_of(model, experiment_string(exp, m->build_id));
	}
}

/* ---- metrics ---- */

static bool is_clock(const struct exp_event *event)
{
	return !strcmp(event->unit, "ns");
}

static double seconds_per_unit(const struct exp_event *event)
{
	if (is_clock(event))
		return 1e-9;
	return event->hz > 0 ? 1 / event->hz : 0;
}

/* Each occurrence is a sample, and none was lost; states have one for what was lost. */
static bool is_exact(const struct exp_log *log, const struct exp_event *event)
{
	if (*event->state)
		return true;
	return event->period == 1 && !is_clock(event) && !*event->leader &&
	       event->scale <= 1 && !log->lost && !log->lost_records && !log->throttled;
}

/* A CPU's counter counts everybody: only samples show the target's part. */
static bool is_known(const struct exp_log *log, const struct exp_event *event)
{
	return event->scale <= 1 && strcmp(log->scope, "cpu") != 0;
}

/*
 * Runs with slightly different rates share one that preserves the total: the weighted
 * mean.
 */
static void metric_merge(struct metric *metric, const struct exp_event *event,
			 struct value whole)
{
	double before = (double)metric->total.weight, more = (double)whole.weight;
	double seconds = seconds_per_unit(event);

	if (before <= 0) {
		metric->seconds = seconds;
	} else if (more > 0) {
		metric->seconds = metric->seconds > 0 && seconds > 0
					  ? (metric->seconds * before + seconds * more) /
						    (before + more)
					  : 0;
	}
	value_add(&metric->total, whole);
	value_add(&metric->all, whole);
}

static uint32_t metric_of(struct model *model, const struct exp_event *event,
			  uint32_t index)
{
	struct metric new = {
		.id = strtab_intern(&model->strings, event->metric),
		.label = strtab_intern(&model->strings,
				       *event->label ? event->label : event->metric),
		.unit = strtab_intern(&model->strings, event->unit),
		.source = (uint32_t)model->sources.len,
		.event = index,
		.clock = is_clock(event),
		.seconds = seconds_per_unit(event),
		.scale = 1, /* until scales_unify */
		.mean_scale = 1,
		.exact = true,
		.known = true,
		.state = *event->state,
	};

	for (uint32_t i = 0; i < model->metrics.len; i++)
		if (model->metrics.data[i].id == new.id &&
		    model->metrics.data[i].unit == new.unit)
			return i;
	*vec_push(&model->metrics) = new;
	return (uint32_t)model->metrics.len - 1;
}

/* Of many samples the sums are kept. */
static void read_all(const struct model *model, struct source *source)
{
	bool many = source->exp->samples >= KEPT_TOTALS_LEAST && !source->region_stacks;

	if (many && kept_totals_read(&source->totals, source->exp))
		return;
	totals_read(&source->totals, source->exp, NULL, &source->division,
		    model->progress);
	if (many)
		kept_totals_write(&source->totals, source->exp);
}

static void map_metrics(struct model *model, struct source *source)
{
	const struct exp_log *log = &source->exp->log;

	source->metric = xcalloc(log->events.len + 1, sizeof(*source->metric));
	for (uint32_t i = 0; i < log->events.len; i++)
		source->metric[i] = metric_of(model, &log->events.data[i], i);
}

static void merge_metrics(struct model *model, const struct source *source)
{
	const struct exp_log *log = &source->exp->log;

	for (uint32_t i = 0; i < log->events.len; i++) {
		const struct exp_event *event = &log->events.data[i];
		struct metric *metric = &model->metrics.data[source->metric[i]];

		metric_merge(metric, event, source->totals.whole[i]);
		weight_add(&metric->sampled, totals_sampled(&source->totals, i));
		metric->exact &= is_exact(log, event);
		metric->known &= is_known(log, event);
	}
}

void model_take(struct model *model, struct experiment *exp)
{
	struct source source = { .exp = exp };

	splits_remove(model);
	map_objects(model, &source);
	symbolize(model, &source);
	skid_place(model, &source);
	if (model->by_region)
		source.region_stacks = region_stacks_make(model, &source);
	read_all(model, &source);
	if (source.region_stacks)
		region_stacks_fix(source.region_stacks);
	map_metrics(model, &source);
	scales_unify(model, &source);
	merge_metrics(model, &source);
	*vec_push(&model->sources) = source;
	ratios_find(model);
}

int model_add(struct model *model, const char *path, struct strbuf *err)
{
	struct experiment *exp = NULL;
	int error = (model->any_size ? experiment_open_unbounded
				     : experiment_open)(path, &exp, err);

	if (!error)
		model_take(model, exp);
	return error;
}

/* ---- filters ---- */

static void read_admitted(struct model *model, uint32_t index,
			  const struct frame_map *frames)
{
	struct source *source = &model->sources.data[index];
	struct filter_run run;

	totals_release(&source->admitted);
	if (!filter_is_set(&model->filter))
		return;
	filter_run_init(&run, &model->filter, model, index, frames);
	totals_read(&source->admitted, source->exp, &run, &source->division,
		    model->progress);
	filter_run_release(&run);
}

/*
 * Rates and scales remain those of all samples; only the sums are of the admitted ones.
 */
static void apply_filter(struct model *model, const struct frame_map *frames)
{
	vec_for_each(struct metric, metric, &model->metrics)
		metric->total = (struct value){ 0 };
	for (uint32_t i = 0; i < model->sources.len; i++) {
		struct source *source = &model->sources.data[i];
		const struct totals *totals;

		read_admitted(model, i, frames);
		totals = source_totals(model, source);
		for (size_t e = 0; e < totals->columns; e++)
			value_add(&model->metrics.data[source->metric[e]].total,
				  totals->whole[e]);
	}
}

void model_set_filter(struct model *model, struct filter *filter,
		      const struct frame_map *frames)
{
	filter_release(&model->filter);
	model->filter = *filter;
	*filter = (struct filter){ 0 };
	apply_filter(model, frames);
}
