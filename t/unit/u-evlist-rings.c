/* SPDX-License-Identifier: Apache-2.0 */
/* Rings that start small and grow: only for events that need it, and only if they can. */
#include "sample/evlist.h"
#include "sample/sample_attr.h"

#include <errno.h>

#include "adapt/ring_growth.h"
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
	is_u64(fake.redirected - redirected, 1, "after the first was opened again");
	is_u64(fake.enabled, 0, "and not started");
	is_u64(sources.v.len, 0, "nor registered");
	ok(fake.maps == maps && !rings.first[c->cpus].page, "and there is no new ring");
	is_u64(fake.open, fake_cpus() * 3, "nor any other descriptor");
	fake.open_max = 0;
	sources_release(&sources);
}

/* The rings of machines: how many CPUs, GiB of memory that is available, samples a second. */
static const struct machine {
	const char *what;
	long cpus;
	unsigned gib, hz;
	enum evlist_scope scope;
	enum stack_mode mode;
	size_t kib;          /* of a ring */
	size_t first_kib;    /* of one to begin with */
	uint32_t first_copy; /* and of a copy */
} machines[] = {
	{ "2 CPUs", 2, 4, 1000, SCOPE_CGROUP, STACK_CFI, 16384, 2048, 65528 },
	{ "4 CPUs", 4, 0, 1000, SCOPE_CGROUP, STACK_CFI, 16384, 2048, 65528 },
	{ "8 CPUs", 8, 256, 1000, SCOPE_CGROUP, STACK_CFI, 8192, 2048, 65528 },
	{ "16 CPUs", 16, 256, 1000, SCOPE_CGROUP, STACK_CFI, 4096, 2048, 65528 },
	{ "64 CPUs", 64, 256, 1000, SCOPE_CGROUP, STACK_CFI, 4096, 1024, 52424 },
	{ "64 CPUs with little memory", 64, 8, 1000, SCOPE_CGROUP, STACK_CFI, 2048, 1024,
	  32768 },
	{ "64 CPUs with memory unknown", 64, 0, 1000, SCOPE_CGROUP, STACK_CFI, 1024, 1024,
	  16384 },
	{ "256 CPUs", 256, 512, 1000, SCOPE_CGROUP, STACK_CFI, 4096, 256, 13104 },
	{ "256 CPUs at 4 kHz", 256, 512, 4000, SCOPE_CGROUP, STACK_CFI, 8192, 256, 8192 },
	{ "256 CPUs with -a", 256, 512, 1000, SCOPE_CPU, STACK_CFI, 4096, 4096, 65528 },
	{ "256 CPUs with 32 GiB", 256, 32, 1000, SCOPE_CPU, STACK_CFI, 2048, 2048,
	  32768 },
	{ "256 CPUs with 2 GiB", 256, 2, 1000, SCOPE_CPU, STACK_CFI, 256, 256, 8192 },
	{ "256 CPUs, copies that cannot change", 256, 512, 1000, SCOPE_TASK, STACK_CFI,
	  512, 512, 32768 },
	{ "256 CPUs without copies", 256, 512, 1000, SCOPE_CPU, STACK_FP, 256, 256, 0 },
};

static void check_machine(const struct machine *machine, const struct evlist *c)
{
	is_u64(c->cpus, (uint64_t)machine->cpus, "%s", machine->what);
	is_u64(c->ring_size >> 10, machine->kib, "%s: size of a ring", machine->what);
	is_u64(c->first_size >> 10, machine->first_kib, "%s: of the first",
	       machine->what);
	is_u64(evlist_copy_bytes(c), machine->first_copy, "%s: and of copies there",
	       machine->what);
	is_u64(evlist_rings_grow(c), machine->first_kib < machine->kib, "%s: rings grow",
	       machine->what);
	if (evlist_rings_grow(c))
		is_u64(evlist_larger_copies(c), evlist_copy_bytes(c),
		       "%s: before copies do", machine->what);
}

static void test_machine(const struct machine *machine, const char *root)
{
	struct sys sys = fake_sys;
	struct strbuf err = { 0 };
	struct ladder ladder;
	struct evlist_setup setup;
	struct evlist c;

	fake_boot();
	fake_ladder(&ladder, 1);
	ladder.rungs.data[0].event.period = 1000000000u / machine->hz;
	fake.cpus_here = machine->cpus;
	setup = SETUP(machine->mode, true);
	setup.scope = machine->scope;
	setup.stack_bytes = 0;
	setup.sys = &sys;
	sys.root = root;
	is_i64(evlist_open(&c, &setup, &err), 0, "%s: %s", machine->what,
	       strbuf_str(&err));
	check_machine(machine, &c);
	evlist_release(&c);
	ok(!fake.open && !fake.maps && !fake.wrong, "%s: everything is closed",
	   machine->what);
	ladder_release(&ladder);
	strbuf_release(&err);
}

static void test_machines(void)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		char *root = scratch_make();
		struct strbuf text = { 0 };

		strbuf_addf(&text, "MemTotal: 1 kB\nMemAvailable: %u kB\n",
			    machines[i].gib << 20);
		scratch_text(root, "proc/self/status", "CapEff:\t0000000000004000\n");
		if (machines[i].gib)
			scratch_text(root, "proc/meminfo", strbuf_str(&text));
		test_machine(&machines[i], root);
		strbuf_release(&text);
		scratch_remove(root);
	}
}

/* A round replaces as many rings as the kernel clears at once. */
static void check_rounds(struct evlist *c, struct evlist_rings rings)
{
	struct recording rec = { 0 };
	struct ring_growth growth = { c, &rec, false };
	const size_t each = rings.first[0].size < c->ring_size ? 16 * MIB / c->ring_size
							       : 1;
	size_t rounds = 0;

	ring_growth_look(&growth, 19000000);
	is_u64(c->grown, 0, "no ring is replaced in the first 20 ms");
	while (evlist_rings_grow(c) && rounds++ < 4096)
		ring_growth_look(&growth, 20000000);
	is_u64(rounds, (fake_cpus() + each - 1) / each, "then 16 MiB of rings a round");
	sources_release(&rec.sources);
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
	ok(sample_ring_first(&setup, 16 * MIB, 16 * MIB) < 16 * MIB,
	   "time needs small rings first");
	ladder.rungs.data[0].event.unit = EVENT_UNIT_EVENTS;
	is_u64(sample_ring_first(&setup, 16 * MIB, 16 * MIB), 16 * MIB,
	       "page faults large ones");
	ladder_release(&ladder);
}

int main(void)
{
	test_bursts();
	test_growth(check_growth);
	test_growth(check_refusal);
	test_growth(check_shortage);
	test_growth(check_rounds);
	test_machines();
	return done_testing();
}
