/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/tally.h"

void tally_release(struct tally *t)
{
	idmap_release(&t->ids);
	vec_release(&t->rows);
}

void tally_turn(struct tally *t, struct tasks *tasks)
{
	vec_for_each(const struct tally_row, row, &t->rows)
		tasks_let_go(tasks, row->process);
	tally_release(t);
	*t = (struct tally){ 0 };
}

/* A thread's row in the experiment, + 1; 0: it has none. */
static uint32_t thread_row(const struct tasks *tasks, uint32_t process, uint32_t tid)
{
	const struct thread *th = tasks_find_thread(tasks, tid);

	return th && th->process == process && th->id != TASK_NO_ID ? th->id + 1 : 0;
}

/* Mostly the previous sample's. */
static struct tally_row *row_of(struct tally *t, struct tasks *tasks, uint32_t process,
				uint32_t tid, uint32_t event)
{
	uint32_t name = task_name_id(&tasks->names, &tasks->processes.data[process].name);
	struct tally_row *row;
	const struct tally_row *last = t->last < t->rows.len ? &t->rows.data[t->last]
							     : NULL;
	uint32_t next = (uint32_t)t->rows.len;

	if (!last || last->name != name || last->event != event)
		t->last = idmap_intern(&t->ids, name, event, next);
	if (t->last == next) {
		*vec_push(&t->rows) = (struct tally_row){
			.name = name,
			.event = event,
			.process = process,
		};
		tasks_hold(tasks, process);
	}
	row = &t->rows.data[t->last];
	row->tid = tid;
	row->thread = thread_row(tasks, process, tid);
	if (row->process == process)
		return row;
	tasks_hold(tasks, process);
	tasks_let_go(tasks, row->process);
	row->process = process;
	return row;
}

void tally_sample(struct tally *t, struct tasks *tasks, uint32_t process, uint32_t tid,
		  uint32_t event, uint64_t weight)
{
	row_of(t, tasks, process, tid, event)->sampled += weight;
}

/* Whether there may be a row for it.  A name without a sample is no string yet. */
static bool has_room(struct tally *t, struct tasks *tasks, uint32_t process)
{
	return t->unsampled < TALLY_NAMES_MAX ||
	       task_name_has_id(&tasks->names, &tasks->processes.data[process].name);
}

void tally_count(struct tally *t, struct tasks *tasks, uint32_t process, uint32_t tid,
		 uint32_t event, uint64_t count)
{
	size_t rows = t->rows.len;

	if (!has_room(t, tasks, process)) {
		t->left_out++;
		return;
	}
	row_of(t, tasks, process, tid, event)->counted += count;
	t->unsampled += t->rows.len > rows;
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
	return intern_node(in, 0, intern_artificial(in, EXP_UNSAMPLED));
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
	uint32_t thread = row->thread - 1;

	if (!row->thread)
		thread = tasks_thread_id(tasks,
					 tasks_thread_in(tasks, row->process, row->tid));
	exp_write_row(in->writer, EXP_SAMPLES,
		      (uint64_t[EXP_SAMPLE_COLUMNS]){ time_ns, thread, 0, row->event,
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
