/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of -h, and their events: with a Skylake's names. */
#include <string.h>

#include "forced.h"
#include "tap.h"
#include "base/vec.h"

#define U 1  /* exclude_user */
#define K 2  /* exclude_kernel */
#define H 4  /* exclude_hv */
#define F 8  /* freq */
#define T 16 /* measures_time */
#define C 32 /* clock */
#define A 64 /* addresses */

struct row {
	const char *text;
	const char *name, *label, *raw;
	uint32_t type;
	uint64_t config;
	unsigned precise, flags;
	uint64_t period;
};

static const struct row rows[] = {
	/* aliases and rates */
	{ "cycles", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  2999999 },
	{ "CYCLES", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  2999999 },
	{ "cycles,on", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  2999999 },
	{ "cycles,hi", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  299993 },
	{ "cycles,lo", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  29999989 },
	{ "cycles,1000003", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c,
	  0, T, 1000003 },
	{ "+cycles,1000003", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c,
	  0, T | A, 1000003 },
	{ "+cycles:upp,997 Hz", "cycles.upp", "CPU Cycles (user)",
	  "skl::UNHALTED_CORE_CYCLES:upp", 4, 0x3c, 2, K | H | T | A | F, 997 },
	{ "cycles,", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T,
	  2999999 },
	{ "cycles,997Hz", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0,
	  T | F, 997 },
	{ "cycles,auto", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0,
	  T | F, 997 },
	{ "insts", "insts", "Instructions Executed", "skl::INSTRUCTION_RETIRED", 4, 0xc0,
	  0, 0, 2999999 },

	/* modifiers and attributes */
	{ "cycles:u", "cycles.u", "CPU Cycles (user)", "skl::UNHALTED_CORE_CYCLES:u", 4,
	  0x3c, 0, K | H | T, 2999999 },
	{ "cycles:k", "cycles.k", "CPU Cycles (system)", "skl::UNHALTED_CORE_CYCLES:k", 4,
	  0x3c, 0, U | H | T, 2999999 },
	{ "cycles:uk", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0,
	  H | T, 2999999 },
	{ "cycles:u:k", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0,
	  H | T, 2999999 },
	{ "cycles:pp", "cycles.pp", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES:pp", 4, 0x3c,
	  2, T, 2999999 },
	{ "cycles:upp", "cycles.upp", "CPU Cycles (user)",
	  "skl::UNHALTED_CORE_CYCLES:upp", 4, 0x3c, 2, K | H | T, 2999999 },
	{ "cycles~user=0", "cycles.k", "CPU Cycles (system)",
	  "skl::UNHALTED_CORE_CYCLES:k", 4, 0x3c, 0, U | H | T, 2999999 },
	{ "cycles~system=0/2,lo", "cycles.u", "CPU Cycles (user)",
	  "skl::UNHALTED_CORE_CYCLES:u", 4, 0x3c, 0, K | H | T, 29999989 },
	{ "cycles~user~system", "cycles", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES", 4,
	  0x3c, 0, T, 2999999 },
	{ "cycles~precise=2", "cycles.pp", "CPU Cycles", "skl::UNHALTED_CORE_CYCLES:pp",
	  4, 0x3c, 2, T, 2999999 },
	{ "cycles:uP", "cycles.uP", "CPU Cycles (user)", "skl::UNHALTED_CORE_CYCLES:uP",
	  4, 0x3c, 3, K | H | T, 2999999 },
#if defined(__x86_64__)
	{ "insts~edge=1~inv=1~cmask=0x10", "insts.edge=1.inv=1.cmask=0x10",
	  "Instructions Executed", "skl::INSTRUCTION_RETIRED:edge=1:inv=1:cmask=0x10", 4,
	  0x108400c0, 0, 0, 2999999 },
	{ "cycles~umask=1", "cycles.umask=1", "CPU Cycles",
	  "skl::UNHALTED_CORE_CYCLES:umask=1", 4, 0x13c, 0, 0, 2999999 },
#endif
	{ "ring0", "ring0", "Ring 0 Cycles", "skl::UNHALTED_CORE_CYCLES:k", 4, 0x3c, 0,
	  U | H | T, 2999999 },
	{ "ring123", "ring123", "Ring 1,2,3 Cycles", "skl::UNHALTED_CORE_CYCLES:u", 4,
	  0x3c, 0, K | H | T, 2999999 },
	{ "ring123:pp", "ring123.upp", "Ring 1,2,3 Cycles (user)",
	  "skl::UNHALTED_CORE_CYCLES:upp", 4, 0x3c, 2, K | H | T, 2999999 },

	/* libpfm4's spelling, and Intel's */
	{ "skl::INST_RETIRED:ANY_P:u:precise=2", "INST_RETIRED.ANY_P.upp",
	  "INST_RETIRED:ANY_P (user)", "skl::INST_RETIRED:ANY_P:upp", 4, 0xc0, 2, K | H,
	  1000003 },
	{ "INST_RETIRED:ANY_P,1000003", "INST_RETIRED.ANY_P", "INST_RETIRED:ANY_P",
	  "skl::INST_RETIRED:ANY_P", 4, 0xc0, 0, 0, 1000003 },
	{ "inst_retired.any_p", "INST_RETIRED.ANY_P", "INST_RETIRED:ANY_P",
	  "skl::INST_RETIRED:ANY_P", 4, 0xc0, 0, 0, 1000003 },
	{ "UNHALTED_CORE_CYCLES:k", "UNHALTED_CORE_CYCLES.k",
	  "UNHALTED_CORE_CYCLES (system)", "skl::UNHALTED_CORE_CYCLES:k", 4, 0x3c, 0,
	  U | H | T, 2999999 },
	{ "UNHALTED_CORE_CYCLES:period=5", "UNHALTED_CORE_CYCLES", "UNHALTED_CORE_CYCLES",
	  "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T, 5 },
	{ "UNHALTED_CORE_CYCLES:freq=99", "UNHALTED_CORE_CYCLES", "UNHALTED_CORE_CYCLES",
	  "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T | F, 99 },
	{ "UNHALTED_CORE_CYCLES:freq=99,7", "UNHALTED_CORE_CYCLES",
	  "UNHALTED_CORE_CYCLES", "skl::UNHALTED_CORE_CYCLES", 4, 0x3c, 0, T, 7 },

	/* perf's */
	{ "instructions:u", "instructions.u", "instructions (user)",
	  "PERF_COUNT_HW_INSTRUCTIONS:u", 0, 1, 0, K | H, 1000003 },
	{ "cpu-cycles", "cpu-cycles", "cpu-cycles", "PERF_COUNT_HW_CPU_CYCLES", 0, 0, 0,
	  T, 2999999 },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses", "L1-dcache-load-misses",
	  "L1-dcache-load-misses", 3, 0x10000, 0, 0, 1000003 },
	{ "LLC-stores", "LLC-stores", "LLC-stores", "LLC-stores", 3, 0x102, 0, 0,
	  1000003 },
	{ "r01c2", "r01c2", "r01c2", "r01c2", 4, 0x1c2, 0, 0, 1000003 },
	{ "r3c:u", "r3c.u", "r3c (user)", "r3c:u", 4, 0x3c, 0, K | H | T, 2999999 },
	{ "page-faults", "page-faults", "Page Faults", "PERF_COUNT_SW_PAGE_FAULTS", 1, 2,
	  0, 0, 101 },
	{ "cs,hi", "cs", "Context Switches", "PERF_COUNT_SW_CONTEXT_SWITCHES", 1, 3, 0, 0,
	  1 },
	{ "major-faults", "major-faults", "major-faults", "PERF_COUNT_SW_PAGE_FAULTS_MAJ",
	  1, 6, 0, 0, 1 },
	{ "cpu-clock,1000003", "cpu-clock", "cpu-clock", "PERF_COUNT_SW_CPU_CLOCK", 1, 0,
	  0, T | C, 1000003 },
	{ "task-clock", "task-clock", "task-clock", "PERF_COUNT_SW_TASK_CLOCK", 1, 1, 0,
	  T, 10007000 },
};

static unsigned flags_of(const struct event *e)
{
	return (e->exclude_user ? U : 0) | (e->exclude_kernel ? K : 0) |
	       (e->exclude_hv ? H : 0) | (e->freq ? F : 0) | (e->measures_time ? T : 0) |
	       (e->clock ? C : 0) | (e->addresses ? A : 0);
}

static void row_test(const struct events *events, const struct row *row)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	const struct event *e;

	if (ok(!event_list_parse(events, row->text, &list, &err) && list.len == 1,
	       "%s is one event: %s", row->text, strbuf_str(&err))) {
		e = &list.data[0];
		is_str(e->name, row->name, "%s: name", row->text);
		is_str(e->label, row->label, "%s: label", row->text);
		is_str(e->raw, row->raw, "%s: raw", row->text);
		is_u64(e->type, row->type, "%s: type", row->text);
		is_u64(e->config, row->config, "%s: config", row->text);
		is_u64(e->precise_ip, row->precise, "%s: precise", row->text);
		is_u64(flags_of(e), row->flags, "%s: flags", row->text);
		is_u64(e->period, row->period, "%s: period", row->text);
	}
	event_list_release(&list);
	strbuf_release(&err);
}

/* A comma is followed by a rate or by the next counter. */
static void list_test(const struct events *events, const char *text, const char *want)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 }, got = { 0 };

	ok(!event_list_parse(events, text, &list, &err), "`%s' parses: %s", text,
	   strbuf_str(&err));
	vec_for_each(const struct event, e, &list)
		strbuf_addf(&got, "%s[%s]%llu%s%d ", e->name, e->asked,
			    (unsigned long long)e->period, e->freq ? "Hz/" : "/", e->reg);
	is_str(strbuf_str(&got), want, "`%s'", text);
	strbuf_release(&got);
	strbuf_release(&err);
	event_list_release(&list);
}

static void attr_test(const struct events *events)
{
	struct perf_event_attr attr = { .sample_type = 7,
					.disabled = 1,
					.exclude_idle = 1 };
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	ok(!event_list_parse(events, "cycles:upp,997Hz", &list, &err), "an event");
	event_attr(&list.data[0], &attr);
	is_u64(attr.size, sizeof(attr), "attr: size");
	is_u64(attr.type, PERF_TYPE_RAW, "attr: type");
	is_u64(attr.config, 0x3c, "attr: config");
	is_u64(attr.sample_freq, 997, "attr: frequency");
	ok(attr.freq && attr.exclude_kernel && attr.exclude_hv && !attr.exclude_user,
	   "attr: bits of the event");
	is_u64(attr.precise_ip, 2, "attr: precise");
	ok(attr.sample_type == 7 && attr.disabled && attr.exclude_idle,
	   "attr: what belongs to the collector is left alone");
	event_list_release(&list);
	strbuf_release(&err);
}

static void clock_test(void)
{
	struct perf_event_attr attr = { 0 };
	struct event clock;

	event_clock(10007000, &clock);
	event_attr(&clock, &attr);
	is_str(clock.name, "totalcpu", "the clock's metric");
	is_str(clock.label, "Total CPU Time", "the clock's label");
	is_str(event_unit_name(clock.unit), "ns", "the clock's unit");
	ok(clock.clock && clock.measures_time, "the clock is one");
	is_u64(attr.type, PERF_TYPE_SOFTWARE, "the clock's type");
	is_u64(attr.config, PERF_COUNT_SW_CPU_CLOCK, "the clock's config");
	is_u64(attr.sample_period, 10007000, "the clock's period");
	event_release(&clock);
}

/* Each as its group's number, '<' for a member, its name and period. */
static void group_test(const struct events *events, const char *text, const char *want)
{
	struct event_list list = { 0 };
	struct strbuf err = { 0 }, got = { 0 };

	is_i64(event_list_parse(events, text, &list, &err), 0, "`%s': %s", text,
	       strbuf_str(&err));
	vec_for_each(const struct event, e, &list) {
		struct perf_event_attr attr = { 0 };

		event_attr(e, &attr);
		strbuf_addf(&got, "%u%s%s,%llu ", e->group, e->member ? "<" : " ",
			    e->name, (unsigned long long)attr.sample_period);
	}
	is_str(strbuf_str(&got), want, "`%s' is read", text);
	event_list_release(&list);
	strbuf_release(&err);
	strbuf_release(&got);
}

static const struct {
	const char *text, *want;
} groups[] = {
	{ "{cycles,insts},1000003", "1 cycles,1000003 1<insts,0 " },
	{ "{cycles,insts}", "1 cycles,2999999 1<insts,0 " },
	{ "{cycles,insts},", "1 cycles,2999999 1<insts,0 " },
	{ "{cycles,insts},hi,page-faults,1",
	  "1 cycles,299993 1<insts,0 0 page-faults,1 " },
	{ "brmisp,7,{insts,cycles:u,ref-cycles},11,page-faults",
	  "0 brmisp,7 1 insts,11 1<cycles.u,0 1<ref-cycles,0 0 page-faults,101 " },
	{ "{cycles,insts},5,{branches,brmisp},997Hz",
	  "1 cycles,5 1<insts,0 2 branches,997 2<brmisp,0 " },
	{ "{cycles},7", "0 cycles,7 " },
	{ "{cycles:pp,insts:pp}", "1 cycles.pp,2999999 1<insts.pp,0 " },
};

int main(void)
{
	struct events *events = forced_or_skip("skl");

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		group_test(events, groups[i].text, groups[i].want);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		row_test(events, &rows[i]);

	list_test(events, "cycles,1000003,insts,on",
		  "cycles[cycles]1000003/-1 insts[insts]2999999/-1 ");
	list_test(events, "cycles,,insts",
		  "cycles[cycles]2999999/-1 insts[insts]2999999/-1 ");
	list_test(events, "cycles,+insts,on,+page-faults",
		  "cycles[cycles]2999999/-1 insts[+insts]2999999/-1 "
		  "page-faults[+page-faults]101/-1 ");
	list_test(events, "cycles,insts",
		  "cycles[cycles]2999999/-1 insts[insts]2999999/-1 ");
	list_test(events, "cycles/3,auto,insts~user=1/0,lo,page-faults",
		  "cycles[cycles/3]997Hz/3 insts[insts~user=1/0]29999989/0 "
		  "page-faults[page-faults]101/-1 ");
	list_test(events, "cycles:u,7,cycles:k,11",
		  "cycles.u[cycles:u]7/-1 cycles.k[cycles:k]11/-1 ");
	attr_test(events);
	clock_test();
	events_close(events);
	return done_testing();
}
