/* SPDX-License-Identifier: Apache-2.0 */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "idmap.h"
#include "interval.h"
#include "ratio.h"
#include "significance.h"
#include "spread.h"
#include "xalloc.h"

/* What is compared: a row's value in each source, and what is the same for all rows. */
struct work {
	const struct model *model;
	uint32_t metric;
	size_t sources;
	size_t runs[SIDES];
	double *scale;            /* by source: a weight's amount in the metric's unit */
	double each[SIDES];       /* what a sample of the side stands for, in that unit */
	double whole[SIDES];      /* the mean amount of all */
	VEC(uint32_t) function;   /* by row */
	VEC(struct value) values; /* [row × sources + source] */
	struct spread spread;     /* of all rows but <Total>; no rows: not known */
};

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
static uint32_t *map_rows(struct work *w)
{
	const struct model *model = w->model;
	uint32_t *rows = xcalloc(model->functions.len + 1, sizeof(*rows));
	struct idmap ids = { 0 };
	struct strtab names;

	strtab_init(&names);
	for (uint32_t f = 0; f < model->functions.len; f++) {
		const struct function *function = &model->functions.data[f];
		uint64_t object = function->label
					  ? (uint64_t)1 << 32 | f
					  : object_key(&names, model, function->object);
		uint32_t next = (uint32_t)w->function.len;

		rows[f] = idmap_intern(&ids, object, function->name, next);
		if (rows[f] == next)
			*vec_push(&w->function) = f;
	}
	idmap_release(&ids);
	strtab_release(&names);
	return rows;
}

static void add_functions(struct work *w, const struct analysis *analysis,
			  enum flavor flavor)
{
	uint32_t *rows = map_rows(w);
	size_t metrics = w->model->metrics.len;

	vec_reserve(&w->values, w->function.len * w->sources);
	w->values.len = w->function.len * w->sources;
	memset(w->values.data, 0, w->values.len * sizeof(*w->values.data));
	for (size_t f = 0; f < w->model->functions.len; f++)
		for (size_t s = 0; s < w->sources; s++)
			value_add(&w->values.data[rows[f] * w->sources + s],
				  sums_value(&analysis->sums, flavor,
					     s * metrics + w->metric, f));
	free(rows);
}

/* The row of <Total>. */
static void add_total(struct work *w)
{
	*vec_push(&w->function) = MODEL_NONE;
	for (size_t s = 0; s < w->sources; s++) {
		const struct source *source = &w->model->sources.data[s];
		const struct totals *totals = source_totals(w->model, source);
		struct value total = { 0 };

		for (size_t e = 0; e < totals->events; e++)
			if (source->metric[e] == w->metric)
				value_add(&total, totals->whole[e]);
		*vec_push(&w->values) = total;
	}
}

/* ---- sides ---- */

static size_t side_of(const struct work *w, size_t source)
{
	return w->model->sources.data[source].group ? SIDE_OTHER : SIDE_BASE;
}

/* A source's own scale for multiplexing: the mean of its events of the metric. */
static double scale_of(const struct work *w, size_t index)
{
	const struct source *source = &w->model->sources.data[index];
	const struct metric *metric = &w->model->metrics.data[w->metric];
	double weight = 0, scaled = 0;

	for (size_t e = 0; e < source->totals.events; e++) {
		double scale = source->exp->log.events.data[e].scale;
		double here = (double)source->totals.whole[e].weight;

		if (source->metric[e] != w->metric)
			continue;
		weight += here;
		scaled += here * (scale > 0 ? scale : 1);
	}
	return (weight > 0 ? scaled / weight : 1) * (metric->clock ? 1e-9 : 1);
}

/* A row's mean on one side, with the variance of that mean. */
static struct mean mean_of(const struct work *w, size_t row, size_t side,
			   uint64_t *samples)
{
	const struct value *values = w->values.data + row * w->sources;
	struct mean mean = { .runs = w->runs[side] };
	double n = (double)mean.runs, squares = 0, counted;

	*samples = 0;
	for (size_t s = 0; s < w->sources; s++) {
		if (side_of(w, s) != side)
			continue;
		mean.mean += (double)values[s].weight * w->scale[s] / n;
		*samples += values[s].samples;
	}
	for (size_t s = 0; s < w->sources && mean.runs > 1; s++) {
		double off = (double)values[s].weight * w->scale[s] - mean.mean;

		squares += side_of(w, s) == side ? off * off : 0;
	}
	/* no samples at all are as uncertain as one */
	counted = (double)(*samples ? *samples : 1) * w->each[side] * w->each[side] /
		  (n * n);
	mean.variance = mean.runs > 1 ? squares / (n * (n - 1)) : 0;
	mean.variance = mean.variance > counted ? mean.variance : counted;
	return mean;
}

/* ---- spread ---- */

/* What runs differ by is seen where a side has several; of one and one nothing is. */
static bool has_spread(const struct work *w)
{
	return w->runs[SIDE_BASE] + w->runs[SIDE_OTHER] > SIDES;
}

static void add_spread(struct work *w, size_t row)
{
	enum { SAMPLES_TYPICAL = 10 }; /* of a run */
	const struct value *values = w->values.data + row * w->sources;
	struct spread_row *out = vec_push(&w->spread.rows);

	*out = (struct spread_row){ .typical = true };
	for (size_t side = 0; side < SIDES; side++) {
		double n = (double)w->runs[side], counted;
		uint64_t samples;

		out->mean[side] = mean_of(w, row, side, &samples).mean;
		/* no samples at all are as uncertain as one */
		counted = (double)(samples ? samples : 1) / n;
		out->counted[side] = counted * w->each[side] * w->each[side];
		out->typical &= counted >= SAMPLES_TYPICAL;
	}
	for (size_t s = 0; s < w->sources; s++) {
		size_t side = side_of(w, s);
		double off = (double)values[s].weight * w->scale[s] - out->mean[side];

		out->squares[side] += off * off;
	}
}

static void find_spread(struct work *w)
{
	if (!has_spread(w))
		return;
	for (size_t side = 0; side < SIDES; side++)
		w->spread.runs[side] = w->runs[side];
	for (size_t row = 0; w->function.data[row] != MODEL_NONE; row++)
		add_spread(w, row);
	spread_fit(&w->spread);
}

/* ---- rows compared ---- */

static struct estimate estimate_of_side(const struct work *w, size_t side,
					const struct mean *mean, uint64_t samples)
{
	struct interval range = poisson_interval(samples);
	double each = samples ? mean->mean / (double)samples
			      : w->each[side] / (double)mean->runs;
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
	if (w->whole[side] > 0)
		e.percent = 100 * e.amount / w->whole[side];
	return e;
}

/* Of both sides' samples, the base's share if nothing differed: what it ran, by what a
 * sample stands for. */
static double share_of_base(const struct work *w)
{
	double base = (double)w->runs[SIDE_BASE] / w->each[SIDE_BASE];
	double other = (double)w->runs[SIDE_OTHER] / w->each[SIDE_OTHER];

	return base / (base + other);
}

static struct compared compare_row(const struct work *w, size_t row)
{
	struct compared c = { .function = w->function.data[row] };
	struct mean means[SIDES];
	uint64_t samples[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		means[side] = mean_of(w, row, side, &samples[side]);
		c.sides[side] = estimate_of_side(w, side, &means[side], samples[side]);
	}
	c.delta = means[SIDE_OTHER].mean - means[SIDE_BASE].mean;
	c.p = p_of_counts(samples[SIDE_BASE], samples[SIDE_OTHER], share_of_base(w));
	if (row < w->spread.rows.len)
		c.p = fmax(c.p, spread_p(&w->spread, row));
	else if (w->runs[SIDE_BASE] > 1 && w->runs[SIDE_OTHER] > 1)
		c.p = fmax(c.p, p_of_means(&means[SIDE_BASE], &means[SIDE_OTHER]));
	c.q = c.p;
	return c;
}

/* ---- ratios ---- */

/* What a mean's spread is, in the mean itself; squared. */
static double relative_variance(const struct mean *mean)
{
	return mean->mean > 0 ? mean->variance / (mean->mean * mean->mean) : INFINITY;
}

/* A single run is taken to differ from others like the runs of MANY from one another. */
static double p_of_one(const struct mean *one, const struct mean *many)
{
	double runs = (double)many->runs;
	double variance = fmax(one->variance, many->variance * runs) + many->variance;

	return p_of_student((one->mean - many->mean) / sqrt(variance), runs - 1);
}

/*
 * Whether two ratios differ, by their logarithms; INFINITY: of no samples.  Of one run
 * and one, the variances are known from the numbers of samples, and not estimated.
 */
static double p_of_logs(const struct mean logs[SIDES])
{
	const struct mean *base = &logs[SIDE_BASE], *other = &logs[SIDE_OTHER];
	double variance = base->variance + other->variance;

	if (!isfinite(variance) || variance <= 0)
		return 1;
	if (base->runs > 1 && other->runs > 1)
		return p_of_means(base, other);
	if (base->runs > 1)
		return p_of_one(other, base);
	if (other->runs > 1)
		return p_of_one(base, other);
	return erfc(fabs(other->mean - base->mean) / sqrt(2 * variance));
}

/* The same row of both parts' work. */
static struct compared compare_ratio(const struct work *top, const struct work *bottom,
				     double factor, size_t row)
{
	struct compared c = { .function = top->function.data[row], .p = 1, .q = 1 };
	struct mean logs[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		uint64_t samples[2];
		struct mean t = mean_of(top, row, side, &samples[0]);
		struct mean b = mean_of(bottom, row, side, &samples[1]);
		struct estimate above = estimate_of_side(top, side, &t, samples[0]);
		struct estimate below = estimate_of_side(bottom, side, &b, samples[1]);

		c.absent[side] = !ratio_of_estimates(factor, &above, &below,
						     &c.sides[side]);
		logs[side] = (struct mean){
			.mean = log(c.sides[side].amount),
			.variance = relative_variance(&t) + relative_variance(&b),
			.runs = top->runs[side],
		};
	}
	if (!c.absent[SIDE_BASE] && !c.absent[SIDE_OTHER]) {
		c.delta = c.sides[SIDE_OTHER].amount - c.sides[SIDE_BASE].amount;
		c.q = c.p = p_of_logs(logs);
	}
	return c;
}

/* ---- all together ---- */

static void measure_sides(struct work *w, size_t total_row)
{
	const struct value *total = w->values.data + total_row * w->sources;
	double samples[SIDES] = { 0 };

	w->scale = xcalloc(w->sources + 1, sizeof(*w->scale));
	for (size_t s = 0; s < w->sources; s++) {
		size_t side = side_of(w, s);

		w->scale[s] = scale_of(w, s);
		w->runs[side]++;
		w->whole[side] += (double)total[s].weight * w->scale[s];
		samples[side] += (double)total[s].samples;
	}
	for (size_t side = 0; side < SIDES; side++) {
		w->each[side] = samples[side] > 0 ? w->whole[side] / samples[side] : 0;
		w->whole[side] /= (double)(w->runs[side] ? w->runs[side] : 1);
	}
	/* a side without any samples is taken to count like the other */
	for (size_t side = 0; side < SIDES; side++)
		if (w->each[side] <= 0)
			w->each[side] = w->each[!side] > 0 ? w->each[!side] : 1;
}

/* Only functions that are there are tests; <Total> is one of its own. */
static void find_changes(struct comparison *out)
{
	size_t count = out->rows.len - 1;
	double *p = xcalloc(2 * count + 1, sizeof(*p)), *q = p + count;

	for (size_t i = 0; i < count; i++)
		p[i] = out->rows.data[i + 1].p;
	false_discovery(p, count, q);
	for (size_t i = 0; i <= count; i++) {
		struct compared *c = &out->rows.data[i];

		c->q = i ? q[i - 1] : c->p;
		if (c->q <= COMPARISON_FALSE_ALARMS)
			c->change = c->delta > 0 ? CHANGE_MORE : CHANGE_LESS;
	}
	free(p);
}

/* Of those that are alike what the base has most of comes first. */
static int by_delta(const void *va, const void *vb)
{
	const struct compared *a = va, *b = vb;
	double base_a = a->sides[SIDE_BASE].amount, base_b = b->sides[SIDE_BASE].amount;

	if (fabs(a->delta) != fabs(b->delta))
		return fabs(a->delta) > fabs(b->delta) ? -1 : 1;
	if (base_a != base_b)
		return base_a > base_b ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

/* The sums of METRIC, and what is the same for all rows; gives the row of <Total>. */
static size_t work_init(struct work *w, const struct model *model,
			const struct analysis *analysis, enum flavor flavor,
			uint32_t metric)
{
	size_t total;

	*w = (struct work){ .model = model,
			    .metric = metric,
			    .sources = model->sources.len };
	add_functions(w, analysis, flavor);
	total = w->function.len;
	add_total(w);
	measure_sides(w, total);
	find_spread(w);
	return total;
}

static void work_release(struct work *w)
{
	free(w->scale);
	spread_release(&w->spread);
	vec_release(&w->function);
	vec_release(&w->values);
}

static bool is_any(const struct estimate *e)
{
	return e->samples || e->amount > 0;
}

static void add_row(struct comparison *out, const struct compared *c)
{
	if (c->function == MODEL_NONE || is_any(&c->sides[SIDE_BASE]) ||
	    is_any(&c->sides[SIDE_OTHER]))
		*vec_push(&out->rows) = *c;
}

static void add_metric(struct comparison *out, const struct model *model,
		       const struct analysis *analysis, const struct metric_item *item)
{
	struct work w;
	size_t total = work_init(&w, model, analysis, item->flavor, item->metric);

	for (size_t i = 0; i <= total; i++) { /* <Total>, the last, comes first */
		struct compared c = compare_row(&w, i ? i - 1 : total);

		add_row(out, &c);
	}
	work_release(&w);
}

static void add_ratio(struct comparison *out, const struct model *model,
		      const struct analysis *analysis, const struct metric_item *item)
{
	const struct ratio *ratio = &model->ratios.data[item->metric];
	double factor = ratio_factor(model, ratio);
	struct work top, bottom;
	size_t total = work_init(&top, model, analysis, item->flavor, ratio->top);

	work_init(&bottom, model, analysis, item->flavor, ratio->bottom);
	for (size_t i = 0; i <= total; i++) {
		struct compared c = compare_ratio(&top, &bottom, factor,
						  i ? i - 1 : total);

		add_row(out, &c);
	}
	work_release(&top);
	work_release(&bottom);
}

void comparison_build(struct comparison *out, const struct model *model,
		      const struct analysis *analysis, const struct metric_item *item)
{
	*out = (struct comparison){ 0 };
	(item->field == FIELD_RATIO ? add_ratio : add_metric)(out, model, analysis, item);
	find_changes(out);
	qsort(out->rows.data + 1, out->rows.len - 1, sizeof(*out->rows.data), by_delta);
}

void comparison_release(struct comparison *comparison)
{
	vec_release(&comparison->rows);
}
