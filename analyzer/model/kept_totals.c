/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kept_totals.h"

#include "experiment/kept.h"

/* ---- the sums by their kind ---- */

/* The rows of all events. */
struct part {
	struct value *rows;
	size_t count; /* of one event */
};

static struct part part_of(const struct totals *t, enum exp_sum_of of)
{
	const struct part parts[EXP_BY_COUNT] = {
		[EXP_BY_NODE] = { t->node, t->nodes },
		[EXP_BY_THREAD] = { t->thread, t->threads },
		[EXP_BY_CPU] = { t->cpu, t->cpus },
		[EXP_BY_SECOND] = { t->second, t->seconds },
	};

	return parts[of];
}

static struct value sum_of(const struct totals *t, enum exp_sum_of of, size_t event)
{
	struct part part = part_of(t, of);
	struct value sum = { 0 };

	for (size_t i = 0; i < part.count; i++)
		value_add(&sum, part.rows[event * part.count + i]);
	return sum;
}

/* Whether all kinds add up to the same, which is the whole then. */
static bool add_up(struct totals *t)
{
	for (size_t e = 0; e < t->events; e++) {
		t->whole[e] = sum_of(t, EXP_BY_NODE, e);
		for (enum exp_sum_of of = 0; of < EXP_BY_COUNT; of++) {
			struct value sum = sum_of(t, of, e);

			if (sum.weight != t->whole[e].weight ||
			    sum.samples != t->whole[e].samples)
				return false;
		}
	}
	return true;
}

/* ---- reading ---- */

struct reader {
	struct totals *totals;
	const struct experiment *exp;
	bool sized;
	uint64_t rows; /* that are still to come */
};

static bool take_sizes(void *ctx, const struct exp_rows *rows)
{
	struct reader *r = ctx;
	uint64_t *const *column = rows->column;
	uint64_t cpus = column[EXP_SUM_SIZE_CPUS][0];
	uint64_t seconds = column[EXP_SUM_SIZE_SECONDS][0];
	size_t events = r->exp->log.events.len;

	if (r->sized || rows->count != 1 || !events || cpus > TOTALS_CPUS_MAX ||
	    seconds > 2 * TOTALS_SECONDS_MAX / events ||
	    column[EXP_SUM_SIZE_DIGEST][0] != r->exp->digest)
		return false;
	r->sized = true;
	r->rows = column[EXP_SUM_SIZE_ROWS][0];
	totals_init(r->totals, r->exp, 0, (size_t)cpus, (size_t)seconds);
	r->totals->last_ns = column[EXP_SUM_SIZE_LAST_NS][0];
	return true;
}

/* Of MOST samples in all. */
static bool take_sum(const struct totals *t, uint64_t most, uint64_t *const *column,
		     size_t i)
{
	uint64_t of = column[EXP_SUM_OF][i], event = column[EXP_SUM_EVENT][i];
	uint64_t index = column[EXP_SUM_INDEX][i];
	uint64_t samples = column[EXP_SUM_SAMPLES][i];
	struct part part;

	if (of >= EXP_BY_COUNT || event >= t->events || samples > most)
		return false;
	part = part_of(t, (enum exp_sum_of)of);
	if (index >= part.count)
		return false;
	value_add(&part.rows[event * part.count + index],
		  (struct value){ column[EXP_SUM_WEIGHT][i], samples });
	return true;
}

static bool take_sums(void *ctx, const struct exp_rows *rows)
{
	struct reader *r = ctx;

	if (!r->sized || rows->count > r->rows)
		return false;
	r->rows -= rows->count;
	for (size_t i = 0; i < rows->count; i++)
		if (!take_sum(r->totals, r->exp->samples, rows->column, i))
			return false;
	return true;
}

static kept_taker *const takers[EXP_TABLES] = {
	[EXP_SUM_SIZES] = take_sizes,
	[EXP_SUMS] = take_sums,
};

bool kept_totals_read(struct totals *out, const struct experiment *exp)
{
	struct reader r = { .totals = out, .exp = exp };
	bool good;

	*out = (struct totals){ 0 };
	good = !kept_read(exp, EXP_SUMS_FILE, takers, &r) && r.sized && !r.rows &&
	       add_up(out);
	if (!good)
		totals_release(out);
	return good;
}

/* ---- writing ---- */

static size_t count_rows(const struct totals *t)
{
	size_t count = 0;

	for (enum exp_sum_of of = 0; of < EXP_BY_COUNT; of++) {
		struct part part = part_of(t, of);

		for (size_t i = 0; i < t->events * part.count; i++)
			count += value_is_any(part.rows[i]);
	}
	return count;
}

static void write_part(struct kept_writer *w, const struct totals *t, enum exp_sum_of of)
{
	struct part part = part_of(t, of);

	for (size_t i = 0; i < t->events * part.count; i++)
		if (value_is_any(part.rows[i]))
			kept_row(w, (uint64_t[EXP_SUM_COLUMNS]){
					    of, i / part.count, i % part.count,
					    part.rows[i].weight, part.rows[i].samples });
}

void kept_totals_write(const struct totals *t, const struct experiment *exp)
{
	struct kept_writer w = { 0 };
	int error;

	if (!exp->log.complete || exp->truncated || t->damaged_blocks)
		return;
	kept_key(&w, exp);
	kept_begin(&w, EXP_SUM_SIZES);
	kept_row(&w, (uint64_t[EXP_SUM_SIZE_COLUMNS]){ exp->digest, count_rows(t),
						       t->cpus, t->seconds, t->last_ns });
	kept_begin(&w, EXP_SUMS);
	for (enum exp_sum_of of = 0; of < EXP_BY_COUNT; of++)
		write_part(&w, t, of);
	error = kept_write(&w, exp, EXP_SUMS_FILE);
	(void)error; /* samples are read again the next time */
}
