/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "model/interval.h"
#include "base/xalloc.h"

/* ---- rows ---- */

static bool is_target(const struct source *source, const char *name)
{
	const struct exp_log *log = &source->exp->log;
	const char *command = log->command.len ? log->command.data[0] : "";
	const char *slash = strrchr(command, '/');

	return !strcmp(slash ? slash + 1 : command, name);
}

/* The part of a function's identity that its object is. */
static uint64_t object_key(struct strtab *names, const struct model *model,
			   uint32_t object)
{
	const char *name = object_name(model, object);

	vec_for_each(const struct source, source, &model->sources)
		if (is_target(source, name))
			return 0;
	return strtab_intern(names, name);
}

/* By function, the row that it belongs to. */
static uint32_t *map_rows(struct sides *sides)
{
	const struct model *model = sides->model;
	uint32_t *rows = xcalloc(model->functions.len + 1, sizeof(*rows));
	struct idmap ids = { 0 };
	struct strtab names;

	strtab_init(&names);
	for (uint32_t f = 0; f < model->functions.len; f++) {
		const struct function *function = &model->functions.data[f];
		uint64_t object = function->label
					  ? (uint64_t)1 << 32 | f
					  : object_key(&names, model, function->object);
		uint32_t next = (uint32_t)sides->function.len;

		rows[f] = idmap_intern(&ids, object, function->name, next);
		if (rows[f] == next)
			*vec_push(&sides->function) = f;
	}
	idmap_release(&ids);
	strtab_release(&names);
	return rows;
}

static void add_functions(struct sides *sides, const struct analysis *analysis,
			  enum flavor flavor)
{
	uint32_t *rows = map_rows(sides);
	size_t metrics = sides->model->metrics.len;

	vec_reserve(&sides->values, sides->function.len * sides->sources);
	sides->values.len = sides->function.len * sides->sources;
	memset(sides->values.data, 0, sides->values.len * sizeof(*sides->values.data));
	for (size_t f = 0; f < sides->model->functions.len; f++)
		for (size_t s = 0; s < sides->sources; s++)
			value_add(&sides->values.data[rows[f] * sides->sources + s],
				  sums_value(&analysis->sums, flavor,
					     s * metrics + sides->metric, f));
	free(rows);
}

/* The row of <Total>. */
static void add_total(struct sides *sides)
{
	*vec_push(&sides->function) = MODEL_NONE;
	for (size_t s = 0; s < sides->sources; s++) {
		const struct source *source = &sides->model->sources.data[s];
		const struct totals *totals = source_totals(sides->model, source);
		struct value total = { 0 };

		for (size_t e = 0; e < totals->events; e++)
			if (source->metric[e] == sides->metric)
				value_add(&total, totals->whole[e]);
		*vec_push(&sides->values) = total;
	}
}

/* ---- a row on one side ---- */

static size_t side_of(const struct sides *sides, size_t source)
{
	return sides->model->sources.data[source].group ? SIDE_OTHER : SIDE_BASE;
}

/* A source's own scale for multiplexing: the mean of its events of the metric. */
static double scale_of(const struct sides *sides, size_t index)
{
	const struct source *source = &sides->model->sources.data[index];
	const struct metric *metric = &sides->model->metrics.data[sides->metric];
	double weight = 0, scaled = 0;

	for (size_t e = 0; e < source->totals.events; e++) {
		double scale = source->exp->log.events.data[e].scale;
		double here = (double)source->totals.whole[e].weight;

		if (source->metric[e] != sides->metric)
			continue;
		weight += here;
		scaled += here * (scale > 0 ? scale : 1);
	}
	return (weight > 0 ? scaled / weight : 1) * (metric->clock ? 1e-9 : 1);
}

struct mean sides_mean(const struct sides *sides, size_t row, size_t side,
		       uint64_t *samples)
{
	const struct value *values = sides->values.data + row * sides->sources;
	struct mean mean = { .runs = sides->runs[side] };
	double n = (double)mean.runs, squares = 0, counted;

	*samples = 0;
	for (size_t s = 0; s < sides->sources; s++) {
		if (side_of(sides, s) != side)
			continue;
		mean.mean += (double)values[s].weight * sides->scale[s] / n;
		*samples += values[s].samples;
	}
	for (size_t s = 0; s < sides->sources && mean.runs > 1; s++) {
		double off = (double)values[s].weight * sides->scale[s] - mean.mean;

		squares += side_of(sides, s) == side ? off * off : 0;
	}
	/* no samples at all are as uncertain as one */
	counted = (double)(*samples ? *samples : 1) * sides->each[side] *
		  sides->each[side] / (n * n);
	mean.variance = mean.runs > 1 ? squares / (n * (n - 1)) : 0;
	mean.variance = mean.variance > counted ? mean.variance : counted;
	return mean;
}

struct estimate sides_estimate(const struct sides *sides, size_t side,
			       const struct mean *mean, uint64_t samples)
{
	struct interval range = poisson_interval(samples);
	double each = samples ? mean->mean / (double)samples
			      : sides->each[side] / (double)mean->runs;
	struct estimate e = { .amount = mean->mean,
			      .low = range.low * each,
			      .high = range.high * each,
			      .samples = samples };

	if (!samples && e.amount > 0) /* counted, not estimated */
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

/* ---- spread ---- */

/* What runs differ by is seen where a side has several; of one and one nothing is. */
static bool has_spread(const struct sides *sides)
{
	return sides->runs[SIDE_BASE] + sides->runs[SIDE_OTHER] > SIDES;
}

static void add_spread(struct sides *sides, size_t row)
{
	enum { SAMPLES_TYPICAL = 10 }; /* of a run */
	const struct value *values = sides->values.data + row * sides->sources;
	struct spread_row *out = vec_push(&sides->spread.rows);

	*out = (struct spread_row){ .typical = true };
	for (size_t side = 0; side < SIDES; side++) {
		double n = (double)sides->runs[side], counted;
		uint64_t samples;

		out->mean[side] = sides_mean(sides, row, side, &samples).mean;
		/* no samples at all are as uncertain as one */
		counted = (double)(samples ? samples : 1) / n;
		out->counted[side] = counted * sides->each[side] * sides->each[side];
		out->typical &= counted >= SAMPLES_TYPICAL;
	}
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);
		double off = (double)values[s].weight * sides->scale[s] - out->mean[side];

		out->squares[side] += off * off;
	}
}

static void find_spread(struct sides *sides)
{
	if (!has_spread(sides))
		return;
	for (size_t side = 0; side < SIDES; side++)
		sides->spread.runs[side] = sides->runs[side];
	for (size_t row = 0; sides->function.data[row] != MODEL_NONE; row++)
		add_spread(sides, row);
	spread_fit(&sides->spread);
}

/* ---- all of it ---- */

static void measure_sides(struct sides *sides, size_t total_row)
{
	const struct value *total = sides->values.data + total_row * sides->sources;
	double samples[SIDES] = { 0 };

	sides->scale = xcalloc(sides->sources + 1, sizeof(*sides->scale));
	for (size_t s = 0; s < sides->sources; s++) {
		size_t side = side_of(sides, s);

		sides->scale[s] = scale_of(sides, s);
		sides->runs[side]++;
		sides->whole[side] += (double)total[s].weight * sides->scale[s];
		samples[side] += (double)total[s].samples;
	}
	for (size_t side = 0; side < SIDES; side++) {
		sides->each[side] = samples[side] > 0 ? sides->whole[side] / samples[side]
						      : 0;
		sides->whole[side] /= (double)(sides->runs[side] ? sides->runs[side] : 1);
	}
	/* a side without any samples is taken to count like the other */
	for (size_t side = 0; side < SIDES; side++)
		if (sides->each[side] <= 0)
			sides->each[side] = sides->each[!side] > 0 ? sides->each[!side]
								   : 1;
}

size_t sides_init(struct sides *sides, const struct model *model,
		  const struct analysis *analysis, enum flavor flavor, uint32_t metric)
{
	size_t total;

	*sides = (struct sides){ .model = model,
				 .metric = metric,
				 .sources = model->sources.len };
	add_functions(sides, analysis, flavor);
	total = sides->function.len;
	add_total(sides);
	measure_sides(sides, total);
	find_spread(sides);
	return total;
}

void sides_release(struct sides *sides)
{
	free(sides->scale);
	spread_release(&sides->spread);
	vec_release(&sides->function);
	vec_release(&sides->values);
}
