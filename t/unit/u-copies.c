/* SPDX-License-Identifier: Apache-2.0 */
/* The size of stack copies, by the samples so far and the room in the rings. */
#include "adapt/copies.h"

#include <errno.h>

#include "fake_events.h"
#include "sample/evlist_unit.h"
#include "sample/sample_attr.h"
#include "tap.h"

/* What a row adds to a recording, and how large copies are then. */
struct copies_row {
	const char *what;
	uint64_t samples, cut;
	uint64_t deeper[STACK_DEPTHS]; /* of them, than 8, 12, 20 and 32 KiB */
	uint32_t bytes;
};

static void record(struct recording *rec, const struct copies_row *row)
{
	rec->samples += row->samples;
	rec->stack.cut += row->cut;
	for (size_t i = 0; i < STACK_DEPTHS; i++)
		rec->stack.deeper[i] += row->deeper[i];
}

#define LARGEST ((64 << 10) - 8)

static const struct copies_row copies_rows[] = {
	{ "too few to tell", 1023, 0, { 0 }, LARGEST },
	{ "two of 1,024 stacks need more", 1, 0, { 2, 2, 2, 0 }, 8 << 10 },
	{ "one is cut", 100, 1, { 1, 1, 1, 1 }, 8 << 10 },
	{ "two of 100 are cut: one step up", 0, 1, { 1 }, 32 << 10 },
	{ "a window of 1,024 is not enough now", 1024, 0, { 0 }, 32 << 10 },
	{ "one of 2,048 is", 1024, 0, { 0 }, 8 << 10 },
	{ "one step up", 100, 2, { 2, 2, 2, 2 }, 32 << 10 },
	{ "and another", 100, 2, { 2, 2, 2, 2 }, LARGEST },
	{ "there is no more", 100, 2, { 2, 2, 2, 2 }, LARGEST },
	{ "32 KiB are enough", 8192, 0, { 4000, 4000, 4000, 8 }, 32 << 10 },
	{ "five of 2,048 are cut", 2048, 5, { 5, 5, 5, 5 }, LARGEST },
	{ "17 of 8,192 need more than 32 KiB", 16384, 0, { 33, 33, 33, 33 }, LARGEST },
	{ "most need 20, few more", 16384, 0, { 16000, 16000, 32, 2 }, 24 << 10 },
	{ "most need 12", 16384, 0, { 16000, 32, 0, 0 }, 16 << 10 },
	{ "from 16 one step leads to the largest", 0, 40, { 40 }, LARGEST },
};

/* Copies begin large, become small where that is enough, and grow where it is not. */
static void test_copies(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_CFI, true);
	struct recording rec = { .stack.unwinder = unwinder_new() };
	struct copies copies;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 1);
	setup.scope = SCOPE_CGROUP;
	setup.stack_bytes = 0;
	ok(!evlist_open(&c, &setup, &err) && !evlist_register(&c, &rec.sources), "opens");
	c.ring_size = 16 * MIB; /* with any number of CPUs */
	c.stack_bytes = LARGEST;
	copies_init(&copies, &c, &rec);
	ok(copies_are_largest(&copies), "they begin large");
	for (size_t i = 0; i < sizeof(copies_rows) / sizeof(*copies_rows); i++) {
		const struct copies_row *row = &copies_rows[i];

		record(&rec, row);
		copies_look(&copies);
		is_u64(evlist_copy_bytes(&c), row->bytes, "%s", row->what);
		is_u64(fake.open, 2 * fake_cpus(), "none is left open");
	}
	fake.ioctl_error = EINVAL;
	record(&rec, &(struct copies_row){ .samples = 1 << 20 });
	copies_look(&copies);
	fake.ioctl_error = 0;
	ok(copies_are_largest(&copies), "after an error they stay as they are");
	evlist_release(&c);
	recording_release(&rec);
	ladder_release(&ladder);
	strbuf_release(&err);
}

/* A ring of RING bytes has room for the samples of 20 ms, or of 16 where they stay so. */
static void test_first_copies(void)
{
	static const struct {
		const char *what;
		enum evlist_scope scope;
		uint64_t period;
		size_t ring;
		uint32_t bytes;
	} firsts[] = {
		{ "a large ring", SCOPE_CGROUP, 100000, 16 * MIB, LARGEST },
		{ "10 kHz in 4 MiB", SCOPE_CGROUP, 100000, 4 * MIB, 20968 },
		{ "1 kHz in 4 MiB", SCOPE_CGROUP, 997000, 4 * MIB, LARGEST },
		{ "10 kHz in 1 MiB", SCOPE_CGROUP, 100000, MIB, 8 << 10 },
		{ "a task at 1 kHz in 512 KiB", SCOPE_TASK, 1000000, MIB / 2, 32 << 10 },
		{ "a task at 100 Hz in 512 KiB", SCOPE_TASK, 10007000, MIB / 2,
		  32 << 10 },
		{ "a task at 10 kHz in 512 KiB", SCOPE_TASK, 100000, MIB / 2, 8 << 10 },
		{ "a task at 1 kHz in 8 MiB", SCOPE_TASK, 1000000, 8 * MIB, 32 << 10 },
	};
	struct ladder ladder;

	fake_boot();
	fake_ladder(&ladder, 1);
	for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++) {
		struct evlist_setup setup = SETUP(STACK_CFI, true);

		ladder.rungs.data[0].event.unit = EVENT_UNIT_NS;
		ladder.rungs.data[0].event.period = firsts[i].period;
		ladder.rungs.data[0].event.freq = false;
		setup.scope = firsts[i].scope;
		setup.stack_bytes = 0;
		is_u64(sample_stack_first(&setup, firsts[i].ring), firsts[i].bytes, "%s",
		       firsts[i].what);
	}
	ladder_release(&ladder);
}

/*
 * Copies become larger by events that take the place of others; one beside them reports
 * tasks all the while.
 */
static void test_larger_copies(void)
{
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup = SETUP(STACK_CFI, true);
	struct recording rec = { 0 };
	struct evlist c;
	uint64_t owed;
	int first;

	fake_boot();
	fake_ladder(&ladder, 2);
	setup.scope = SCOPE_CGROUP;
	setup.stack_bytes = 0;
	setup.vary = true;
	fake.ring_max = 4 * MIB; /* and so a ring of 2 with its first page */
	ok(!evlist_open(&c, &setup, &err), "opens: %s", strbuf_str(&err));
	is_u64(fake.last.sample_stack_user, c.ring_size / 64, "a 64th of the ring");
	ok(!fake.last.mmap && !fake.last.task, "and nothing told of tasks");
	ok(!evlist_register(&c, &rec.sources), "registered");
	fake.counts[0] = 10000000;
	is_u64(evlist_total(&c, 1).value, 10000000 * fake_cpus(), "counts until then");
	is_u64(evlist_larger_copies(&c), c.ring_size / 64, "they cannot grow");
	is_i64(evlist_resize_copies(&c, 8 << 10, &rec.sources), 0, "smaller copies");
	is_u64(fake.last.sample_stack_user, 8 << 10, "are asked for");
	is_u64(evlist_larger_copies(&c), c.ring_size / 64, "they can grow again");
	is_u64(fake.open, 3 * fake_cpus(), "the old are closed");
	is_u64(evlist_total(&c, 1).value, 20000000 * fake_cpus(),
	       "what they counted is kept");
	is_u64(rec.sources.v.len, 2 * 2 * fake_cpus(),
	       "samples of all of them are known");
	is_u64(evlist_source(&c, 0, 1), 2 * fake_cpus() + 1, "the newest of all");
	owed = rec.sources.v.data[evlist_source(&c, 0, 1)].pace.owed * PACE_SAMPLES;
	ok(owed > 470000 && owed < 530000, "whose samples carry half an interval");
	fake.ioctl_error = EINVAL;
	ok(evlist_resize_copies(&c, 32 << 10, &rec.sources) < 0,
	   "a ring that cannot be shared");
	is_u64(fake.open, 3 * fake_cpus(), "leaves them as they were");
	fake.ioctl_error = 0;
	first = c.fds.data[1];
	fake.open_max = (int)fake.open + 1;
	is_i64(evlist_resize_copies(&c, 32 << 10, &rec.sources), -EMFILE,
	       "descriptors for one event of two");
	ok(c.fds.data[1] == first && fake.open == 3 * fake_cpus(), "leave both");
	is_u64(evlist_copy_bytes(&c), 8 << 10, "with the copies that they have");
	fake.open_max = 0;
	evlist_release(&c);
	recording_release(&rec);

	setup.stack_bytes = 16 << 10;
	ok(!evlist_open(&c, &setup, &err) && fake.last.sample_stack_user == 16 << 10,
	   "--stack-size");
	ok(evlist_copies_are_fixed(&c), "is what the user said");
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "all is closed");
	ladder_release(&ladder);
	strbuf_release(&err);
}

int main(void)
{
	test_copies();
	test_first_copies();
	if (fake_cpus() <= 64)
		test_larger_copies();
	else
		skip(1, "so many CPUs have small rings");
	return done_testing();
}
