/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "model/ratio.h"
#include "compare/significance.h"
#include "base/xalloc.h"

/*
 * The machine's own work varies more than samples do: in 120 runs of three programs the
 * counts of the kernel's interrupts and switches had up to six times Poisson's variance.
 */
#define MACHINE_FACTOR 6

/*
 * The variation of the machine's speed between two runs, as the standard deviation of a
 * logarithm.  The totals of such programs on a busy machine differed by 2, 15 and 15 %.
 */
#define MACHINE_SPEED 0.15

/* ---- rows of a metric ---- */

/* The base's share of a row's samples if its amounts were equal. */
static double share_of_base(const struct comparison_rows *sides, size_t row)
{
	double rate[SIDES];

	for (size_t side = 0; side < SIDES; side++)
		rate[side] = (double)sides->runs[side] /
			     comparison_rows_each(sides, row, side);
	return rate[SIDE_BASE] / (rate[SIDE_BASE] + rate[SIDE_OTHER]);
}

/* Whether this many samples could differ beyond noise if one side had them all. */
static bool can_differ(const uint64_t samples[SIDES], double share)
{
	double all = (double)(samples[SIDE_BASE] + samples[SIDE_OTHER]);

	return 2 * pow(fmin(share, 1 - share), all) <= COMPARISON_FALSE_ALARMS;
}

/* Of one run alone, exact amounts have no noise to measure by; several runs differ. */
static bool is_testable(const struct comparison_rows *sides, size_t row,
			const uint64_t samples[SIDES])
{
	bool waits = sides->waits && sides->waits[row];

	if (waits)
		return comparison_rows_have_spread(sides);
	return can_differ(samples, share_of_base(sides, row));
}

/* The row's share of both sides' samples, compared with that of all samples. */
static double p_of_shares(const struct comparison_rows *sides,
			  const uint64_t samples[SIDES])
{
	double base = (double)sides->admitted[SIDE_BASE];
	double other = (double)sides->admitted[SIDE_OTHER];

	if (base <= 0 || other <= 0)
		return 1;
	return p_of_counts(samples[SIDE_BASE], samples[SIDE_OTHER],
			   base / (base + other));
}

/* The mean total of a run; of a sum, only of what is sampled: waits have another speed. */
static double total_of(const struct comparison_rows *sides, size_t side)
{
	if (!sides->waits)
		return sides->whole[side];
	return (double)sides->admitted[side] * sides->each[side] /
	       (double)sides->runs[side];
}

/* How often the machine alone causes such a difference between totals. */
static double p_of_speed(const struct comparison_rows *sides)
{
	double base = total_of(sides, SIDE_BASE), other = total_of(sides, SIDE_OTHER);

	if (base <= 0 || other <= 0)
		return base > 0 || other > 0 ? 0 : 1;
	return erfc(fabs(log(other / base)) / (2 * MACHINE_SPEED));
}

static double p_of_machine(const uint64_t samples[SIDES], double share)
{
	double base = (double)samples[SIDE_BASE], other = (double)samples[SIDE_OTHER];
	double off = base - share * (base + other);
	double variance = MACHINE_FACTOR * share * (1 - share) * (base + other);

	return variance > 0 ? erfc(fabs(off) / sqrt(2 * variance)) : 1;
}

/*
 * For one run a side: tests the amount, and the share too unless the machine's speed
 * explains the difference of the totals.  Exact counts of single runs have no noise to
 * measure by.
 */
static double p_of_single(const struct comparison_rows *sides, size_t row,
			  const uint64_t samples[SIDES])
{
	double share = share_of_base(sides, row);
	double p = p_of_counts(samples[SIDE_BASE], samples[SIDE_OTHER], share);

	if (sides->model->metrics.data[sides->metric].exact ||
	    (sides->waits && sides->waits[row]))
		return 1;
	if (comparison_rows_nearly_all(sides, row))
		return p;
	p = fmax(p, fmin(p_of_shares(sides, samples), p_of_speed(sides)));
	if (sides->machine && sides->machine[row])
		p = fmax(p, p_of_machine(samples, share));
	return p;
}

/*
 * Whether the row itself changed, not the machine's speed, which affects all rows alike:
 * relative to the others, or beyond the spread of its own runs.
 */
static double p_of_row_alone(const struct comparison_rows *sides, size_t row)
{
	const struct spread_row *amount = &sides->spread.rows.data[row];
	const struct spread_row *relative = &sides->relative.rows.data[row];
	double own = comparison_rows_p_of_own(sides, row);
	bool same_way = (amount->mean[1] > amount->mean[0]) ==
			(relative->mean[1] > relative->mean[0]);

	if (same_way)
		own = fmin(own, spread_p(&sides->relative, row));
	return fmin(1, 2 * own);
}

/* For several runs: beyond their spread. */
static double p_of_several(const struct comparison_rows *sides, size_t row,
			   const uint64_t samples[SIDES])
{
	double p;

	if (comparison_rows_nearly_all(sides, row))
		return comparison_rows_p_of_own(sides, row);
	p = fmax(spread_p(&sides->spread, row), p_of_row_alone(sides, row));
	if (sides->spread.rows.data[row].typical ||
	    sides->model->metrics.data[sides->metric].exact ||
	    (sides->waits && sides->waits[row]))
		return p;
	return fmax(p, p_of_counts(samples[SIDE_BASE], samples[SIDE_OTHER],
				   share_of_base(sides, row)));
}

static uint32_t row_id(const struct comparison_rows *sides, size_t row)
{
	return row == sides->total ? COMPARED_TOTAL : (uint32_t)row;
}

static struct compared compare_row(const struct comparison_rows *sides, size_t row)
{
	struct compared c = { .row = row_id(sides, row) };
	struct mean means[SIDES];
	uint64_t samples[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		means[side] = comparison_rows_mean(sides, row, side, &samples[side]);
		c.sides[side] = comparison_rows_estimate(sides, side, &means[side],
							 samples[side]);
	}
	c.delta = means[SIDE_OTHER].mean - means[SIDE_BASE].mean;
	c.p = (comparison_rows_have_spread(sides) ? p_of_several
						  : p_of_single)(sides, row, samples);
	if (!comparison_rows_have_spread(sides) && comparison_rows_nearly_all(sides, row))
		c.unless = p_of_speed(sides);
	c.tested = is_testable(sides, row, samples);
	c.q = c.p;
	return c;
}

/* ---- rows of a ratio ---- */

/* The variance of a mean relative to its square. */
static double relative_variance(const struct mean *mean)
{
	return mean->mean > 0 ? mean->variance / (mean->mean * mean->mean) : INFINITY;
}

/* A single run is assumed to vary like the runs of MANY. */
static double p_of_one(const struct mean *one, const struct mean *many)
{
	double runs = (double)many->runs;
	double variance = fmax(one->variance, many->variance * runs) + many->variance;

	return p_of_student((one->mean - many->mean) / sqrt(variance), runs - 1);
}

/*
 * Whether two ratios differ, by their logarithms; INFINITY: no samples.  With one run on
 * each side the variances are those of the numbers of samples, not estimates.
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
static struct compared compare_ratio(const struct comparison_rows *top,
				     const struct comparison_rows *bottom, double factor,
				     size_t row)
{
	struct compared c = { .row = row_id(top, row), .p = 1, .q = 1, .tested = true };
	struct mean logs[SIDES];

	for (size_t side = 0; side < SIDES; side++) {
		uint64_t samples[2];
		struct mean t = comparison_rows_mean(top, row, side, &samples[0]);
		struct mean b = comparison_rows_mean(bottom, row, side, &samples[1]);
		struct estimate above = comparison_rows_estimate(top, side, &t,
								 samples[0]);
		struct estimate below = comparison_rows_estimate(bottom, side, &b,
								 samples[1]);

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

static enum change change_of(const struct compared *c, double alarms)
{
	if (c->q > alarms)
		return CHANGE_NOISE;
	return c->delta > 0 ? CHANGE_MORE : CHANGE_LESS;
}

/*
 * The machine's speed in single runs is unknown.  So a row that is nearly all of a run
 * has changed only if another row changed the same way, or by more than that speed
 * explains.
 */
static void find_cause(const struct comparison *out, struct compared *whole)
{
	double least = whole->unless;

	vec_for_each(const struct compared, c, &out->rows)
		if (c->unless <= 0 && c->change && (c->delta > 0) == (whole->delta > 0))
			least = fmin(least, c->q);
	whole->q = fmax(whole->q, least);
}

/* <Total> has a test of its own. */
static void find_changes_of_all(struct comparison *out)
{
	struct compared *total = &out->rows.data[0];

	total->q = total->p;
	vec_for_each(struct compared, c, &out->rows) {
		if (c->unless <= 0 && c != total)
			continue;
		if (c->unless > 0)
			find_cause(out, c);
		c->change = change_of(c, c == total ? COMPARISON_TOTAL_ALARMS
						    : COMPARISON_FALSE_ALARMS);
	}
}

/* Rows with too few samples to differ are not tested. */
static void find_changes(struct comparison *out)
{
	size_t count = 0;
	double *p = xcalloc(2 * out->rows.len + 1, sizeof(*p)), *q = p + out->rows.len;

	for (size_t i = 1; i < out->rows.len; i++)
		if (out->rows.data[i].tested)
			p[count++] = out->rows.data[i].p;
	false_discovery(p, count, q);
	for (size_t i = 1, next = 0; i < out->rows.len; i++) {
		struct compared *c = &out->rows.data[i];

		c->q = c->tested ? q[next++] : 1;
		c->change = c->unless > 0 ? CHANGE_NOISE
					  : change_of(c, COMPARISON_FALSE_ALARMS);
	}
	find_changes_of_all(out);
	free(p);
}

/* Among equals the largest amount in the base comes first. */
static int by_delta(const void *va, const void *vb)
{
	const struct compared *a = va, *b = vb;
	double base_a = a->sides[SIDE_BASE].amount, base_b = b->sides[SIDE_BASE].amount;

	if (fabs(a->delta) != fabs(b->delta))
		return fabs(a->delta) > fabs(b->delta) ? -1 : 1;
	if (base_a != base_b)
		return base_a > base_b ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static bool is_any(const struct estimate *e)
{
	return e->samples || e->amount > 0;
}

static void add_row(struct comparison *out, const struct compared *c)
{
	if (c->row == COMPARED_TOTAL || is_any(&c->sides[SIDE_BASE]) ||
	    is_any(&c->sides[SIDE_OTHER]))
		*vec_push(&out->rows) = *c;
}

static void add_metric(struct comparison *out, const struct model *model,
		       const struct sums *sums, const struct metric_item *item)
{
	struct comparison_rows sides;

	comparison_rows_init(&sides, model, sums, item->flavor, item->metric);
	for (size_t i = 0; i <= sides.total; i++) { /* <Total>, the last, comes first */
		struct compared c = compare_row(&sides, i ? i - 1 : sides.total);

		add_row(out, &c);
	}
	comparison_rows_release(&sides);
}

static void add_ratio(struct comparison *out, const struct model *model,
		      const struct sums *sums, const struct metric_item *item)
{
	const struct ratio *ratio = &model->ratios.data[item->metric];
	double factor = ratio_factor(model, ratio);
	struct comparison_rows top, bottom;

	comparison_rows_init(&top, model, sums, item->flavor, ratio->top);
	comparison_rows_init(&bottom, model, sums, item->flavor, ratio->bottom);
	for (size_t i = 0; i <= top.total; i++) {
		struct compared c = compare_ratio(&top, &bottom, factor,
						  i ? i - 1 : top.total);

		add_row(out, &c);
	}
	comparison_rows_release(&top);
	comparison_rows_release(&bottom);
}

void comparison_build(struct comparison *out, const struct model *model,
		      const struct sums *sums, const struct metric_item *item)
{
	*out = (struct comparison){ 0 };
	(item->field == FIELD_RATIO ? add_ratio : add_metric)(out, model, sums, item);
	find_changes(out);
	qsort(out->rows.data + 1, out->rows.len - 1, sizeof(*out->rows.data), by_delta);
}

void comparison_release(struct comparison *comparison)
{
	vec_release(&comparison->rows);
}
