/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/details.h"

/* The next block with rows; false: there are no more. */
static bool load(struct exp_details *d, struct experiment *exp)
{
	while (d->block < exp->details.len) {
		uint64_t offset = exp->details.data[d->block++];

		d->row = 0;
		if (!experiment_load(exp, EXP_DETAILS, offset, &d->walk) &&
		    d->walk.rows.count)
			return true;
		exp_rows_clear(&d->walk.rows);
	}
	return false;
}

static void take(const struct exp_details *d, const struct experiment *exp,
		 struct exp_detail *out)
{
	for (size_t c = 0; c < EXP_DETAIL_COLUMNS; c++)
		out->value[c] = d->walk.rows.column[c][d->row];
	if (out->value[EXP_DETAIL_CGROUP] >= exp->strings.len)
		out->value[EXP_DETAIL_CGROUP] = 0;
}

void exp_details_of(struct exp_details *d, struct experiment *exp, uint64_t number,
		    struct exp_detail *out)
{
	*out = (struct exp_detail){ 0 };
	for (;; d->row++) {
		uint64_t sample;

		if (d->row >= d->walk.rows.count && !load(d, exp))
			return;
		sample = d->walk.rows.column[EXP_DETAIL_SAMPLE][d->row];
		if (sample > number)
			return;
		if (sample == number)
			take(d, exp, out);
	}
}

void exp_details_release(struct exp_details *d)
{
	exp_walk_release(&d->walk);
	*d = (struct exp_details){ 0 };
}
