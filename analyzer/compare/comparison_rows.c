/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison_rows.h"

#include <math.h>
#include <stdlib.h>

#include "model/interval.h"
#include "base/xalloc.h"

/* ---- the two parts of a sum ---- */

static bool is_sampled_sum(const struct comparison_rows *sides)
{
	return sides->model->metrics.data[sides->metric].each > 0;
}

/* Of a sum's columns those of CPU time have samples. */
static bool is_sampled(const struct comparison_rows *sides, const struct source *source,
		       size_t column)
{
	return source->metric[column] == sides->metric &&
	       source->totals.whole[column].samples > 0;
}

/* The metric that a source's part of a sum is sampled by; FACTOR: to nanoseconds. */
static uint32_t sampled_metric(const struct comparison_rows *sides,
			       const struct source *source, double *factor)
{
	for (size_t c = 0; c < source->totals.columns; c++) {
		size_t event = totals_event(&source->totals, &source->division, c);
		uint64_t weight = source->totals.whole[event].weight;

		if (!is_sampled(sides, source, c) || !weight)
			continue;
		*factor = (double)source->totals.whole[c].weight / (double)weight;
		return source->metric[event];
	}
	return MODEL_NONE;
}

/* Waits of a smaller part do not matter, and may be a rounding of cycles to time. */
static bool has_waits(double sampled, double all)
{
	return all - sampled > all / 1000;
}

static void find_waits(struct comparison_rows *sides, const struct sums *sums,
		       enum flavor flavor)
{
	size_t metrics = sides->model->metrics.len, rows = sums->groups + 1;
	double *sampled = xcalloc(2 * rows, sizeof(*sampled)), *all = sampled + rows;

	sides->waits = xcalloc(rows, sizeof(*sides->waits));
	for (size_t s = 0; s < sides->sources; s++) {
		const struct source *source = &sides->model->sources.data[s];
		const struct totals *totals = source_totals(sides->model, source);
		double factor = 0;
		uint32_t cpu = sampled_metric(sides, source, &factor);

		for (size_t g = 0; g < rows; g++)
			all[g] +=
				(double)sides->values.data[g * sides->sources + s].weight;
		for (size_t g = 0; cpu != MODEL_NONE && g < sums->groups; g++)
			sampled[g] += factor * (double)sums_value(sums, flavor,
								  s * metrics + cpu, g)
						       .weight;
		for (size_t c = 0; c < totals->columns; c++)
			if (is_sampled(sides, source, c))
				sampled[sums->groups] += (double)totals->whole[c].weight;
	}
	for (size_t g = 0; g < rows; g++)
		sides->waits[g] = has_waits(sampled[g], all[g]);
	free(sampled);
}

/* A sum's amount per sample is that of its sampled part. */
static void measure_samples(struct comparison_rows *sides, size_t side, double *each)
{
	double weight = 0, samples = 0;

	for (size_t s = 0; s < sides->sources; s++) {
		const struct source *source = &sides->model->sources.data[s];

		for (size_t c = 0; c < source->totals.columns; c++) {
			struct value v = source->totals.whole[c];

			if ((source->group ? 1U : 0U) != side ||
			    !is_sampled(sides, source, c))
				continue;
			weight += (double)v.weight * sides->scale;
			samples += (double)v.samples;
		}
	}
	*each = samples > 0 ? weight / samples : 0;
}

/* ---- rows ---- */

static void add_rows(struct comparison_rows *sides, const struct sums *sums,
		     enum flavor flavor)
{
	size_t metrics = sides->model->metrics.len;

	vec_reserve(&sides->values, sums->groups * sides->sources);
	for (size_t g = 0; g < sums->groups; g++)
		for (size_t s = 0; s < sides->sources; s++)
			*vec_push(&sides->values) = sums_value(
				sums, flavor, s * metrics + sides->metric, g);
}

/* The row of <Total>. */
static void add_total(struct comparison_rows *sides)
{
	for (size_t s = 0; s < sides->sources; s++) {
		const struct source *source = &sides->model->sources.data[s];
		const struct totals *totals = source_totals(sides->model, source);
		struct value total = { 0 };

		for (size_t c = 0; c < totals->columns; c++)
			if (source->metric[c] == sides->metric)
				value_add(&total, totals->whole[c]);
		*vec_push(&sides->values) = total;
	}
}

/* ---- a row on one side ---- */

static size_t side_of(const struct comparison_rows *sides, size_t source)
{
	return sides->model->sources.data[source].group ? SIDE_OTHER : SIDE_BASE;
}

struct mean comparison_rows_mean(const struct comparison_rows *sides, size_t row,
				 size_t side, uint64_t *samples)
{
	const struct value *values = sides->values.data + row * sides->sources;
	struct mean mean = { .runs = sides->runs[side] };
	double n = (double)mean.runs, squares = 0, counted;

	*samples = 0;
	for (size_t s = 0; s < sides->sources; s++) {
		if (side_of(sides, s) != side)
			continue;
		mean.mean += (double)values[s].weight * sides->scale / n;
		*samples += values[s].samples;
	}
	for (size_t s = 0; s < sides->sources && mean.runs > 1; s++) {
		double off = (double)values[s].weight * sides->scale - mean.mean;

		squares += side_of(sides, s) == side ? off * off : 0;
	}
	/* no samples are as uncertain as one */
	counted = (double)(*samples ? *samples : 1) * sides->each[side] *
		  sides->each[side] / (n * n);
	mean.variance = mean.runs > 1 ? squares / (n * (n - 1)) : 0;
	mean.variance = mean.variance > counted ? mean.variance : counted;
	return mean;
}

double comparison_rows_each(const struct comparison_rows *sides, size_t row, size_t side)
{
	uint64_t samples;
	double amount = comparison_rows_mean(sides, row, side, &samples).mean *
			(double)sides->runs[side];

	return amount > 0 && samples && !is_sampled_sum(sides) ? amount / (double)samples
							       : sides->each[side];
}

/* Whether MEAN was counted, not estimated: without samples, or as the known total. */
static bool is_counted(const struct comparison_rows *sides, size_t side,
		       const struct mean *mean, uint64_t samples)
{
	const struct metric *metric = &sides->model->metrics.data[sides->metric];

	return mean->mean > 0 &&
	       (!samples || (metric->known && samples == sides->recorded[side].samples &&
			     mean->mean >= sides->whole[side]));
}

/* By the number of samples alone; in amounts of a run. */
static struct interval interval_of_samples(const struct comparison_rows *sides,
					   size_t side, double amount, uint64_t samples)
{
	const struct metric *metric = &sides->model->metrics.data[sides->metric];
	const struct recorded *all = &sides->recorded[side];
	struct interval range = metric_interval(metric, samples, all->samples);
	double n = (double)samples, runs = (double)sides->runs[side];
	double scale = sides->scale / runs, own = sides->each[side] / runs;
	double each = samples ? amount / n : own;

	if (is_sampled_sum(sides)) /* around an amount whose rest is exact */
		range = (struct interval){
			.low = fmax(0, amount - (n - range.low) * own),
			.high = fmin(amount + (range.high - n) * own,
				     metric->known ? all->weight * scale : INFINITY),
		};
	else if (metric->exact || !metric->known)
		range = (struct interval){ range.low * each, range.high * each };
	else
		range = amount_interval(range,
					&(struct amounts){
						.count = n,
						.weight = amount,
						.each = each,
						.all_count = (double)all->samples,
						.all_weight = all->weight * scale,
						.all_sampled = all->sampled * scale,
					});
	return range;
}

struct estimate comparison_rows_estimate(const struct comparison_rows *sides, size_t side,
					 const struct mean *mean, uint64_t samples)
{
	struct interval range = interval_of_samples(sides, side, mean->mean, samples);
	struct estimate e = { .amount = mean->mean,
			      .low = range.low,
			      .high = range.high,
			      .whole = sides->whole[side],
			      .samples = samples };

	if (is_counted(sides, side, mean, samples))
		e.low = e.high = e.amount;
	if (mean->runs > 1) {
		double wide = student_width(mean->runs) * sqrt(mean->variance);

		e.low = e.amount > wide ? e.amount - wide : 0;
		e.high = e.amount + wide;
	}
	if (sides->whole[side] > 0)
		e.percent = 100 * e.amount / sides->whole[side];
	return e;
}

double comparison_rows_p_of_own(const struct comparison_rows *sides, size_t row)
{
	double variance = 0, runs = 0, freedom, mean[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		uint64_t samples;

		mean[side] = comparison_rows_mean(sides, row, side, &samples).mean;
		runs += (double)sides->runs[side];
	}
	freedom = runs - SIDES;
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);
		double off = (double)sides->values.data[row * sides->sources + s].weight *
				     sides->scale -
			     mean[side];

		variance += off * off / freedom;
	}
	/* no run is known more precisely than one sample */
	variance = fmax(variance, sides->each[SIDE_BASE] * sides->each[SIDE_BASE]);
	variance *= 1 / (double)sides->runs[SIDE_BASE] +
		    1 / (double)sides->runs[SIDE_OTHER];
	return p_of_student((mean[SIDE_OTHER] - mean[SIDE_BASE]) / sqrt(variance),
			    freedom);
}

/* ---- spread ---- */

bool comparison_rows_have_spread(const struct comparison_rows *sides)
{
	return sides->runs[SIDE_BASE] + sides->runs[SIDE_OTHER] > SIDES;
}

/* SOURCE's amount in ROW, in the metric's unit. */
static double amount_of(const struct comparison_rows *sides, size_t row, size_t source)
{
	return (double)sides->values.data[row * sides->sources + source].weight *
	       sides->scale;
}

/* Its amount in the other rows. */
static double rest_of(const struct comparison_rows *sides, size_t row, size_t source)
{
	return amount_of(sides, sides->total, source) - amount_of(sides, row, source);
}

/*
 * A row's amounts by source, scaled so that all sources have the same in the other rows.
 * That removes the machine's speed, the main difference between runs.
 */
static void take_amounts(const struct comparison_rows *sides, size_t row, bool relative,
			 double *amounts)
{
	double rest = 0;

	for (size_t s = 0; s < sides->sources; s++)
		rest += rest_of(sides, row, s) / (double)sides->sources;
	for (size_t s = 0; s < sides->sources; s++) {
		amounts[s] = amount_of(sides, row, s);
		if (relative)
			amounts[s] *= rest / rest_of(sides, row, s);
	}
}

static void count_row(const struct comparison_rows *sides, size_t row,
		      struct spread_row *out)
{
	enum { SAMPLES_TYPICAL = 10 }; /* of a run */

	out->typical = true;
	for (size_t side = 0; side < SIDES; side++) {
		uint64_t samples;
		double counted;

		comparison_rows_mean(sides, row, side, &samples);
		/* no samples are as uncertain as one */
		counted = (double)(samples ? samples : 1) / (double)sides->runs[side];
		out->counted[side] = counted * sides->each[side] * sides->each[side];
		out->typical &= counted >= SAMPLES_TYPICAL;
	}
}

/* Adds one row, by the amounts of its sources. */
static void add_spread(struct comparison_rows *sides, size_t row, const double *amounts,
		       struct spread *spread)
{
	struct spread_row *out = vec_push(&spread->rows);

	*out = (struct spread_row){ .machine = sides->machine && sides->machine[row] };
	count_row(sides, row, out);
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);

		out->mean[side] += amounts[s] / (double)sides->runs[side];
	}
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);
		double off = amounts[s] - out->mean[side];

		out->squares[side] += off * off;
	}
}

bool comparison_rows_nearly_all(const struct comparison_rows *sides, size_t row)
{
	const double little = 0.05;
	size_t all = 0;

	for (size_t s = 0; s < sides->sources; s++)
		all += rest_of(sides, row, s) <=
		       little * amount_of(sides, sides->total, s);
	return comparison_rows_have_spread(sides) ? all > 0 : all == sides->sources;
}

/* A row that is nearly all has no rest to compare with, and contributes nothing. */
static void add_row_spreads(struct comparison_rows *sides, size_t row, double *amounts)
{
	bool all = comparison_rows_nearly_all(sides, row);

	for (int relative = 0; relative < 2; relative++) {
		struct spread *spread = relative ? &sides->relative : &sides->spread;

		take_amounts(sides, row, relative && !all, amounts);
		add_spread(sides, row, amounts, spread);
		if (all)
			spread->rows.data[row].typical = false;
	}
}

static void find_spread(struct comparison_rows *sides)
{
	double *amounts = xcalloc(sides->sources + 1, sizeof(*amounts));

	for (size_t side = 0; side < SIDES; side++)
		sides->spread.runs[side] = sides->relative.runs[side] = sides->runs[side];
	for (size_t row = 0; comparison_rows_have_spread(sides) && row < sides->total;
	     row++)
		add_row_spreads(sides, row, amounts);
	spread_fit(&sides->spread);
	spread_fit(&sides->relative);
	free(amounts);
}

/* ---- all of it ---- */

/* The column whose total a column is a share of: its own, or that of what it is part of. */
static size_t column_of_all(const struct comparison_rows *sides,
			    const struct source *source, size_t column)
{
	return sides->model->metrics.data[sides->metric].sum
		       ? column
		       : totals_event(&source->totals, &source->division, column);
}

/* What was recorded of a source, regardless of filters. */
static void add_recorded(const struct comparison_rows *sides, size_t index,
			 struct recorded *to)
{
	const struct source *source = &sides->model->sources.data[index];

	for (size_t c = 0; c < source->totals.columns; c++) {
		size_t all = column_of_all(sides, source, c);

		if (source->metric[c] != sides->metric)
			continue;
		to->samples += source->totals.whole[all].samples;
		to->weight += (double)source->totals.whole[all].weight;
		to->sampled += (double)totals_sampled(&source->totals, all);
	}
}

/* The weight of a source's samples: without that of counts which no sample stands for. */
static double sampled_weight(const struct comparison_rows *sides, size_t index)
{
	const struct source *source = &sides->model->sources.data[index];
	const struct totals *totals = source_totals(sides->model, source);
	double weight = 0;

	for (size_t c = 0; c < totals->columns; c++)
		if (source->metric[c] == sides->metric)
			weight += (double)totals_sampled(totals, c);
	return weight;
}

static void measure_sides(struct comparison_rows *sides)
{
	const struct metric *metric = &sides->model->metrics.data[sides->metric];
	const struct value *total = sides->values.data + sides->total * sides->sources;
	double sampled[SIDES] = { 0 };

	sides->scale = metric->scale * (metric->clock ? 1e-9 : 1);
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);

		sides->runs[side]++;
		sides->whole[side] += (double)total[s].weight * sides->scale;
		sampled[side] += sampled_weight(sides, s) * sides->scale;
		add_recorded(sides, s, &sides->recorded[side]);
		sides->admitted[side] += total[s].samples;
	}
	for (size_t side = 0; side < SIDES; side++) {
		double samples = (double)sides->admitted[side];

		sides->each[side] = samples > 0 ? sampled[side] / samples : 0;
		if (is_sampled_sum(sides))
			measure_samples(sides, side, &sides->each[side]);
		sides->whole[side] /= (double)(sides->runs[side] ? sides->runs[side] : 1);
	}
	/* a side without samples counts like the other */
	for (size_t side = 0; side < SIDES; side++)
		if (sides->each[side] <= 0)
			sides->each[side] = sides->each[!side] > 0 ? sides->each[!side]
								   : 1;
}

void comparison_rows_init(struct comparison_rows *sides, const struct model *model,
			  const struct sums *sums, enum flavor flavor, uint32_t metric)
{
	*sides = (struct comparison_rows){ .model = model,
					   .metric = metric,
					   .sources = model->sources.len,
					   .total = sums->groups,
					   .machine = sums->machine };
	add_rows(sides, sums, flavor);
	add_total(sides);
	if (is_sampled_sum(sides))
		find_waits(sides, sums, flavor);
	measure_sides(sides);
	find_spread(sides);
}

void comparison_rows_release(struct comparison_rows *sides)
{
	free(sides->waits);
	spread_release(&sides->spread);
	spread_release(&sides->relative);
	vec_release(&sides->values);
}
