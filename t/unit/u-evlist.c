/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens events on every CPU of a kernel that refuses some: nothing leaks, and the message
 * names the remedy.
 */
#include "sample/evlist.h"
#include "sample/sample_attr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake_events.h"
#include "adapt/fp_trial.h"
#include "tap.h"

static const struct row {
	const char *what;
	size_t events;
	int counter_error, one_error, open_max, ioctl_error;
	size_t ring_max;
	int error;
	size_t ring;          /* the size obtained */
	const char *sentence; /* a part of it */
} rows[] = {
	{ "all works", .events = 2, .ring = 16 * MIB },
	{ "one event", .events = 1, .ring = 16 * MIB },
	{ "a small limit on locked memory", .events = 2, .ring_max = MIB / 2,
	  .ring = MIB / 4 },
	{ "a limit that just fits the smallest ring", .events = 1, .ring_max = MIB / 8,
	  .ring = MIB / 16 },
	{ "a limit that is too small", .events = 1, .ring_max = MIB / 32, .error = -EPERM,
	  .sentence = "sudo sysctl kernel.perf_event_mlock_kb=68" },
	{ "a counter that is busy", .events = 2, .counter_error = EBUSY, .error = -EBUSY,
	  .sentence = "cannot be counted on CPU 0: another user holds" },
	{ "a CPU that goes offline between two events", .events = 2, .one_error = ENODEV,
	  .error = -ENODEV, .sentence = "cannot be counted on CPU 0" },
	{ "too many files", .events = 3, .open_max = 2, .error = -EMFILE,
	  .sentence = "the limit on open files is too low: 3 events on " },
	{ "rings that cannot be shared", .events = 2, .ioctl_error = EINVAL,
	  .error = -EINVAL, .sentence = "cannot share a ring" },
};

static void check_open(const struct row *row, const struct evlist *c)
{
	is_u64(c->ring_size, fake_ring_size(row->ring), "%s: size of the rings",
	       row->what);
	is_u64(c->cpus, fake_cpus(), "%s: CPUs", row->what);
	is_u64(fake.open, fake_cpus() * row->events, "%s: open events", row->what);
	is_u64(fake.maps, fake_cpus(), "%s: a ring for each CPU", row->what);
	is_u64(fake.redirected, fake_cpus() * (row->events - 1),
	       "%s: the CPU's events share it", row->what);
	evlist_stop(c);
	is_u64(fake.disabled, fake_cpus() * row->events, "%s: stopped events", row->what);
}

static void test_rows(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];
		struct strbuf err = { 0 };
		struct ladder ladder;
		struct evlist c;

		fake_boot();
		fake.counter_error = row->counter_error;
		fake.one_error = row->one_error;
		fake.open_max = row->open_max;
		fake.ioctl_error = row->ioctl_error;
		fake.ring_max = row->ring_max;
		fake_ladder(&ladder, row->events);
		is_i64(evlist_open(&c, &SETUP(STACK_FP, true), &err), row->error, "%s",
		       row->what);
		if (row->error)
			ok(strstr(strbuf_str(&err), row->sentence) &&
				   !strstr(strbuf_str(&err), "no CPU"),
			   "%s: %s", row->what, strbuf_str(&err));
		else
			check_open(row, &c);
		evlist_release(&c);
		ok(!fake.open && !fake.maps && !fake.wrong,
		   "%s: everything is closed, once", row->what);
		evlist_release(&c);
		ok(!fake.wrong, "%s: a second release does nothing", row->what);
		ladder_release(&ladder);
		strbuf_release(&err);
	}
}

/* An offline CPU is left out; a machine with no other CPU is an error. */
static void test_offline(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist c;
	int error;

	fake_boot();
	fake.offline_cpu = 0;
	fake_ladder(&ladder, 2);
	error = evlist_open(&c, &SETUP(STACK_FP, true), &err);
	is_i64(error, fake_cpus() > 1 ? 0 : -ENODEV, "CPU 0 is offline: %s",
	       strbuf_str(&err));
	if (!error) {
		is_u64(c.cpus, fake_cpus() - 1, "the others are recorded");
		is_u64(fake.open, 2 * (fake_cpus() - 1), "with all events");
	}
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	strbuf_clear(&err);

	fake_boot();
	fake.any_error = ENODEV;
	is_i64(evlist_open(&c, &SETUP(STACK_FP, true), &err), -ENODEV,
	       "no CPU is online");
	ok(strstr(strbuf_str(&err), "no CPU"), "%s", strbuf_str(&err));
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* The requests to the kernel by mode, by kernel, and with -F off. */
static void test_attrs(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 1);
	ok(!evlist_open(&c, &SETUP(STACK_CFI, true), &err), "cfi opens");
	ok(fake.last.sample_stack_user == 8192 && fake.last.sample_regs_user &&
		   fake.last.exclude_callchain_user &&
		   (fake.last.sample_type & PERF_SAMPLE_STACK_USER),
	   "cfi: a copy of the stack, and only the kernel's chain");
	ok(fake.last.disabled && fake.last.enable_on_exec && fake.last.inherit &&
		   !fake.last.inherit_thread && fake.last.sample_id_all,
	   "it starts with the program and follows its children");
	ok(fake.last.mmap2 && fake.last.build_id && fake.last.comm_exec && fake.last.task,
	   "it reports tasks and mappings");
	is_u64(fake.last.wakeup_watermark, c.ring_size / 2,
	       "it wakes us when the ring is half full");
	evlist_release(&c);

	ok(!evlist_open(&c, &SETUP(STACK_LBR, true), &err), "lbr opens");
	ok(fake.last.sample_type & PERF_SAMPLE_BRANCH_STACK &&
		   fake.last.branch_sample_type ==
			   (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK),
	   "lbr: calls of user code that have not returned");
	evlist_release(&c);

	ladder.features = 0;
	ok(!evlist_open(&c, &SETUP(STACK_OFF, false), &err), "off opens");
	ok(!fake.last.sample_stack_user &&
		   !(fake.last.sample_type & PERF_SAMPLE_CALLCHAIN),
	   "off: no stack");
	ok(!fake.last.build_id && !fake.last.inherit_thread,
	   "an old kernel is not asked for unknown features");
	evlist_release(&c);
	ladder.features = ATTR_INHERIT_THREAD;
	ok(!evlist_open(&c, &SETUP(STACK_FP, false), &err) && fake.last.inherit_thread,
	   "-F off: threads, not processes");
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* Events of CPUs count every task, and are started explicitly. */
static void test_cpu_scope(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_FP, true);
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 2);
	ok(evlist_may_see_all(&fake_sys, &ladder), "a kernel that allows events of CPUs");
	is_u64(fake.open, 0, "the probe leaves nothing open");
	fake.any_error = EACCES;
	ok(!evlist_may_see_all(&fake_sys, &ladder), "a kernel that does not");
	fake.any_error = 0;
	ok(evlist_may_see_group(&fake_sys, &ladder, 5) && fake.last_pid == 5,
	   "a group with counters");
	fake.cgroup_error = ENOENT;
	ok(!evlist_may_see_group(&fake_sys, &ladder, 5), "a group without counters");
	setup.scope = SCOPE_CPU;
	ok(!evlist_open(&c, &setup, &err), "events of CPUs open: %s", strbuf_str(&err));
	ok(fake.last_pid == -1 && !fake.last.inherit && !fake.last.enable_on_exec,
	   "they do not depend on the target");
	ok(!fake.last.exclude_idle, "a counter also counts the idle task");
	is_i64(evlist_start_trackers(&c), 0, "the trackers start");
	is_u64(fake.enabled, fake_cpus(), "and nothing else");
	is_i64(evlist_start(&c), 0, "the events start");
	is_u64(fake.enabled, fake_cpus() + 3 * fake_cpus(), "all of them");
	fake.counts[1] = fake.counts[2] = 500;
	is_u64(evlist_total(&c, 0).enabled_ns, 500 * fake_cpus(),
	       "the enabled times of CPUs are summed");
	fake.counts[4] = 3;
	is_u64(evlist_total(&c, 0).lost, 3 * fake_cpus(), "the CPUs' losses are summed");
	is_u64(evlist_trackers_lost(&c), 3 * fake_cpus(), "so are the trackers' losses");
	ok(evlist_tells_lost_samples(&c), "so all other losses are samples");
	evlist_release(&c);

	ladder.rungs.data[1].event.type = PERF_TYPE_SOFTWARE;
	ok(!evlist_open(&c, &setup, &err) && fake.last.exclude_idle,
	   "a clock leaves the idle task out");
	evlist_release(&c);

	setup.scope = SCOPE_TASK;
	ok(!evlist_open(&c, &setup, &err) && fake.last_pid == 77,
	   "events of a task depend on the target");
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* On request the kernel follows frame pointers as well. */
static void test_chains(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_CFI, true);
	struct recording rec = { 0 };
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 1);
	setup.scope = SCOPE_CGROUP;
	ok(!evlist_open(&c, &setup, &err) && !evlist_register(&c, &rec.sources), "opens");
	ok(fake.last.exclude_callchain_user, "no frame pointers first");
	ok(evlist_may_ask_chains(&c), "they can be requested");
	ok(!evlist_ask_chains(&c, true, &rec.sources) &&
		   !fake.last.exclude_callchain_user,
	   "the kernel follows them");
	is_u64(fake.last.sample_stack_user, 8192, "the copy keeps its size");
	ok(!evlist_ask_chains(&c, false, &rec.sources) &&
		   fake.last.exclude_callchain_user,
	   "and stops on request");
	is_u64(fake.open, 2 * fake_cpus(), "no event is left open");
	evlist_release(&c);
	recording_release(&rec);
	setup.scope = SCOPE_TASK;
	ok(!evlist_open(&c, &setup, &err) && !evlist_may_ask_chains(&c),
	   "events of a task do not offer it");
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* When the kernel begins to follow frame pointers, and whether it continues. */
static void test_trial(void)
{
	ok(!fp_trial_is_wanted(0, 0) && !fp_trial_is_wanted(3, 3),
	   "too few ends: no trial");
	ok(fp_trial_is_wanted(4, 400) && !fp_trial_is_wanted(4, 401),
	   "a trial: one in a hundred");
	ok(fp_trial_is_worth(11, 1024) && !fp_trial_is_worth(10, 1024),
	   "and it continues above one in a hundred");
}

/* A CPU may refuse an event that a task may have, so the remedy differs from a task's. */
static void test_refused_scope(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_FP, true);
	struct evlist c;

	fake_boot();
	fake.counter_error = EACCES;
	fake_ladder(&ladder, 1);
	setup.scope = SCOPE_CPU;
	is_i64(evlist_open(&c, &setup, &err), -EACCES, "this user may not count on CPUs");
	ok(strstr(strbuf_str(&err), "with --scope cpu: ") &&
		   strstr(strbuf_str(&err), "kernel.perf_event_paranoid=0"),
	   "%s", strbuf_str(&err));
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* -P NAME of processes that come and go. */
static void test_ended_first(void)
{
	const pid_t tasks[] = { 78, 79, 77 };
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_FP, true);
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 2);
	setup.tasks = tasks;
	setup.ntasks = 3;
	fake.task_error = ESRCH;
	is_i64(evlist_open(&c, &setup, &err), 0, "the first two of three tasks ended");
	is_u64(fake.open, 2 * fake_cpus(), "the third one's events are open");
	is_str(strbuf_str(&err), "", "without a word");
	evlist_release(&c);
	setup.ntasks = 2;
	is_i64(evlist_open(&c, &setup, &err), -ESRCH, "all ended");
	is_str(strbuf_str(&err), "process 79 has ended", "is an error");
	evlist_release(&c);
	is_u64(fake.open, 0, "and leaves nothing open");
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* Another task's events write to the rings of the first: on all CPUs, or on none. */
static void test_more_tasks(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_FP, true);
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 2);
	setup.on_exec = false;
	ok(!evlist_open(&c, &setup, &err) && !fake.last.enable_on_exec, "one task");
	fake.task_error = ESRCH;
	is_i64(evlist_add_task(&c, &setup, 78, &err), -ESRCH, "a task that has ended");
	is_u64(fake.open, 2 * fake_cpus(), "leaves nothing open");
	fake.task_error = 0;
	fake.one_error = EBUSY;
	is_i64(evlist_add_task(&c, &setup, 78, &err), -EBUSY, "a task that is refused");
	is_u64(fake.open, 2 * fake_cpus(), "leaves nothing open either");
	fake.one_error = 0;
	fake.redirected = 0;
	is_i64(evlist_add_task(&c, &setup, 78, &err), 0, "a second task");
	ok(fake.open == 4 * fake_cpus() && fake.maps == fake_cpus(), "has no rings");
	is_u64(fake.redirected, 2 * fake_cpus(), "but writes to the first one's");
	is_i64(evlist_start(&c), 0, "they start");
	is_u64(fake.enabled, 4 * fake_cpus(), "all of them");
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* Each CPU reports the whole enabled time, and a part of the value and running time. */
static void test_total(void)
{
	struct strbuf err = { 0 };
	struct evlist_total total;
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 2);
	if (evlist_open(&c, &SETUP(STACK_FP, true), &err))
		exit(99);
	fake.counts[0] = 1000;
	fake.counts[1] = 500 * fake_cpus();
	fake.counts[2] = 500;
	total = evlist_total(&c, 1);
	is_u64(total.value, 1000 * fake_cpus(), "values are summed");
	is_u64(total.running_ns, 500 * fake_cpus(), "so are running times");
	is_u64(total.enabled_ns, 500 * fake_cpus(), "enabled time is one CPU's");
	fake.counts[2] = 510;
	total = evlist_total(&c, 1);
	is_u64(total.enabled_ns, 500 * fake_cpus(),
	       "even if running times add up to a little more");
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* Two kinds of core: the first CPU is of the second kind, the others of the first. */
static void hybrid_ladder(struct ladder *ladder)
{
	fake_ladder(ladder, 3);
	for (unsigned part = 0; part < 2; part++) {
		struct event *e = &ladder->rungs.data[part].event;

		e->type = PERF_TYPE_HARDWARE;
		e->config = (uint64_t)(part + 1) << 32;
		e->part = part;
	}
}

static void test_hybrid(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake.cores[0] = ~UINT64_C(1); /* CPU 0 begins with the second event */
	fake.cores[1] = 1;
	hybrid_ladder(&ladder);
	ok(evlist_may_see_all(&fake_sys, &ladder), "events of CPUs are allowed");
	fake.opened = 0;
	is_i64(evlist_open(&c, &SETUP(STACK_FP, true), &err), 0, "opens: %s",
	       strbuf_str(&err));
	is_u64(fake.open, 3 * fake_cpus(),
	       "each CPU has one of the parts, the other event, and a tracker");
	is_u64(fake.tellers, fake_cpus(), "one event of each CPU reports tasks");
	is_u64(fake.maps, fake_cpus(), "each CPU has a ring");
	is_u64(fake.redirected, 2 * fake_cpus(), "the CPU's events share it");
	ok(c.fds.data[1] == EVLIST_NOT_HERE && c.fds.data[2] != EVLIST_NOT_HERE,
	   "the second part counts on the first CPU");
	ok(c.fds.data[5] != EVLIST_NOT_HERE && c.fds.data[6] == EVLIST_NOT_HERE,
	   "the first part on the next");
	fake.counts[0] = 1000;
	is_u64(evlist_total(&c, 0).value, 1000 * (fake_cpus() - 1),
	       "the first part's count");
	is_u64(evlist_total(&c, 1).value, 1000, "the second part's");
	is_i64(evlist_start(&c), 0, "all start");
	evlist_stop(&c);
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "all is closed, once");
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* No CPU is of that kind of core. */
static void test_nowhere(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake.cores[0] = UINT64_C(1) << 63;
	hybrid_ladder(&ladder);
	is_i64(evlist_open(&c, &SETUP(STACK_FP, true), &err), -ENOENT, "no CPU has it");
	ok(strstr(strbuf_str(&err), "cannot be counted"), "%s", strbuf_str(&err));
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "all is closed, once");
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* The kernel would write a task's final counts to other CPUs' rings, which have one writer. */
static void test_ends(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 2);
	ok(!evlist_open(&c, &SETUP(STACK_FP, true), &err) && fake.last.inherit &&
		   !fake.last.inherit_stat,
	   "children inherit events, whose final counts are not reported");
	evlist_release(&c);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* {0,1,2},3: samples of the first have the counts of 1 and 2; the last is alone. */
static void test_group(void)
{
	struct strbuf err = { 0 };
	struct evlist_total total;
	struct evlist_setup setup;
	struct ladder ladder;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 4);
	setup = SETUP(STACK_FP, true);
	for (size_t i = 0; i < 3; i++) {
		ladder.rungs.data[i].event.group = 1;
		ladder.rungs.data[i].event.member = i > 0;
		ladder.rungs.data[i].event.precise_ip = 2;
	}
	ladder.rungs.data[3].event.type = PERF_TYPE_SOFTWARE;
	ok(!evlist_open(&c, &setup, &err), "a group opens: %s", strbuf_str(&err));
	is_u64(fake.grouped, 2 * fake_cpus(), "two members on each CPU");
	ok(fake.leader.config == 0 && fake.leader.sample_period == 1000000 &&
		   fake.leader.disabled && fake.leader.enable_on_exec,
	   "the leader samples from the program's start");
	ok(fake.leader.sample_type & PERF_SAMPLE_READ &&
		   fake.leader.read_format & PERF_FORMAT_GROUP &&
		   fake.leader.read_format & PERF_FORMAT_ID,
	   "each sample has all counts");
	ok(fake.leader.inherit, "it follows children");
	ok(!(fake.last.sample_type & PERF_SAMPLE_READ) &&
		   !(fake.last.read_format & PERF_FORMAT_GROUP),
	   "an event outside the group does neither");
	fake.counts[0] = 7;
	fake.counts[1] = 400;
	fake.counts[2] = 100;
	fake.counts[4] = 2;
	for (size_t i = 0; i < 4; i++) {
		total = evlist_total(&c, i);
		ok(total.value == 7 * fake_cpus() &&
			   total.running_ns == 100 * fake_cpus() &&
			   total.lost == 2 * fake_cpus(),
		   "the count of event %zu is found", i);
	}
	evlist_release(&c);

	ladder.rungs.len = 3;
	setup.scope = SCOPE_CPU;
	ok(!evlist_open(&c, &setup, &err), "a group of CPUs' events opens");
	ok(!fake.last.disabled && !fake.last.sample_period && !fake.last.precise_ip &&
		   !fake.last.enable_on_exec && !fake.last.inherit,
	   "a member follows the leader and does not sample");
	evlist_release(&c);
	fake.group_max = 2;
	is_i64(evlist_open(&c, &setup, &err), -EINVAL,
	       "a group that exceeds the counters");
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	ladder.rungs.len = 4;
	ladder_release(&ladder);
	strbuf_release(&err);
}

static void samples(struct recording *rec, uint64_t id, unsigned count)
{
	struct record r = { .type = PERF_RECORD_SAMPLE,
			    .at = { .pid = 77, .tid = 77, .time = 50, .id = id },
			    .sample = { .period = 1000000 } };

	for (unsigned i = 0; i < count; i++)
		recording_take_record(rec, &r);
}

static bool is_varied(uint64_t interval)
{
	uint64_t off = interval > 1000000 ? interval - 1000000 : 1000000 - interval;

	return off >= 19000 && off <= 44000;
}

/* Opens a recording's events as SETUP says; ID becomes the id of the first. */
static void vary_begin(struct evlist *c, const struct evlist_setup *setup,
		       struct recording *rec, struct strbuf *err, uint64_t *id)
{
	ok(!evlist_open(c, setup, err), "open to be varied: %s", strbuf_str(err));
	/* nothing is written: the recording takes no time */
	*rec = (struct recording){ .everyone = true };
	recording_expect(rec, (uint32_t)c->events);
	ok(!evlist_register(c, &rec->sources), "registered");
	*id = (uint64_t)evlist_ring_fd(c, 0); /* the fake's ids are its descriptors */
}

static void test_vary(void)
{
	struct strbuf err = { 0 };
	struct evlist_setup setup;
	struct recording rec;
	struct ladder ladder;
	struct evlist c;
	uint64_t id, first;

	fake_boot();
	fake_ladder(&ladder, 3);
	ladder.rungs.data[1].event.freq = true;
	ladder.rungs.data[2].event.type = PERF_TYPE_SOFTWARE;
	ladder.rungs.data[2].event.config = PERF_COUNT_SW_PAGE_FAULTS;
	ladder.rungs.data[2].event.unit = EVENT_UNIT_EVENTS;
	setup = SETUP(STACK_OFF, true);
	setup.vary = true;
	vary_begin(&c, &setup, &rec, &err, &id);
	is_u64(fake.varied, fake_cpus(),
	       "each CPU gets an interval; rates and the kernel's own counts none");
	ok(is_varied(fake.interval), "2 to 4.4 %% off: %llu",
	   (unsigned long long)fake.interval);
	samples(&rec, id, 99);
	evlist_vary(&c, &rec.sources);
	is_u64(fake.varied, fake_cpus(), "99 samples are too few");
	samples(&rec, id, 1);
	first = fake.interval;
	evlist_vary(&c, &rec.sources);
	is_u64(fake.varied, fake_cpus() + 1, "after a hundred there is a new interval");
	ok(is_varied(fake.interval) && fake.interval != first, "a different one");
	samples(&rec, id, 100);
	fake.interval_error = EINVAL;
	evlist_vary(&c, &rec.sources);
	is_u64(rec.sources.v.data[0].pace.now, fake.interval,
	       "a refused interval changes nothing");
	is_u64(rec.sources.v.data[0].pace.owed, 0, "and owes nothing");
	recording_release(&rec);
	evlist_release(&c);

	fake_boot();
	setup.vary = false;
	vary_begin(&c, &setup, &rec, &err, &id);
	samples(&rec, id, 200);
	evlist_vary(&c, &rec.sources);
	is_u64(fake.varied, 0, "without jitter the interval stays");
	recording_release(&rec);
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	ladder_release(&ladder);
	strbuf_release(&err);
}

int main(void)
{
	test_rows();
	test_offline();
	test_attrs();
	test_cpu_scope();
	test_ended_first();
	test_more_tasks();
	test_total();
	test_chains();
	test_trial();
	test_refused_scope();
	if (fake_cpus() > 1)
		test_hybrid();
	else
		skip(12, "one CPU");
	test_nowhere();
	test_ends();
	test_group();
	test_vary();
	return done_testing();
}
