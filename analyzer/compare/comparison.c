/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "model/ratio.h"
#include "compare/significance.h"
#include "base/xalloc.h"

/* ---- rows of a metric ---- */

/* Of both sides' samples, the base's share if nothing differed: what it ran, by what a
 * sample stands for. */
static double share_of_base(const struct sides *sides)
{
	double base = (double)sides->runs[SIDE_BASE] / sides->each[SIDE_BASE];
	double other = (double)sides->runs[SIDE_OTHER] / sides->each[SIDE_OTHER];

	return base / (base + other);
}

static struct compared compare_row(const struct sides *sides, size_t row)
{
	struct compared c = { .function = sides->function.data[row] };
	struct mean means[SIDES];
	uint64_t samples[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		means[side] = sides_mean(sides, row, side, &samples[side]);
		c.sides[side] = sides_estimate(sides, side, &means[side], samples[side]);
	}
	c.delta = means[SIDE_OTHER].mean - means[SIDE_BASE].mean;
	c.p = p_of_counts(samples[SIDE_BASE], samples[SIDE_OTHER], share_of_base(sides));
	if (row < sides->spread.rows.len)
		c.p = fmax(c.p, spread_p(&sides->spread, row));
	else if (sides->runs[SIDE_BASE] > 1 && sides->runs[SIDE_OTHER] > 1)
		c.p = fmax(c.p, p_of_means(&means[SIDE_BASE], &means[SIDE_OTHER]));
	c.q = c.p;
	return c;
}

/* ---- rows of a ratio ---- */

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

/* The same row of both parts. */
static struct compared compare_ratio(const struct sides *top, const struct sides *bottom,
				     double factor, size_t row)
{
	struct compared c = { .function = top->function.data[row], .p = 1, .q = 1 };
	struct mean logs[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		uint64_t samples[2];
		struct mean t = sides_mean(top, row, side, &samples[0]);
		struct mean b = sides_mean(bottom, row, side, &samples[1]);
		struct estimate above = sides_estimate(top, side, &t, samples[0]);
		struct estimate below = sides_estimate(bottom, side, &b, samples[1]);

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
	struct sides sides;
	size_t total = sides_init(&sides, model, analysis, item->flavor, item->metric);

	for (size_t i = 0; i <= total; i++) { /* <Total>, the last, comes first */
		struct compared c = compare_row(&sides, i ? i - 1 : total);

		add_row(out, &c);
	}
	sides_release(&sides);
}

static void add_ratio(struct comparison *out, const struct model *model,
		      const struct analysis *analysis, const struct metric_item *item)
{
	const struct ratio *ratio = &model->ratios.data[item->metric];
	double factor = ratio_factor(model, ratio);
	struct sides top, bottom;
	size_t total = sides_init(&top, model, analysis, item->flavor, ratio->top);

	sides_init(&bottom, model, analysis, item->flavor, ratio->bottom);
	for (size_t i = 0; i <= total; i++) {
		struct compared c = compare_ratio(&top, &bottom, factor,
						  i ? i - 1 : total);

		add_row(out, &c);
	}
	sides_release(&top);
	sides_release(&bottom);
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
