/* SPDX-License-Identifier: Apache-2.0 */
/* Derived metrics: which exist for a recording, and their values by hand. */
#include "model/ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const struct event {
	const char *id, *unit;
	double seconds, scale;
} events[] = {
	{ "cycles", "cycles", 0.5e-9, 1 },
	{ "insts", "events", 0, 2 },
	{ "ref-cycles", "ref-cycles", 1e-9, 1 },
	{ "brmisp", "events", 0, 1 },
	{ "branches", "events", 0, 1 },
	{ "cycles.upp", "cycles", 0.5e-9, 1 },
	{ "INST_RETIRED.ANY_P.u", "events", 0, 1 },
	{ "user", "ns", 1e-9, 1 },
	{ "cache-misses", "events", 0, 1 },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static void add_metrics(struct model *model, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		*vec_push(&model->metrics) = (struct metric){
			.id = strtab_intern(&model->strings, events[i].id),
			.label = strtab_intern(&model->strings, events[i].id),
			.unit = strtab_intern(&model->strings, events[i].unit),
			.clock = events[i].unit[0] == 'n',
			.seconds = events[i].seconds,
			.scale = events[i].scale,
			.total = { 1000000, 1000 },
		};
}

static const struct ratio *find(const struct model *model, const char *id)
{
	vec_for_each(const struct ratio, r, &model->ratios)
		if (!strcmp(model_string(model, r->id), id))
			return r;
	return NULL;
}

/*
 * A value is made of the sums times the scales: insts are counted for half of the time, so
 * they count twice.  Bounds: 100 samples are 81.79 … 121.10, 25 are 16.54 … 36.36 (mid-P),
 * and so a hundred over 25 lies from 1 / exp(√(ln²(100 / 81.79) + ln²(36.36 / 25))) = 0.6537
 * of the quotient to exp(√(ln²(121.10 / 100) + ln²(25 / 16.54))) = 1.5769.
 */
static const struct {
	const char *id;
	struct value top, bottom;
	double want, low, high; /* want < 0: none */
	uint64_t samples;
} values[] = {
	{ "IPC", { 500, 100 }, { 250, 25 }, 4, 4 * 0.6537, 4 * 1.5769, 25 },
	{ "CPI", { 250, 25 }, { 500, 100 }, 0.25, 0.25 / 1.5769, 0.25 / 0.6537, 25 },
	{ "GHz", { 3000, 100 }, { 2000, 25 }, 1.5, 1.5 * 0.6537, 1.5 * 1.5769, 25 },
	{ "clock-ratio",
	  { 3000, 100 },
	  { 2000, 25 },
	  1.5,
	  1.5 * 0.6537,
	  1.5 * 1.5769,
	  25 },
	{ "branch-MPKI", { 100, 100 }, { 25000, 25 }, 2, 2 * 0.6537, 2 * 1.5769, 25 },
	{ "branch-miss-rate", { 100, 100 }, { 1000, 25 }, 10, 6.537, 15.769, 25 },
	{ "IPC.u", { 500, 100 }, { 250, 25 }, 2, 2 * 0.6537, 2 * 1.5769, 25 },
	{ "GHz.u", { 3000, 100 }, { 1000, 25 }, 3, 3 * 0.6537, 3 * 1.5769, 25 },
	/* none above: as if there could be 2.996 samples of what one stands for */
	{ "IPC", { 0, 0 }, { 25000, 25 }, 0, 0, 2 * 2.99573 * 1000 / 16538, 0 },
	{ "IPC", { 500, 100 }, { 0, 0 }, -1, 0, 0, 0 },
	{ "IPC", { 0, 0 }, { 0, 0 }, -1, 0, 0, 0 },
};

static bool near(double a, double b)
{
	return fabs(a - b) <= 0.002 * fabs(b);
}

static void test_values(const struct model *model)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct ratio *r = find(model, values[i].id);
		struct estimate e = { 0 };
		bool there;

		if (!ok(r != NULL, "%s is there", values[i].id))
			continue;
		there = ratio_estimate(model, r, values[i].top, values[i].bottom, &e);
		if (values[i].want < 0) {
			ok(!there, "%s has no value over 0", values[i].id);
			continue;
		}
		ok(there && near(e.amount, values[i].want),
		   "%s of row %zu is %g, by hand %g", values[i].id, i, e.amount,
		   values[i].want);
		ok(near(e.low, values[i].low) && near(e.high, values[i].high) &&
			   e.samples == values[i].samples,
		   "%s of row %zu lies within %g … %g, by hand %g … %g", values[i].id, i,
		   e.low, e.high, values[i].low, values[i].high);
	}
}

static const struct {
	const char *name, *want;
} lacks[] = {
	{ "LLC-miss-rate",
	  "LLC-miss-rate is llc-misses over llc-refs, and the recording "
	  "has no llc-refs; collect -h llc-misses,,llc-refs would record "
	  "both" },
	{ "L2-mpki.u", "L2-MPKI is l2-misses.u over insts.u, and the recording has no "
		       "l2-misses.u; collect -h l2-misses:u,,insts:u would record both" },
	{ "stall-fe-rate.k",
	  "stall-fe-rate is stalled-fe.k over cycles.k, and the recording has neither; "
	  "collect -h stalled-fe:k,,cycles:k would record both" },
};

static void test_lacks(const struct model *model)
{
	struct strbuf err = { 0 };

	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
		strbuf_clear(&err);
		ok(!find(model, lacks[i].name), "there is no %s", lacks[i].name);
		ok(ratio_explain(model, lacks[i].name, &err), "%s could be",
		   lacks[i].name);
		is_str(strbuf_str(&err), lacks[i].want, "the reason names what it lacks");
	}
	strbuf_clear(&err);
	ok(!ratio_explain(model, "IPCs", &err) && !err.len, "IPCs could not be");
	strbuf_release(&err);
}

int main(void)
{
	struct model model, clock;

	model_init(&model);
	add_metrics(&model, 0, EVENTS);
	ratios_find(&model);
	test_values(&model);
	test_lacks(&model);
	ok(model.ratios.len == 10, "nine events have ten ratios, not %zu",
	   model.ratios.len);
	model_init(&clock);
	add_metrics(&clock, 0, 1);
	ratios_find(&clock);
	ok(!clock.ratios.len, "cycles alone have none");
	model_release(&clock);
	model_release(&model);
	return done_testing();
}
