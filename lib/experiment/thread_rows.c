/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/thread_rows.h"

#include <stdlib.h>

/* ---- births ---- */

struct birth {
	uint64_t born_ns;
	int64_t tid;
	uint32_t process, row;
};

static int compare_births(const struct birth *x, const struct birth *y)
{
	if (x->born_ns != y->born_ns)
		return x->born_ns < y->born_ns ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->process < y->process ? -1 : x->process > y->process;
}

static int by_birth(const void *a, const void *b)
{
	const struct birth *x = a, *y = b;
	int order = compare_births(x, y);

	return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

void thread_rows_number(struct experiment *exp)
{
	VEC(struct birth) births = { 0 };
	uint32_t number = 0, last = 0;

	for (uint32_t row = 0; row < exp->threads.len; row++) {
		const struct exp_thread *th = &exp->threads.data[row];

		*vec_push(&births) = (struct birth){ th->born_ns, th->tid, th->process,
						     row };
	}
	if (births.len)
		qsort(births.data, births.len, sizeof(*births.data), by_birth);
	for (size_t i = 0; i < births.len; i++) {
		const struct birth *b = &births.data[i];

		number += !i || compare_births(b - 1, b);
		exp->threads.data[b->row].number = number;
	}
	for (size_t i = births.len; i; i--) {
		const struct birth *b = &births.data[i - 1];

		if (i == births.len || compare_births(b, b + 1))
			last = b->row;
		exp->threads.data[b->row].last = last;
	}
	vec_release(&births);
}

/* The row of a process has the name of its first sample, which may be an earlier one. */
void thread_rows_name_processes(struct experiment *exp)
{
	vec_for_each(const struct exp_thread, th, &exp->threads) {
		struct exp_process *p = &exp->processes.data[th->process];

		if (th->tid == p->pid)
			p->name = exp->threads.data[th->last].name;
	}
}

/* ---- lives ---- */

struct trimmed {
	uint64_t from_ns;
	size_t life;
	uint32_t thread;
};

static int by_thread(const void *a, const void *b)
{
	const struct trimmed *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	return x->life < y->life ? -1 : x->life > y->life;
}

/* A trimmed one may end before it begins: nothing is left of it. */
static void drop_covered(struct experiment *exp)
{
	size_t kept = 0;

	vec_for_each(const struct exp_life, life, &exp->lives)
		if (life->from_ns <= life->to_ns)
			exp->lives.data[kept++] = *life;
	exp->lives.len = kept;
}

void thread_rows_trim_lives(struct experiment *exp)
{
	VEC(struct trimmed) lives = { 0 };
	uint64_t end_ns = 0;

	for (size_t i = 0; i < exp->lives.len; i++) {
		const struct exp_life *life = &exp->lives.data[i];

		*vec_push(&lives) = (struct trimmed){
			life->from_ns, i, exp->threads.data[life->thread].number
		};
	}
	if (lives.len)
		qsort(lives.data, lives.len, sizeof(*lives.data), by_thread);
	for (size_t i = 0; i < lives.len; i++) {
		struct exp_life *life = &exp->lives.data[lives.data[i].life];

		if (!i || lives.data[i].thread != lives.data[i - 1].thread)
			end_ns = 0;
		if (life->from_ns < end_ns)
			life->from_ns = end_ns;
		if (life->to_ns > end_ns)
			end_ns = life->to_ns;
	}
	vec_release(&lives);
	drop_covered(exp);
}
