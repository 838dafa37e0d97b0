/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/tally.h"

void tally_release(struct tally *t)
{
	idmap_release(&t->ids);
	vec_release(&t->rows);
}

/* Mostly that of the sample before. */
static struct tally_row *row_of(struct tally *t, uint32_t name, uint32_t event)
{
	const struct tally_row *last = t->last < t->rows.len ? &t->rows.data[t->last]
							     : NULL;
	uint32_t next = (uint32_t)t->rows.len;

	if (!last || last->name != name || last->event != event)
		t->last = idmap_intern(&t->ids, name, event, next);
	if (t->last == next)
		*vec_push(&t->rows) = (struct tally_row){ .name = name, .event = event };
	return &t->rows.data[t->last];
}

void tally_sample(struct tally *t, uint32_t name, uint32_t event, uint32_t pid,
		  uint32_t tid, uint64_t weight)
{
	struct tally_row *row = row_of(t, name, event);

	row->sampled += weight;
	row->pid = pid;
	row->tid = tid;
}

void tally_count(struct tally *t, uint32_t name, uint32_t event, uint32_t pid,
		 uint32_t tid, uint64_t count)
{
	struct tally_row *row = row_of(t, name, event);

	row->counted += count;
	row->pid = pid;
	row->tid = tid;
}

/* What is shared out by parts: those that had theirs, and what all have together. */
struct shares {
	uint64_t all, had, total, given;
};

/* What the next PART of all has of the total; in the end nothing is left of it. */
static uint64_t share(struct shares *s, uint64_t part)
{
	uint64_t given = s->given;

	s->had += part;
	s->given = s->had == s->all ? s->total
				    : (uint64_t)((double)s->had * (double)s->total /
						 (double)s->all);
	return s->given - given;
}

void tally_spread(struct tally *t, uint32_t event, uint64_t rest)
{
	struct shares shares = { .total = rest };

	vec_for_each(const struct tally_row, row, &t->rows)
		if (row->event == event)
			shares.all += row->sampled;
	vec_for_each(struct tally_row, row, &t->rows)
		if (row->event == event && row->sampled)
			row->counted = row->sampled + share(&shares, row->sampled);
}

uint64_t tally_counted(const struct tally *t, uint32_t event)
{
	uint64_t sum = 0;

	vec_for_each(const struct tally_row, row, &t->rows)
		if (row->event == event)
			sum += row->counted;
	return sum;
}

static uint32_t unsampled_node(struct intern *in)
{
	uint32_t module = intern_module(in, "[ringprof]", "", EXP_KIND_ARTIFICIAL);

	return intern_node(in, 0, intern_frame(in, module, EXP_UNSAMPLED, 0));
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t rest_of(const struct tally_row *row)
{
	return row->counted > row->sampled ? row->counted - row->sampled : 0;
}

static void write_rest(const struct tally_row *row, uint64_t rest, struct tasks *tasks,
		       struct intern *in, uint64_t time_ns)
{
	struct thread *thread = tasks_thread(tasks, row->pid, row->tid);

	exp_write_row(in->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){
			      time_ns, tasks_thread_id(tasks, thread), 0, row->event,
			      rest, unsampled_node(in) });
}

void tally_write(const struct tally *t, struct tasks *tasks, struct intern *in,
		 uint64_t time_ns, const uint64_t *most, uint64_t *unsampled)
{
	VEC(struct shares) shares = { 0 };

	vec_for_each(const struct tally_row, row, &t->rows) {
		while (shares.len <= row->event)
			*vec_push(&shares) = (struct shares){ 0 };
		shares.data[row->event].all += rest_of(row);
	}
	for (size_t e = 0; e < shares.len; e++)
		shares.data[e].total = least(shares.data[e].all, most[e]);
	vec_for_each(const struct tally_row, row, &t->rows) {
		uint64_t part = rest_of(row);
		uint64_t rest = part ? share(&shares.data[row->event], part) : 0;

		if (!rest)
			continue;
		unsampled[row->event] += rest;
		write_rest(row, rest, tasks, in, time_ns);
	}
	vec_release(&shares);
}
