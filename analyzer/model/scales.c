/* SPDX-License-Identifier: Apache-2.0 */
#include "model/scales.h"

#include "base/xalloc.h"
#include "experiment/read.h"
#include "model/aggregate.h"

#define PARTS_MOST 0x1p30 /* of a unit */
#define SUM_MOST   0x1p52 /* in parts: leaves room for further recordings */

static double scale_of(const struct exp_event *event)
{
	return event->scale > 0 ? event->scale : 1;
}

/* A power of two, by which doubles are multiplied exactly. */
static double parts_for(double sum)
{
	double parts = PARTS_MOST;

	while (parts > 1 && sum * parts > SUM_MOST)
		parts /= 2;
	return parts;
}

static void refine_source(struct source *source, uint32_t metric, double parts)
{
	for (size_t e = 0; e < source->totals.events; e++)
		if (source->metric[e] == metric) {
			experiment_scale(source->exp, e, parts);
			totals_scale(&source->totals, e, parts);
		}
}

/* Divides the unit of a metric of the model's sources; MORE will be added. */
static void refine(struct model *model, uint32_t index, double more)
{
	struct metric *metric = &model->metrics.data[index];
	const double parts = parts_for((double)metric->all.weight + more);

	vec_for_each(struct source, source, &model->sources)
		refine_source(source, index, parts);
	metric->scale /= parts;
	metric->fine = true;
	metric->total.weight = weight_scaled(metric->total.weight, parts);
	metric->all.weight = weight_scaled(metric->all.weight, parts);
	metric->sampled = weight_scaled(metric->sampled, parts);
}

/* The first event with any weight has the scale. */
static void merge_scale(struct model *model, const struct source *source, size_t event)
{
	const uint32_t index = source->metric[event];
	struct metric *metric = &model->metrics.data[index];
	const double scale = scale_of(&source->exp->log.events.data[event]);
	const double before = (double)metric->recorded;
	const double more = (double)source->recorded[event];

	if (before <= 0)
		metric->scale = metric->mean_scale = scale;
	else if (!metric->fine && more > 0 && scale != metric->scale)
		refine(model, index, more * scale / metric->scale);
	if (before > 0 && more > 0)
		metric->mean_scale = (metric->mean_scale * before + scale * more) /
				     (before + more);
	weight_add(&metric->recorded, source->recorded[event]);
}

static void scale_event(const struct model *model, const struct source *source,
			size_t event)
{
	const struct metric *metric = &model->metrics.data[source->metric[event]];
	const double scale = scale_of(&source->exp->log.events.data[event]);

	if (source->recorded[event] && scale != metric->scale)
		experiment_scale(source->exp, event, scale / metric->scale);
}

void scales_unify(struct model *model, struct source *source)
{
	const size_t events = source->exp->log.events.len;

	source->recorded = xcalloc(events + 1, sizeof(*source->recorded));
	for (size_t e = 0; e < events; e++) {
		source->recorded[e] = source->totals.whole[e].weight;
		merge_scale(model, source, e);
	}
	for (size_t e = 0; e < events; e++)
		scale_event(model, source, e);
	if (!source->exp->factors)
		return;
	totals_release(&source->totals);
	totals_read(&source->totals, source->exp, NULL, &source->division,
		    model->progress);
}

double scales_mean(const struct model *model, uint32_t metric, uint32_t group)
{
	double scaled = 0, recorded = 0;

	vec_for_each(const struct source, source, &model->sources)
		for (size_t c = 0; c < source->totals.columns; c++) {
			size_t e = totals_event(&source->totals, &source->division, c);
			double weight = (double)source->recorded[e];

			if (source->group != group || source->metric[c] != metric)
				continue;
			scaled += scale_of(&source->exp->log.events.data[e]) * weight;
			recorded += weight;
		}
	return recorded > 0 ? scaled / recorded : 1;
}
