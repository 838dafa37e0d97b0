/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/tally.h"

void tally_release(struct tally *t)
{
	idmap_release(&t->ids);
	vec_release(&t->rows);
}

void tally_turn(struct tally *t)
{
	tally_release(t);
	*t = (struct tally){ 0 };
}

/* Mostly the previous sample's. */
void tally_sample(struct tally *t, const struct tally_row *row, uint64_t weight)
{
	const struct tally_row *last = t->last < t->rows.len ? &t->rows.data[t->last]
							     : NULL;
	uint32_t next = (uint32_t)t->rows.len;

	if (!last || last->name != row->name || last->event != row->event)
		t->last = idmap_intern(&t->ids, row->name, row->event, next);
	if (t->last == next)
		*vec_push(&t->rows) = (struct tally_row){ row->name, row->event, 0, 0 };
	t->rows.data[t->last].thread = row->thread;
	t->rows.data[t->last].sampled += weight;
}

void tally_write_unsampled(struct intern *in, uint64_t time_ns, uint32_t thread,
			   uint32_t event, uint64_t weight)
{
	uint32_t node = intern_node(in, 0, intern_artificial(in, EXP_UNSAMPLED));

	exp_write_row(in->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){ time_ns, thread, 0, event, weight,
						      node });
}

/* A total shared in proportion: the parts served so far, and all parts. */
struct shares {
	uint64_t all, had, total, given;
};

/* The share of the next PART; in the end nothing of the total is left. */
static uint64_t share(struct shares *s, uint64_t part)
{
	uint64_t given = s->given;

	s->had += part;
	s->given = s->had == s->all ? s->total
				    : (uint64_t)((double)s->had * (double)s->total /
						 (double)s->all);
	return s->given - given;
}

void tally_spread(const struct tally *t, struct intern *in, uint64_t time_ns,
		  uint32_t event, uint64_t rest)
{
	struct shares shares = { .total = rest };

	vec_for_each(const struct tally_row, row, &t->rows)
		if (row->event == event)
			shares.all += row->sampled;
	vec_for_each(const struct tally_row, row, &t->rows) {
		uint64_t part = row->event == event && row->sampled
					? share(&shares, row->sampled)
					: 0;

		if (part)
			tally_write_unsampled(in, time_ns, row->thread, event, part);
	}
}
