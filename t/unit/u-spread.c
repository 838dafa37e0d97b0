/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries what compare promises.  Draws runs from the same distributions on both sides,
 * except for some rows, and counts which rows compare calls changed.  The seed is always
 * the same.
 */
#include "compare/spread.h"

#include <math.h>
#include <stdint.h>

#include "compare/significance.h"
#include "random.h"
#include "tap.h"

enum { ROWS = 40, TABLES = 800, CHANGED = 4 };

static uint64_t random_bits = RANDOM_SEED;

static double uniform(void)
{
	return ((double)(random_next(&random_bits) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* A number of samples.  With FACTOR 1, close to Poisson's distribution from ten on. */
static double samples_of(double mean, double factor)
{
	return fmax(0, round(mean + sqrt(factor * mean) * normal()));
}

/* How tables are drawn. */
struct world {
	size_t runs;
	double spread; /* of runs, relative to the amount */
	double own;    /* the rows' spreads differ by up to this factor, up or down */
	double effect; /* factor of the first CHANGED rows; 1: none */
	double even;   /* the samples' variance, relative to Poisson's; 0: equal */
	double tails; /* probability that one of the last four, small rows has six times as much */
};

static struct spread_row draw_row(const struct world *w, size_t index)
{
	bool small = w->tails > 0 && index >= ROWS - 4;
	double base = small ? 7 : 3000 * pow(0.87, (double)index);
	double spread = w->spread * (index % 2 ? w->own : 1 / w->own);
	struct spread_row row = { .typical = true };

	for (size_t side = 0; side < SPREAD_SIDES; side++) {
		double mean = side && index < CHANGED ? base * w->effect : base;
		double sum = 0, squares = 0, n = (double)w->runs;

		for (size_t r = 0; r < w->runs; r++) {
			bool tail = small && uniform() < w->tails;
			double most = mean * exp(spread * normal()) * (tail ? 6 : 1);
			double x = samples_of(most, w->even > 0 ? w->even : 1);

			sum += x;
			squares += x * x;
		}
		row.mean[side] = sum / n;
		row.squares[side] = fmax(0, squares - sum * sum / n);
		row.counted[side] = fmax(1, row.mean[side]);
		row.typical &= row.mean[side] >= 10;
	}
	return row;
}

struct outcome {
	double alarms; /* share of unchanged rows with p below 5 % */
	double wrong;  /* mean share of unchanged rows among those called changed */
	double found;  /* share of changed rows that are called changed */
};

static struct outcome draw_tables(const struct world *w)
{
	size_t changed = w->effect != 1 ? CHANGED : 0;
	struct outcome out = { 0 };

	for (int t = 0; t < TABLES; t++) {
		struct spread spread = { .runs = { w->runs, w->runs } };
		double p[ROWS], q[ROWS], called = 0, wrong = 0;

		for (size_t i = 0; i < ROWS; i++)
			*vec_push(&spread.rows) = draw_row(w, i);
		spread_fit(&spread);
		for (size_t i = 0; i < ROWS; i++)
			p[i] = spread_p(&spread, i);
		false_discovery(p, ROWS, q);
		for (size_t i = 0; i < ROWS; i++) {
			out.alarms += i >= changed && p[i] < 0.05;
			called += q[i] <= 0.05;
			wrong += i >= changed && q[i] <= 0.05;
		}
		out.wrong += called > 0 ? wrong / called : 0;
		out.found += called - wrong;
		spread_release(&spread);
	}
	out.alarms /= (double)(TABLES * (ROWS - changed));
	out.wrong /= TABLES;
	out.found /= TABLES * CHANGED;
	return out;
}

int main(void)
{
	static const struct {
		const char *name;
		struct world world;
		double wrong, found; /* at most, at least */
	} cases[] = {
		{ "only samples vary", { 3, 0, 1, 1 }, 0.06, 0 },
		{ "runs differ by 5 %", { 3, 0.05, 1, 1 }, 0.06, 0 },
		{ "two runs a side", { 2, 0.05, 1, 1 }, 0.06, 0 },
		{ "ten runs a side", { 10, 0.05, 1, 1 }, 0.06, 0 },
		{ "some rows spread nine times as much", { 3, 0.03, 3, 1 }, 0.06, 0 },
		{ "a change of 15 % is found", { 3, 0.02, 1, 1.15 }, 0.06, 0.9 },
		{ "… even if the rows' spreads differ", { 5, 0.03, 2, 1.3 }, 0.06, 0.9 },
		{ "rows with heavy tails", { 5, 0.02, 1, 1, 0, 0.1 }, 0.06, 0 },
		{ "heavy tails, eight runs a side", { 8, 0.02, 1, 1, 0, 0.1 }, 0.06, 0 },
		{ "heavy tails, three runs a side", { 3, 0.02, 1, 1, 0, 0.1 }, 0.06, 0 },
		{ "samples more even than by chance, and heavy tails",
		  { 5, 0, 1, 1, 0.35, 0.1 },
		  0.06,
		  0 },
		{ "even samples show a change of 6 %",
		  { 5, 0, 1, 1.06, 0.35, 0 },
		  0.06,
		  0.9 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct outcome got = draw_tables(&cases[i].world);

		ok(got.alarms <= 0.06, "%s: one test in twenty (%.3f)", cases[i].name,
		   got.alarms);
		ok(got.wrong <= cases[i].wrong, "%s: false alarms (%.3f)", cases[i].name,
		   got.wrong);
		ok(got.found >= cases[i].found, "%s: changes (%.2f)", cases[i].name,
		   got.found);
	}
	return done_testing();
}
