/* SPDX-License-Identifier: Apache-2.0 */
/* The events of wakings: they start with the recording, and pause with it. */
#include "sample/evlist.h"
#include "sample/waking.h"

#include "fake_events.h"
#include "tap.h"

static const struct {
	const char *name;
	enum evlist_scope scope;
	bool on_exec, pauses;
	unsigned others; /* events and trackers of a CPU that start with the recording */
	unsigned paused; /* events of a CPU that pause */
} starts[] = {
	{ "a program's tasks", SCOPE_TASK, true, false, 0, 2 },
	{ "a program's tasks, which may pause", SCOPE_TASK, true, true, 0, 2 },
	{ "a running process", SCOPE_TASK, false, false, 2, 2 },
	{ "CPUs", SCOPE_CPU, true, false, 3, 2 },
};

static void test_start(size_t row)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct waking waking = { 0 };
	struct evlist_setup setup = SETUP(STACK_FP, true);
	struct evlist c;
	unsigned before;

	fake_boot();
	fake_ladder(&ladder, 2);
	waking.event = ladder.rungs.data[1].event;
	setup.scope = starts[row].scope;
	setup.on_exec = starts[row].on_exec;
	setup.pauses = starts[row].pauses;
	setup.waking = &waking;
	setup.waking_event = 2;
	ok(!evlist_open(&c, &setup, &err), "%s: opens: %s", starts[row].name,
	   strbuf_str(&err));
	is_u64(c.wakings.len, (size_t)WAKING_KINDS * fake_cpus(), "two events a CPU");
	ok(fake.last.disabled, "which wait for the recording to begin");
	before = fake.enabled;
	is_i64(evlist_start(&c), 0, "it begins");
	is_u64(fake.enabled - before, (starts[row].others + WAKING_KINDS) * fake_cpus(),
	       "and starts them");
	before = fake.disabled;
	is_i64(evlist_pause(&c), 0, "it pauses");
	is_u64(fake.disabled - before, (starts[row].paused + WAKING_KINDS) * fake_cpus(),
	       "and so do they");
	before = fake.enabled;
	is_i64(evlist_resume(&c), 0, "it goes on");
	is_u64(fake.enabled - before, (starts[row].paused + WAKING_KINDS) * fake_cpus(),
	       "and so do they");
	evlist_stop(&c);
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed");
	ladder_release(&ladder);
	strbuf_release(&err);
}

int main(void)
{
	for (size_t row = 0; row < sizeof(starts) / sizeof(starts[0]); row++)
		test_start(row);
	return done_testing();
}
