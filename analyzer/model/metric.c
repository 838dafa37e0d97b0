/* SPDX-License-Identifier: Apache-2.0 */
#include "model/metric.h"

#include <string.h>

#include "model/interval.h"

const struct flavor_name flavor_names[FLAVORS] = {
	[EXCLUSIVE] = { 'e', "exclusive", "Exclusive", "Excl." },
	[INCLUSIVE] = { 'i', "inclusive", "Inclusive", "Incl." },
	[ATTRIBUTED] = { 'a', "attributed", "Attributed", "Attr." },
};

const char *metric_unit(const struct model *model, const struct metric *metric)
{
	return metric->clock ? "seconds" : model_string(model, metric->unit);
}

double metric_seconds(const struct metric *metric)
{
	return metric->clock ? 1 : metric->seconds;
}

/* In the unit of the event, unscaled.  What was counted, and not sampled, is exact. */
static struct interval interval_of(const struct metric *metric, struct value v)
{
	struct value mean = v.samples ? v : metric->total;
	double each = mean.samples ? (double)mean.weight / (double)mean.samples : 0;
	struct interval range = poisson_interval(v.samples);

	if (!v.samples && v.weight)
		return (struct interval){ (double)v.weight, (double)v.weight };
	return (struct interval){ range.low * each, range.high * each };
}

struct estimate estimate_of(const struct metric *metric, struct value v,
			    struct value whole)
{
	struct interval range = interval_of(metric, v);
	double scale = metric->scale * (metric->clock ? 1e-9 : 1);

	return (struct estimate){
		.amount = (double)v.weight * scale,
		.percent = whole.weight ? 100 * (double)v.weight / (double)whole.weight
					: 0,
		.low = range.low * scale,
		.high = range.high * scale,
		.samples = v.samples,
	};
}
