/* SPDX-License-Identifier: Apache-2.0 */
/* Rings that start small and grow: only for events that need it, and only if they can. */
#include "sample/evlist.h"
#include "sample/sample_attr.h"

#include <errno.h>

#include "fake_events.h"
#include "scratch.h"
#include "tap.h"

static void check_growth(struct evlist *c, struct evlist_rings rings)
{
	struct sources sources = { 0 };
	size_t small = 0, large = 0, maps = fake.maps;

	is_u64(maps, fake_cpus(), "each CPU has a ring");
	ok(rings.first[0].size < c->ring_size, "of %zu bytes, not %zu",
	   rings.first[0].size, c->ring_size);
	while (evlist_has_small_rings(c) && large++ < 4096)
		if (evlist_grow_ring(c, &sources))
			break;
	is_u64(large, fake_cpus(), "one after another");
	ok(!evlist_has_small_rings(c) && fake.maps == 2 * maps, "gets a second one");
	large = 0;
	for (size_t i = 0; i < rings.count; i++) {
		small += rings.first[i].size == rings.first[0].size;
		large += rings.first[i].size == c->ring_size;
	}
	ok(small == fake_cpus() && large == fake_cpus(),
	   "of the full size; the first ones can still be read");
	is_u64(fake.open, fake_cpus() * 3, "all events are open, and the trackers");
	sources_release(&sources);
}

/* Large rings are refused: copies must not ask more of the small ones than they hold. */
static void check_refusal(struct evlist *c, struct evlist_rings rings)
{
	struct sources sources = { 0 };
	size_t small = rings.first[0].size;

	fake.ring_max = c->ring_size;
	ok(evlist_grow_ring(c, &sources) < 0, "a larger ring is refused");
	ok(evlist_has_small_rings(c), "the small ones stay");
	ok(evlist_copy_bytes(c) <= small / 64, "a ring holds 64 copies");
	is_u64(evlist_larger_copies(c), evlist_copy_bytes(c), "copies do not grow");
	is_u64(fake.open, fake_cpus() * 3, "all events are open, and the trackers");
	sources_release(&sources);
}

/* There are descriptors for the new ring, but not for all of its events. */
static void check_shortage(struct evlist *c, struct evlist_rings rings)
{
	struct sources sources = { 0 };
	unsigned maps = fake.maps, redirected = fake.redirected;
	int tracker = evlist_ring_fd(c, 0), first = c->fds.data[1];

	fake.open_max = (int)fake.open + 2;
	c->stack_bytes = 8 << 10; /* which need not become smaller */
	is_i64(evlist_grow_ring(c, &sources), -EMFILE, "too few descriptors");
	ok(evlist_ring_fd(c, 0) == tracker && c->fds.data[1] == first,
	   "leave all events as they were");
	is_u64(fake.redirected - redirected, 1, "after the first had been opened again");
	is_u64(fake.enabled, 0, "and not started");
	is_u64(sources.v.len, 0, "nor registered");
	ok(fake.maps == maps && !rings.first[c->cpus].page, "and there is no new ring");
	is_u64(fake.open, fake_cpus() * 3, "nor any other descriptor");
	fake.open_max = 0;
	sources_release(&sources);
}

/* A user who may lock memory starts with small rings; large ones replace them. */
static void test_growth(void (*check)(struct evlist *c, struct evlist_rings rings))
{
	struct ladder ladder;
	struct strbuf err = { 0 };
	struct evlist_setup setup;
	struct evlist_rings rings;
	struct evlist c;
	struct sys sys = fake_sys;
	char *root = scratch_make();

	fake_boot();
	fake_ladder(&ladder, 2);
	setup = SETUP(STACK_CFI, true);
	setup.scope = SCOPE_CGROUP;
	setup.stack_bytes = 0;
	setup.sys = &sys;
	sys.root = root;
	scratch_text(root, "proc/self/status", "CapEff:\t0000000000004000\n");
	is_i64(evlist_open(&c, &setup, &err), 0, "events of CPUs open: %s",
	       strbuf_str(&err));
	rings = evlist_rings(&c);
	if (fake_ring_size(16 * MIB) <= 2 * MIB)
		skip(5, "with so many CPUs all rings are small");
	else
		check(&c, rings);
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "everything is closed, once");
	ladder_release(&ladder);
	strbuf_release(&err);
	scratch_remove(root);
}

/* Events that come in bursts would overflow small rings. */
static void test_bursts(void)
{
	struct evlist_setup setup;
	struct ladder ladder;

	fake_boot();
	fake_ladder(&ladder, 1);
	setup = SETUP(STACK_CFI, true);
	setup.scope = SCOPE_CGROUP;
	setup.stack_bytes = 0;
	ok(sample_ring_first(&setup, 16 * MIB) < 16 * MIB,
	   "time needs small rings first");
	ladder.rungs.data[0].event.unit = EVENT_UNIT_EVENTS;
	is_u64(sample_ring_first(&setup, 16 * MIB), 16 * MIB, "page faults large ones");
	ladder_release(&ladder);
}

int main(void)
{
	test_bursts();
	test_growth(check_growth);
	test_growth(check_refusal);
	test_growth(check_shortage);
	return done_testing();
}
