/* SPDX-License-Identifier: Apache-2.0 */
/* What each event becomes if the kernel refuses it: the rung, the reason, the remedy. */
#include "sample/ladder.h"
#include "sample/sample_attr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "sample/refusal.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define PARANOID "proc/sys/kernel/perf_event_paranoid"

/* A machine as /proc and /sys show it. */
struct machine {
	const char *paranoid; /* NULL: no such file */
	bool pmu, guest;
};

static struct sys boot(const struct machine *m, char **root)
{
	struct sys sys = fake_sys;

	fake_boot();
	*root = scratch_make();
	sys.root = *root;
	if (m->paranoid)
		scratch_text(*root, PARANOID, m->paranoid);
	if (m->pmu)
		scratch_text(*root, "sys/bus/event_source/devices/cpu/type", "4\n");
	scratch_text(*root, "sys/bus/event_source/devices/software/type", "1\n");
	scratch_text(*root, "proc/cpuinfo",
		     m->guest ? "flags\t\t: fpu hypervisor\n" : "flags\t\t: fpu\n");
	return sys;
}

static struct event counter(const char *name, bool measures_time)
{
	return (struct event){
		.asked = xstrdup(name),
		.name = xstrdup(name),
		.label = xstrdup("CPU Cycles"),
		.raw = xstrdup("RAW"),
		.unit = measures_time ? EVENT_UNIT_CYCLES : EVENT_UNIT_EVENTS,
		.type = PERF_TYPE_RAW,
		.config = 0x3c,
		.period = 2000000,
		.measures_time = measures_time,
	};
}

/* ---- one event, each refusal ---- */

static const struct climb {
	const char *what;
	struct machine machine;
	int counter_error, clock_error, kernel_error;
	bool time, strict;
	int error;
	const char *name; /* of the opened event */
	bool kernel;
	const char *reason; /* a part of the reason or the error; NULL: none */
} climbs[] = {
	{ "all works",
	  { "1\n", true, false },
	  .time = true,
	  .name = "cycles",
	  .kernel = true },
	{ "paranoid 2",
	  { "2\n", true, false },
	  .kernel_error = EACCES,
	  .time = true,
	  .name = "cycles" },
	{ "a machine without counters",
	  { "1\n", false, false },
	  .counter_error = ENOENT,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "the kernel knows no hardware counters of this machine" },
	{ "a virtual machine",
	  { "1\n", false, true },
	  .counter_error = ENOENT,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "virtual machine has no hardware counters; its host can" },
	{ "a virtual machine at paranoid 2",
	  { "2\n", false, true },
	  .counter_error = ENOENT,
	  .kernel_error = EACCES,
	  .time = true,
	  .name = "user",
	  .reason = "virtual machine" },
	{ "no such event on this CPU",
	  { "1\n", true, false },
	  .counter_error = ENOENT,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "this CPU does not have that event" },
	{ "the same with EOPNOTSUPP",
	  { "1\n", true, false },
	  .counter_error = EOPNOTSUPP,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "this CPU does not have that event" },
	{ "a wrong encoding",
	  { "1\n", true, false },
	  .counter_error = EINVAL,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "rejects this encoding" },
	{ "the same without a PMU",
	  { "1\n", false, false },
	  .counter_error = EINVAL,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "no counter of this machine supports it" },
	{ "another user holds the counters",
	  { "1\n", true, false },
	  .counter_error = EBUSY,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "nmi_watchdog" },
	{ "a seccomp filter for counters",
	  { "1\n", true, false },
	  .counter_error = EPERM,
	  .time = true,
	  .name = "totalcpu",
	  .kernel = true,
	  .reason = "seccomp" },
	{ "an event that does not mean time",
	  { "1\n", false, true },
	  .counter_error = ENOENT,
	  .error = -ENOENT,
	  .reason = "misses cannot be counted: this virtual machine" },
	{ "strict",
	  { "1\n", false, true },
	  .counter_error = ENOENT,
	  .time = true,
	  .strict = true,
	  .error = -ENOENT,
	  .reason = "without --strict the clock replaces it" },
	{ "paranoid 3",
	  { "3\n", true, false },
	  .counter_error = EACCES,
	  .clock_error = EACCES,
	  .time = true,
	  .error = -EACCES,
	  .reason = "sudo sysctl kernel.perf_event_paranoid=2" },
	{ "paranoid 4",
	  { "4\n", true, false },
	  .counter_error = EACCES,
	  .clock_error = EACCES,
	  .time = true,
	  .error = -EACCES,
	  .reason = "kernel.perf_event_paranoid is 4, which forbids it" },
	{ "paranoid 2 and EACCES",
	  { "2\n", true, false },
	  .counter_error = EACCES,
	  .clock_error = EACCES,
	  .time = true,
	  .error = -EACCES,
	  .reason = "sudo sysctl kernel.perf_event_paranoid=1" },
	{ "paranoid -1 and EPERM",
	  { "-1\n", true, false },
	  .counter_error = EPERM,
	  .clock_error = EPERM,
	  .time = true,
	  .error = -EPERM,
	  .reason = "a container's seccomp filter?" },
	{ "no /proc and EPERM",
	  { NULL, true, false },
	  .counter_error = EPERM,
	  .clock_error = EPERM,
	  .time = true,
	  .error = -EPERM,
	  .reason = "a container's seccomp filter?" },
	{ "a kernel without perf",
	  { NULL, false, false },
	  .counter_error = ENOSYS,
	  .clock_error = ENOSYS,
	  .time = true,
	  .error = -ENOSYS,
	  .reason = "CONFIG_PERF_EVENTS" },
	{ "too many files",
	  { "1\n", true, false },
	  .counter_error = EMFILE,
	  .clock_error = EMFILE,
	  .time = true,
	  .error = -EMFILE,
	  .reason = "ulimit -n" },
};

static void check_climb(const struct climb *c, const struct ladder *ladder)
{
	const struct rung *r = &ladder->rungs.data[0];
	bool fell = strcmp(c->name, "cycles") != 0;

	is_str(r->event.name, c->name, "%s: the opened event", c->what);
	is_str(r->event.asked, "cycles", "%s: the requested event", c->what);
	ok(r->kernel == c->kernel && r->event.exclude_kernel == !c->kernel,
	   "%s: with the kernel or not", c->what);
	ok(!ladder->kernel_note == c->kernel, "%s: a note says so", c->what);
	ok(c->reason ? r->reason && strstr(r->reason, c->reason) : !r->reason,
	   "%s: because %s", c->what, r->reason ? r->reason : "nothing");
	ok(r->event.clock == fell, "%s: a clock or not", c->what);
	if (!fell)
		is_str(r->event.raw, c->kernel ? "RAW" : "RAW:u", "%s: its real name",
		       c->what);
	/* 2,000,000 cycles at 2 GHz are a millisecond */
	is_u64(r->event.period, fell ? 1000000 : 2000000, "%s: period", c->what);
}

static void test_climbs(void)
{
	for (size_t i = 0; i < COUNT(climbs); i++) {
		const struct climb *c = &climbs[i];
		struct event_list list = { 0 };
		struct ladder ladder;
		struct strbuf err = { 0 };
		char *root;
		struct sys sys = boot(&c->machine, &root);

		fake.counter_error = c->counter_error;
		fake.clock_error = c->clock_error;
		fake.kernel_error = c->kernel_error;
		*vec_push(&list) = counter(c->time ? "cycles" : "misses", c->time);
		if (is_i64(ladder_climb(&ladder, &sys, &list, 2e9, c->strict, &err),
			   c->error, "%s", c->what) &&
		    !c->error)
			check_climb(c, &ladder);
		else
			ok(c->reason && strstr(strbuf_str(&err), c->reason), "%s: %s",
			   c->what, strbuf_str(&err));
		ok(!fake.open && !fake.wrong, "%s: nothing stays open", c->what);
		ladder_release(&ladder);
		event_list_release(&list);
		strbuf_release(&err);
		scratch_remove(root);
	}
}

/* ---- features, privilege levels, several events ---- */

static void climb(struct ladder *ladder, const struct sys *sys, struct event_list *list)
{
	struct strbuf err = { 0 };

	ok(!ladder_climb(ladder, sys, list, 0, false, &err), "climbs: %s",
	   strbuf_str(&err));
	strbuf_release(&err);
	event_list_release(list);
	*list = (struct event_list){ 0 };
}

#define ALL_FEATURES                                                                     \
	((unsigned)(ATTR_BUILD_ID | ATTR_INHERIT_THREAD | ATTR_LOST | ATTR_WEIGHTS |     \
		    ATTR_INHERIT_READ | ATTR_CGROUP))

static void test_features(void)
{
	static const struct {
		bool no_build_id, no_inherit_thread, no_lost, no_weights, no_inherit_read,
			no_cgroup;
		unsigned want;
	} kernels[] = {
		{ false, false, false, false, false, false, ALL_FEATURES },
		{ true, false, false, false, false, false,
		  ALL_FEATURES & ~ATTR_BUILD_ID },
		{ false, true, false, false, false, false,
		  ALL_FEATURES & ~ATTR_INHERIT_THREAD },
		{ false, false, true, false, false, false, ALL_FEATURES & ~ATTR_LOST },
		{ false, false, false, true, false, false, ALL_FEATURES & ~ATTR_WEIGHTS },
		{ false, false, false, false, true, false,
		  ALL_FEATURES & ~ATTR_INHERIT_READ },
		{ false, false, false, false, false, true, ALL_FEATURES & ~ATTR_CGROUP },
		{ true, true, true, true, true, true, 0 },
	};
	const struct machine m = { "1\n", true, false };

	for (size_t i = 0; i < COUNT(kernels); i++) {
		struct event_list list = { 0 };
		struct ladder ladder;
		char *root;
		struct sys sys = boot(&m, &root);

		fake.no_build_id = kernels[i].no_build_id;
		fake.no_inherit_thread = kernels[i].no_inherit_thread;
		fake.no_lost = kernels[i].no_lost;
		fake.no_weights = kernels[i].no_weights;
		fake.no_inherit_read = kernels[i].no_inherit_read;
		fake.no_cgroup = kernels[i].no_cgroup;
		*vec_push(&list) = counter("cycles", true);
		climb(&ladder, &sys, &list);
		is_u64(ladder.features, kernels[i].want, "the features of kernel %zu", i);
		ok(!ladder.rungs.data[0].event.clock, "kernel %zu counts cycles", i);
		ladder_release(&ladder);
		scratch_remove(root);
	}
}

/* Events that occur only in the kernel cannot leave it out. */
static void test_kernel_alone(void)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		int error;
	} events[] = {
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, -EACCES },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, -EACCES },
		{ PERF_TYPE_TRACEPOINT, 316, -EACCES },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0 },
		{ PERF_TYPE_RAW, PERF_COUNT_SW_CONTEXT_SWITCHES, 0 },
	};
	const struct machine m = { "2\n", true, false };

	for (size_t i = 0; i < COUNT(events); i++) {
		struct event_list list = { 0 };
		struct strbuf err = { 0 };
		struct ladder ladder;
		char *root;
		struct sys sys = boot(&m, &root);

		fake.kernel_error = EACCES;
		*vec_push(&list) = counter("event", false);
		list.data[0].type = events[i].type;
		list.data[0].config = events[i].config;
		is_i64(ladder_climb(&ladder, &sys, &list, 0, false, &err),
		       events[i].error, "type %u, config %llu: %s", events[i].type,
		       (unsigned long long)events[i].config, strbuf_str(&err));
		ladder_release(&ladder);
		event_list_release(&list);
		strbuf_release(&err);
		scratch_remove(root);
	}
}

/* If one event requests addresses of data, all samples have them. */
static void test_addresses(void)
{
	const struct machine m = { "1\n", true, false };
	struct event_list list = { 0 };
	struct ladder ladder;
	char *root;
	struct sys sys = boot(&m, &root);

	*vec_push(&list) = counter("cycles", true);
	climb(&ladder, &sys, &list);
	is_u64(ladder_sample_type(&ladder), 0, "no event requests addresses");
	ladder_release(&ladder);

	*vec_push(&list) = counter("cycles", true);
	*vec_push(&list) = counter("loads", false);
	list.data[1].addresses = true;
	climb(&ladder, &sys, &list);
	is_u64(ladder_sample_type(&ladder),
	       PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT_STRUCT,
	       "one event does");
	is_u64(fake.last.sample_type, ladder_sample_type(&ladder),
	       "the trial includes them");
	ladder_release(&ladder);
	scratch_remove(root);
}

/* Kernel cycles are refused if the kernel may not be sampled. */
static void test_ring0(void)
{
	const struct machine m = { "2\n", true, false };
	struct event_list list = { 0 };
	struct ladder ladder;
	struct strbuf err = { 0 };
	char *root;
	struct sys sys = boot(&m, &root);

	fake.kernel_error = EACCES;
	*vec_push(&list) = counter("ring0", true);
	list.data[0].exclude_user = true;
	is_i64(ladder_climb(&ladder, &sys, &list, 0, false, &err), -EACCES,
	       "ring0 at paranoid 2");
	ok(strstr(strbuf_str(&err), "kernel.perf_event_paranoid=1"), "%s",
	   strbuf_str(&err));
	ladder_release(&ladder);
	strbuf_release(&err);

	fake.kernel_error = 0;
	fake.counter_error = ENOENT;
	climb(&ladder, &sys, &list);
	is_str(ladder.rungs.data[0].event.name, "system", "its clock is the kernel's");
	ladder_release(&ladder);
	scratch_remove(root);
}

/* -p hi -h cycles,ring123 without counters: one clock for the first two. */
static void test_two_clocks(void)
{
	const struct machine m = { "1\n", false, true };
	struct event_list list = { 0 };
	struct ladder ladder;
	char *root;
	struct sys sys = boot(&m, &root);

	fake.counter_error = ENOENT;
	event_clock(997000, vec_push(&list));
	*vec_push(&list) = counter("cycles", true);
	*vec_push(&list) = counter("ring123", true);
	list.data[2].exclude_kernel = true;
	climb(&ladder, &sys, &list);
	if (is_u64(ladder.rungs.len, 2, "one clock stands for two, the other differs")) {
		const struct rung *both = &ladder.rungs.data[0];

		ok(strstr(both->event.asked, ",cycles"), "asked: %s", both->event.asked);
		ok(both->reason && strstr(both->reason, "virtual machine"),
		   "the reason for the clock is kept");
		is_str(ladder.rungs.data[1].event.name, "user", "ring123");
	}
	is_u64(fake.open, 0, "nothing stays open");
	ladder_release(&ladder);
	scratch_remove(root);
}

/* The clock's period for that of a counter, within the clock's limits. */
static void test_clock_periods(void)
{
	static const struct {
		const char *what;
		bool freq;
		uint64_t period;
		double hz;
		uint64_t want;
	} rows[] = {
		{ "cycles at 3 GHz", false, 3000000, 3e9, 1000000 },
		{ "4000 a second", true, 4000, 3e9, 250000 },
		{ "at an unknown rate", false, 3000000, 0, 997000 },
		{ "far too often", false, 3, 3e9, 50000 },
		{ "almost never", false, UINT64_MAX, 1e9, 1000000000000 },
	};
	const struct machine m = { "1\n", false, false };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct event_list list = { 0 };
		struct ladder ladder;
		struct strbuf err = { 0 };
		char *root;
		struct sys sys = boot(&m, &root);

		fake.counter_error = ENOENT;
		*vec_push(&list) = counter("cycles", true);
		list.data[0].freq = rows[i].freq;
		list.data[0].period = rows[i].period;
		ok(!ladder_climb(&ladder, &sys, &list, rows[i].hz, false, &err), "%s: %s",
		   rows[i].what, strbuf_str(&err));
		is_u64(ladder.rungs.data[0].event.period, rows[i].want, "%s: ns",
		       rows[i].what);
		ladder_release(&ladder);
		event_list_release(&list);
		strbuf_release(&err);
		scratch_remove(root);
	}
}

static void test_probe(void)
{
	const struct machine m = { "2\n", true, false };
	struct strbuf why = { 0 };
	char *root;
	struct sys sys = boot(&m, &root);

	is_i64(ladder_probe_counters(&sys, &why), 0, "usable counters");
	is_str(strbuf_str(&why), "", "nothing to explain");
	fake.kernel_error = EACCES;
	is_i64(ladder_probe_counters(&sys, NULL), 0, "without the kernel too");
	fake.counter_error = EACCES;
	is_i64(ladder_probe_counters(&sys, NULL), -EACCES, "none, without a reason");
	is_i64(ladder_probe_counters(&sys, &why), -EACCES, "none, with a reason");
	ok(strstr(strbuf_str(&why), "perf_event_paranoid"), "%s", strbuf_str(&why));
	is_u64(fake.open, 0, "nothing stays open");
	strbuf_release(&why);
	scratch_remove(root);
}

/* For collect -w: switches with their stacks, and major page faults with two addresses. */
static void test_waits(void)
{
	const struct machine m = { "1\n", true, false };
	const uint64_t every = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	struct record_format common = sample_format(STACK_CFI), own;
	struct event_list list = { 0 };
	struct strbuf err = { 0 };
	struct ladder ladder;
	char *root;
	struct sys sys = boot(&m, &root);

	*vec_push(&list) = counter("cycles", false);
	climb(&ladder, &sys, &list);
	ok(ladder_add_switches(&ladder, &sys, &err), "switches are there");
	ladder_add_faults(&ladder, &sys);
	if (is_u64(ladder.rungs.len, 3, "… and faults")) {
		const struct rung *rung = &ladder.rungs.data[2];

		ok(rung->waits && rung->event.exclude_kernel, "of the program alone");
		is_u64(rung->event.period, 1, "each of them");
		own = sample_event_format(&ladder.rungs.data[1].event, &common);
		ok(own.sample_type & PERF_SAMPLE_STACK_USER, "switches have stacks");
		own = sample_event_format(&rung->event, &common);
		is_u64(own.sample_type, every | PERF_SAMPLE_ADDR, "faults have none");
		is_u64(own.regs_user, 0, "… nor registers");
	}
	ladder_release(&ladder);
	strbuf_release(&err);
	scratch_remove(root);
}

/* The user's own events of that kind, with the modes that they count. */
static void test_waits_beside(void)
{
	static const struct {
		uint64_t config;
		bool exclude_user, exclude_kernel;
		size_t rungs;
	} cases[] = {
		{ PERF_COUNT_SW_PAGE_FAULTS_MIN, false, false, 3 },
		{ PERF_COUNT_SW_CONTEXT_SWITCHES, false, false, 2 },
		{ PERF_COUNT_SW_CONTEXT_SWITCHES, true, false, 2 },
		{ PERF_COUNT_SW_CONTEXT_SWITCHES, false, true, 3 },
		{ PERF_COUNT_SW_PAGE_FAULTS_MAJ, false, false, 2 },
		{ PERF_COUNT_SW_PAGE_FAULTS_MAJ, false, true, 2 },
		{ PERF_COUNT_SW_PAGE_FAULTS_MAJ, true, false, 3 },
	};
	const struct machine m = { "1\n", true, false };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct event_list list = { 0 };
		struct strbuf err = { 0 };
		struct ladder ladder;
		char *root;
		struct sys sys = boot(&m, &root);

		*vec_push(&list) = counter("event", false);
		list.data[0].type = PERF_TYPE_SOFTWARE;
		list.data[0].config = cases[i].config;
		list.data[0].exclude_user = cases[i].exclude_user;
		list.data[0].exclude_kernel = cases[i].exclude_kernel;
		climb(&ladder, &sys, &list);
		ok(ladder_add_switches(&ladder, &sys, &err), "beside event %zu", i);
		ladder_add_faults(&ladder, &sys);
		is_u64(ladder.rungs.len, cases[i].rungs, "… none is opened twice");
		ladder_release(&ladder);
		strbuf_release(&err);
		scratch_remove(root);
	}
}

int main(void)
{
	test_waits();
	test_waits_beside();
	test_climbs();
	test_features();
	test_addresses();
	test_kernel_alone();
	test_ring0();
	test_two_clocks();
	test_clock_periods();
	test_probe();
	return done_testing();
}
