/* SPDX-License-Identifier: Apache-2.0 */
/* The rings of up to 256 CPUs, through the loop into an experiment, and back. */
#include "many_cpus.h"

#include "tap.h"
#include "unwind/regs.h"

#define MS 1000000u

static const struct row {
	const char *what;
	size_t cpus;
	uint64_t sample_ns; /* that the reader takes */
	uint64_t ms;
	size_t readers;
	bool loses;
} rows[] = {
	{ "1 CPU", 1, 1000, 200, 1, false },
	{ "4 CPUs", 4, 1000, 200, 1, false },
	{ "256 CPUs", 256, 1000, 60, 1, false },
	{ "256 CPUs, and a reader that takes a fifth of their samples", 256, 20000, 200,
	  1, true },
	{ "256 CPUs, three readers", 256, 1000, 60, 3, false },
	{ "256 CPUs, three readers that take a fifth", 256, 20000, 200, 3, true },
};

static void check(const struct row *row, const struct many_cpus *m)
{
	struct many_cpus_found found;

	many_cpus_read(m, &found);
	ok(m->samples >= row->cpus * (row->ms - 1), "%s: %llu samples", row->what,
	   (unsigned long long)m->samples);
	ok((m->lost > 0) == row->loses, "%s: %llu lost", row->what,
	   (unsigned long long)m->lost);
	is_u64(found.samples, m->samples - m->lost, "%s: all others are there",
	       row->what);
	is_u64(found.missing, 0, "%s: of each thread", row->what);
	is_u64(found.late, 0, "%s: in the order in which it took them", row->what);
	is_u64(m->rec.lost, m->reported, "%s: losses are counted", row->what);
	ok(m->reported <= m->lost + m->lost_others && (m->reported > 0) == row->loses,
	   "%s: as the rings report them", row->what);
	is_u64(m->rec.bad, 0, "%s: every record can be read", row->what);
}

/* They found most stacks: all but those of new processes, and of rounds with few samples. */
static void check_readers(const struct row *row, const struct many_cpus *m)
{
	const struct ahead_stats did = readers_stats(&m->loop.readers);

	is_u64(did.readers, row->readers > 1 ? row->readers : 0, "%s: so many threads",
	       row->what);
	if (row->readers > 1)
		ok(did.found * 2 > m->rec.samples && did.looked_at <= m->rec.samples,
		   "%s: found the stacks of %llu of %llu samples ahead", row->what,
		   (unsigned long long)did.found, (unsigned long long)m->rec.samples);
}

/* A stack's frames are this program's, to its root. */
static void check_stacks(const struct row *row, const struct many_cpus *m)
{
	is_u64(m->rec.stack.ends[EXP_END_ROOT], m->rec.samples,
	       "%s: all stacks are whole", row->what);
}

int main(void)
{
	if (!unwind_arch_host())
		skip_all("stacks of this machine cannot be unwound");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct many_cpus_setup setup = {
			.cpus = rows[i].cpus,
			.hz = 1000,
			.new_each = 10,
			.sample_ns = rows[i].sample_ns,
			.readers = rows[i].readers,
		};
		static struct many_cpus
			m; /* too large for a stack that is to be copied */

		many_cpus_init(&m, &setup);
		many_cpus_run(&m, rows[i].ms * MS);
		many_cpus_finish(&m);
		check(&rows[i], &m);
		check_readers(&rows[i], &m);
		if (!rows[i].loses)
			check_stacks(&rows[i], &m);
		many_cpus_release(&m);
		ok(!fake.open && !fake.maps && !fake.wrong, "%s: all is closed",
		   rows[i].what);
	}
	return done_testing();
}
