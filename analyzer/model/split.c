/* SPDX-License-Identifier: Apache-2.0 */
#include "model/split.h"

#include <stdlib.h>
#include <string.h>

#include "model/aggregate.h"
#include "model/ratio.h"
#include "base/xalloc.h"

static bool is_user(enum exp_module_kind kind)
{
	return kind == EXP_KIND_FILE || kind == EXP_KIND_VDSO || kind == EXP_KIND_ANON;
}

static bool is_system(enum exp_module_kind kind)
{
	return kind == EXP_KIND_KERNEL || kind == EXP_KIND_KERNEL_MODULE;
}

/* No kind of module is in two. */
static const struct split {
	const char *name, *label;
	bool (*holds)(enum exp_module_kind leaf);
} splits[] = {
	{ "user", "User CPU Time", is_user },
	{ "system", "System CPU Time", is_system },
};

enum { SPLITS = sizeof(splits) / sizeof(splits[0]) };

static bool is_split(const char *name)
{
	for (size_t i = 0; i < SPLITS; i++)
		if (!strcasecmp(splits[i].name, name))
			return true;
	return false;
}

static bool has_metric(const struct model *model, const char *name)
{
	vec_for_each(const struct metric, m, &model->metrics)
		if (!strcasecmp(model_string(model, m->id), name))
			return true;
	return false;
}

/* CPU time at LEVELS of privilege: a clock's, else of cycles. */
static uint32_t time_at(const struct model *model, const char *levels)
{
	uint32_t metric = ratio_metric(model, PART_TIME, levels);

	if (metric != MODEL_NONE)
		return metric;
	metric = ratio_metric(model, PART_CYCLES, levels);
	return metric != MODEL_NONE && metric_seconds(&model->metrics.data[metric]) > 0
		       ? metric
		       : MODEL_NONE;
}

/* ---- the columns of a source ---- */

/* By node, what its leaf is in, from 1; 0: in none. */
static uint8_t *split_of_nodes(const struct experiment *exp)
{
	uint8_t *of = xcalloc(exp->nodes.len + 1, sizeof(*of));

	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_frame *f = &exp->frames.data[exp->nodes.data[n].frame];

		for (size_t i = 0; i < SPLITS; i++)
			if (splits[i].holds(exp->modules.data[f->module].kind))
				of[n] = (uint8_t)(i + 1);
	}
	return of;
}

/* METRIC[I] is the metric of split I, or MODEL_NONE. */
static void divide(struct source *source, uint32_t whole, const uint32_t *metric)
{
	const size_t events = source->exp->log.events.len;
	struct division *to = &source->division;

	to->of_node = split_of_nodes(source->exp);
	to->column = xcalloc(events * (SPLITS + 1) + 1, sizeof(*to->column));
	to->stride = SPLITS + 1;
	for (size_t e = 0; e < events; e++)
		for (size_t i = 0; i < SPLITS; i++) {
			if (source->metric[e] != whole || metric[i] == MODEL_NONE)
				continue;
			to->column[e * to->stride + i + 1] = (uint32_t)(events +
									to->count);
			source->metric[events + to->count] = metric[i];
			to->event[to->count++] = (uint32_t)e;
		}
}

/* Room for the columns of splits and sums. */
static void make_columns(struct source *source)
{
	const size_t events = source->exp->log.events.len;
	const size_t each = SPLITS + METRIC_SUMS;

	source->division.event = xcalloc(events * each + 1,
					 sizeof(*source->division.event));
	source->metric = xreallocarray(source->metric, events * (each + 1) + 1,
				       sizeof(*source->metric));
}

static void add_whole(struct metric *metric, struct value whole)
{
	value_add(&metric->total, whole);
	if (metric->sum)
		value_add(&metric->all, whole);
}

static void read_again(struct model *model, struct source *source)
{
	const size_t events = source->totals.events;

	totals_release(&source->totals);
	totals_read(&source->totals, source->exp, NULL, &source->division,
		    model->progress);
	for (size_t c = events; c < source->totals.columns; c++)
		add_whole(&model->metrics.data[source->metric[c]],
			  source->totals.whole[c]);
}

/* ---- the model's metrics ---- */

static uint32_t add_metric(struct model *model, uint32_t whole, const struct split *split)
{
	struct metric metric = model->metrics.data[whole];

	metric.id = strtab_intern(&model->strings, split->name);
	metric.label = strtab_intern(&model->strings, split->label);
	metric.total = (struct value){ 0 };
	metric.split = true;
	*vec_push(&model->metrics) = metric;
	model->splits++;
	return (uint32_t)model->metrics.len - 1;
}

bool splits_make(struct model *model, const char *name)
{
	uint32_t whole = time_at(model, ""), metric[SPLITS], sum[METRIC_SUMS];
	bool split = whole != MODEL_NONE && is_split(name);

	if (has_metric(model, name) || (!split && !metric_sum_has(model, whole, name)))
		return false;
	for (size_t i = 0; i < SPLITS; i++)
		metric[i] = whole == MODEL_NONE || has_metric(model, splits[i].name)
				    ? MODEL_NONE
				    : add_metric(model, whole, &splits[i]);
	metric_sums_add(model, whole, sum);
	vec_for_each(struct source, source, &model->sources) {
		make_columns(source);
		if (whole != MODEL_NONE)
			divide(source, whole, metric);
		metric_sums_divide(model, source, whole, sum);
		read_again(model, source);
	}
	return true;
}

void splits_remove(struct model *model)
{
	if (!model->splits)
		return;
	model->metrics.len -= model->splits;
	model->splits = 0;
	vec_for_each(struct source, source, &model->sources) {
		division_release(&source->division);
		/* the columns behind are no longer seen */
		source->totals.columns = source->totals.events;
		source->admitted.columns = source->admitted.events;
	}
}

void splits_possible(const struct model *model,
		     void (*offer)(void *ctx, const struct split_offer *split), void *ctx)
{
	struct split_offer split = { .whole = time_at(model, "") };

	for (size_t i = 0; i < SPLITS && split.whole != MODEL_NONE; i++) {
		split.name = splits[i].name;
		split.label = splits[i].label;
		if (!has_metric(model, split.name))
			offer(ctx, &split);
	}
	metric_sums_possible(model, split.whole, offer, ctx);
}

bool split_explain(const struct model *model, const char *name, struct strbuf *err)
{
	uint32_t user = time_at(model, "u"), system = time_at(model, "k");
	uint32_t only = user != MODEL_NONE ? user : system;

	if (metric_sum_explain(model, name, err))
		return true;
	if (!is_split(name))
		return false;
	strbuf_addf(err, "%s is the part of CPU time whose samples end in %s code; ",
		    name, strcasecmp(name, "user") != 0 ? "the kernel's" : "user");
	if (only == MODEL_NONE)
		strbuf_addstr(err, "the recording has no CPU time");
	else
		strbuf_addf(err, "the recording has only %s, of %s mode",
			    model_string(model, model->metrics.data[only].id),
			    only == user ? "user" : "kernel");
	return true;
}
