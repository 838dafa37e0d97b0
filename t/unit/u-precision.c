/* SPDX-License-Identifier: Apache-2.0 */
/* The precision of samples on kernels that offer more or less of it. */
#include <errno.h>
#include <string.h>

#include "fake.h"
#include "sample/ladder.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

/* The precision that opens: as requested, by default, or the most possible. */
static const struct precise {
	const char *what, *cap; /* caps/max_precise of the PMU; NULL: it has none */
	enum event_precision precision;
	unsigned asked, most; /* precise_ip: requested, and the most that opens */
	bool strict;
	int error;
	unsigned want, tried;
	const char *raw, *note;
	bool arm; /* its driver accepts precision that it does not have */
} precises[] = {
	{ "requested and available", NULL, EVENT_PRECISION_FIXED, 2, 3, false, 0, 2, 2,
	  "RAW:pp", NULL },
	{ "more requested than available", NULL, EVENT_PRECISION_FIXED, 3, 1, false, 0, 1,
	  3, "RAW:p", "cycles is available here only with constant skid" },
	{ "none is available", NULL, EVENT_PRECISION_FIXED, 1, 0, false, 0, 0, 1, "RAW",
	  "only with arbitrary skid" },
	{ "strict refuses less", NULL, EVENT_PRECISION_FIXED, 3, 1, true, -EOPNOTSUPP, 0,
	  0, NULL, "without --strict collect takes that" },
	{ "the most possible", NULL, EVENT_PRECISION_MOST, 3, 2, true, 0, 2, 3, "RAW:pp",
	  NULL },
	{ "a CPU that reports two", "2\n", EVENT_PRECISION_DEFAULT, 0, 3, false, 0, 2, 2,
	  "RAW:pp", NULL },
	{ "one that reports three", "3\n", EVENT_PRECISION_DEFAULT, 0, 3, false, 0, 2, 2,
	  "RAW:pp", NULL },
	{ "one that reports three but has none", "3\n", EVENT_PRECISION_DEFAULT, 0, 0,
	  true, 0, 0, 2, "RAW", NULL },
	{ "one that reports none", "0\n", EVENT_PRECISION_DEFAULT, 0, 3, false, 0, 0, 0,
	  "RAW", NULL },
	{ "one without a report", NULL, EVENT_PRECISION_DEFAULT, 0, 3, false, 0, 0, 0,
	  "RAW", NULL },
	{ "explicitly none", "3\n", EVENT_PRECISION_FIXED, 0, 3, false, 0, 0, 0, "RAW",
	  NULL },
	{ "a driver that ignores it", NULL, EVENT_PRECISION_FIXED, 3, 3, false, 0, 0, 3,
	  "RAW:u", "only with arbitrary skid", true },
	{ "the most possible with that driver", NULL, EVENT_PRECISION_MOST, 3, 3, false,
	  0, 0, 3, "RAW:u", NULL, true },
};

static struct event cycles(const struct precise *p)
{
	return (struct event){
		.asked = xstrdup("cycles"),
		.name = xstrdup("cycles"),
		.label = xstrdup("CPU Cycles"),
		.raw = xstrdup(p->arm ? "RAW:uppp" : "RAW"),
		.exclude_kernel = p->arm,
		.exclude_hv = p->arm,
		.unit = EVENT_UNIT_CYCLES,
		.type = PERF_TYPE_RAW,
		.config = 0x3c,
		.period = 2000000,
		.measures_time = true,
		.precise_ip = p->asked,
		.precision = p->precision,
	};
}

static void test_precise(const struct precise *p)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct ladder ladder;
	const struct rung *r;
	struct sys sys = fake_sys;
	char *root = scratch_make();

	fake_boot();
	sys.root = root;
	if (!p->arm)
		scratch_text(root, "sys/bus/event_source/devices/cpu/type", "4\n");
	if (p->cap)
		scratch_text(root, "sys/bus/event_source/devices/cpu/caps/max_precise",
			     p->cap);
	fake.precise_max = p->most;
	*vec_push(&list) = cycles(p);
	is_i64(ladder_climb(&ladder, &sys, &list, 2e9, p->strict, &err), p->error, "%s",
	       p->what);
	r = &ladder.rungs.data[0];
	if (p->error) {
		ok(strstr(strbuf_str(&err), p->note), "%s: %s", p->what,
		   strbuf_str(&err));
	} else {
		is_u64(r->event.precise_ip, p->want, "%s: opened", p->what);
		is_u64(r->precise_asked, p->tried, "%s: tried first", p->what);
		is_str(r->event.raw, p->raw, "%s: its real name", p->what);
		ok(p->note ? r->precision_note && strstr(r->precision_note, p->note)
			   : !r->precision_note,
		   "%s: %s", p->what, r->precision_note ? r->precision_note : "quiet");
		ok(!r->event.clock && !r->reason, "%s: a counter", p->what);
	}
	ladder_release(&ladder);
	event_list_release(&list);
	strbuf_release(&err);
	scratch_remove(root);
}

/* The kernel's own events have no skid, except its clocks. */
static void test_skid(void)
{
	struct event faults = { .type = PERF_TYPE_SOFTWARE };
	struct event point = { .type = PERF_TYPE_TRACEPOINT };
	struct event clock = { .type = PERF_TYPE_SOFTWARE, .unit = EVENT_UNIT_NS };
	struct event precise = { .type = PERF_TYPE_RAW, .precise_ip = 3 };

	is_str(event_skid(&faults), "at the event itself", "page faults");
	is_str(event_skid(&point), "at the event itself", "a tracepoint");
	is_str(event_skid(&clock), "arbitrary skid", "the clock");
	is_str(event_skid(&precise), "no skid", "the most precise");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(precises) / sizeof(precises[0]); i++)
		test_precise(&precises[i]);
	test_skid();
	return done_testing();
}
