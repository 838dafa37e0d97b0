/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random first periods: simulates tasks of any length with every period that can be drawn,
 * and compares the weights of their samples with the time they ran.
 */
#include "sample/stagger_book.h"
#include "sample/stagger_plan.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

#define MS 1000000u

enum { DRAWS = 20000 };

static const struct drawn_case {
	uint64_t period, max_rate;
} cases[] = {
	{ MS, 100000 },     { MS, 0 },         { 100000, 100000 },
	{ 10 * MS, 50000 }, { 999983, 20000 },
};

/* The mean weight of the samples in [FROM, TO) of a task that runs beyond TO. */
static double mean_weight(const struct stagger_plan *plan, double from, double to)
{
	double sum = 0;

	for (int i = 0; i < DRAWS; i++) {
		uint64_t p = stagger_plan_period(plan, (i + 0.5) / DRAWS);
		uint64_t t = ((uint64_t)from + p - 1) / p * p;

		for (; (double)t < to; t += p)
			sum += (double)stagger_plan_weight(plan, p, t + 7000);
	}
	return sum / DRAWS;
}

/* Parts of a task's life, in least periods and in periods. */
static bool is_fair(const struct stagger_plan *plan)
{
	const double soon = fmax(plan->least * 1.5, plan->period / 8);
	const double ends[] = { plan->least * 1.001, soon,
				plan->period * 0.55, plan->period * 0.7,
				plan->period,        plan->period * 1.7,
				plan->period * 5,    plan->period * 40 };
	bool fair = true;

	for (size_t i = 0; i + 1 < sizeof(ends) / sizeof(ends[0]); i++) {
		double want = ends[i + 1] - ends[i];
		double got = mean_weight(plan, ends[i], ends[i + 1]);

		if (fabs(got - want) < 0.01 * want)
			continue;
		printf("# %.0f to %.0f of period %.0f: %.0f for %.0f\n", ends[i],
		       ends[i + 1], plan->period, got, want);
		fair = false;
	}
	return fair;
}

static double mean_rate(const struct stagger_plan *plan)
{
	double sum = 0;

	for (int i = 0; i < DRAWS; i++)
		sum += plan->period /
		       (double)stagger_plan_period(plan, (i + 0.5) / DRAWS);
	return sum / DRAWS;
}

static void try_plans(void)
{
	struct stagger_plan plan;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		plan = stagger_plan_make(cases[i].period, cases[i].max_rate);
		ok(plan.period > 0 && is_fair(&plan),
		   "each part of a task's life has its weight, case %zu", i);
		ok(mean_rate(&plan) < 4, "there are at most four samples a period");
	}
	plan = stagger_plan_make(30000, 100000);
	ok(!(plan.period > 0), "a period that cannot be divided has no plan");
	plan = stagger_plan_make(MS, 10000);
	ok(plan.least >= 200000, "the least period is above the kernel's limit");
}

static struct stagger_generation *begin(struct stagger_book *book, uint32_t owner,
					uint64_t id, uint64_t from_ns)
{
	struct stagger_generation *g = stagger_book_begin(book);

	*vec_push(&g->owners) = owner;
	*vec_push(&g->ids) = (struct stagger_id){ id, 0 };
	g->from_ns = from_ns;
	return g;
}

static void try_heirs(void)
{
	struct stagger_book book = { 0 };
	uint32_t event = 9;

	begin(&book, 10, 100, 1000);
	ok(!stagger_book_fork(&book, 10, 0, 999), "an earlier child is no heir");
	ok(!stagger_book_fork(&book, 11, 0, 1001), "nor is the child of another task");
	ok(stagger_book_fork(&book, 10, 0, 1001) == 1, "an owner's child is an heir");
	ok(stagger_book_fork(&book, 12, 1, 1001) == 1, "so is an heir's child");
	ok(stagger_book_covers(&book, 1, 1500) && !stagger_book_covers(&book, 0, 1500),
	   "only heirs are covered");
	stagger_book_end(&book, 2000);
	begin(&book, 10, 200, 2100);
	ok(!stagger_book_covers(&book, 1, 2000) && stagger_book_covers(&book, 1, 1999),
	   "until their generation ends");
	ok(!stagger_book_fork(&book, 10, 0, 2050), "no heir between generations");
	ok(!stagger_book_fork(&book, 12, 1, 2200),
	   "an heir of the first has no heirs in the second");
	ok(stagger_book_fork(&book, 10, 1, 2200) == 2, "unless it owns the second");
	ok(stagger_book_fork(&book, 10, 0, 1900) == 1,
	   "a late record belongs to the first");
	ok(stagger_book_find(&book, 100, &event)->number == 1 && event == 0,
	   "an event is found by its id");
	ok(!stagger_book_find(&book, 300, &event), "another id is not found");
	for (int i = 0; i < STAGGER_GENERATIONS; i++)
		begin(&book, 10, 300, 3000);
	ok(!stagger_book_covers(&book, 1, 1500) && !stagger_book_find(&book, 100, &event),
	   "old generations are forgotten");
	stagger_book_release(&book);
}

static void try_evidence(void)
{
	struct stagger_book book = { 0 };

	stagger_book_exit(&book, 1000, 2000);
	ok(!book.short_lived, "without random periods no task is short-lived");
	book.plans[1] = stagger_plan_make(MS, 0);
	stagger_book_exit(&book, 1000, 1000 + 25 * MS);
	stagger_book_exit(&book, 0, 2000);
	ok(!book.short_lived, "nor is one that lived long, or at unknown times");
	stagger_book_exit(&book, 1000, 2000);
	ok(book.short_lived == 1, "one that ended after a few periods is");
	for (uint32_t i = 0; i < 3 * STAGGER_PARENTS; i++)
		stagger_book_fork(&book, 100 + i % (2 * STAGGER_PARENTS), 0, 5000 + i);
	for (uint32_t i = 0; i < STAGGER_PARENTS; i++)
		if (book.parents[i].time_ns < 5000 + 2 * STAGGER_PARENTS)
			ok(false, "parent %u is the latest", i);
	ok(true, "the latest parents are kept");
}

/* Once the events of random periods are closed, ordinary samples count again. */
static void try_end(void)
{
	struct stagger_book book = { 0 };

	stagger_book_end(&book, 10);
	stagger_book_begin(&book)->from_ns = 100;
	ok(stagger_book_covers(&book, 1, 2000), "a generation lasts until its end");
	stagger_book_end(&book, 1000);
	stagger_book_end(&book, 5000);
	ok(stagger_book_covers(&book, 1, 999), "the first end counts");
	ok(!stagger_book_covers(&book, 1, 2000), "a second one does not extend it");
	stagger_book_release(&book);
}

int main(void)
{
	try_end();
	try_plans();
	try_heirs();
	try_evidence();
	return done_testing();
}
