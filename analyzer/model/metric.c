/* SPDX-License-Identifier: Apache-2.0 */
#include "model/metric.h"

#include <math.h>
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

struct interval metric_interval(const struct metric *metric, uint64_t samples,
				uint64_t all)
{
	if (metric->exact)
		return (struct interval){ (double)samples, (double)samples };
	return metric->known ? share_interval(samples, all) : poisson_interval(samples);
}

/* In the unit of the event, unscaled.  Counts that were not sampled are exact. */
static struct interval interval_of_samples(const struct metric *metric, struct value v)
{
	struct value mean = v.samples ? v : metric->total;
	double each = mean.samples ? (double)mean.weight / (double)mean.samples : 0;
	struct interval range;

	if (!v.samples && v.weight)
		return (struct interval){ (double)v.weight, (double)v.weight };
	range = metric_interval(metric, v.samples, metric->all.samples);
	if (metric->exact || !metric->known)
		return (struct interval){ range.low * each, range.high * each };
	return amount_interval(range, &(struct amounts){
					      .count = (double)v.samples,
					      .weight = (double)v.weight,
					      .each = each,
					      .all_count = (double)metric->all.samples,
					      .all_weight = (double)metric->all.weight,
					      .all_sampled = (double)metric->sampled,
				      });
}

/* Of the samples, around a weight whose rest is exact. */
static struct interval interval_of_sum(const struct metric *metric, struct value v)
{
	struct interval range = metric_interval(metric, v.samples, metric->all.samples);
	double weight = (double)v.weight, n = (double)v.samples;
	double low = weight - (n - range.low) * metric->each;
	double high = weight + (range.high - n) * metric->each;

	/* what was only waited for is exact */
	if (!v.samples && v.weight)
		return (struct interval){ weight, weight };
	if (metric->known)
		high = fmin(high, (double)metric->all.weight);
	return (struct interval){ fmax(low, 0), high };
}

static struct interval interval_of(const struct metric *metric, struct value v)
{
	if (metric->each > 0)
		return interval_of_sum(metric, v);
	return interval_of_samples(metric, v);
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
		.whole = (double)whole.weight * scale,
		.samples = v.samples,
	};
}

/* A filtered total is a share like any other. */
struct estimate estimate_total(const struct metric *metric)
{
	struct estimate e = estimate_of(metric, metric->total, metric->total);

	if (metric->known && (!metric->split || metric->sum) &&
	    metric->total.samples == metric->all.samples)
		e.low = e.high = e.amount;
	return e;
}
