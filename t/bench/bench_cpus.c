/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_cpus CPUS HZ MS [NEW-EACH [READERS]]: the rings of CPUS that take HZ samples each, for
 * MS of virtual time, which passes by the reader's CPU time; of several READERS, by that of the
 * one that takes longest.  One sample in NEW-EACH (10) has a new stack.  Prints one line: CPUS
 * HZ, KiB of a ring, bytes of a copy at the end, samples, those lost, rounds, that CPU time in
 * seconds, samples out of order or missing, nodes, the time that really passed while reading.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "many_cpus.h"

enum { MIB_EACH = 4096 }; /* of memory, for each CPU */

static unsigned long number(const char *text)
{
	return strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	struct many_cpus_setup setup = { .new_each = 10 };
	struct many_cpus_found found;
	static struct many_cpus m; /* too large for a stack that is to be copied */

	if (argc < 4 || !unwind_arch_host()) {
		fprintf(stderr, "usage: bench_cpus CPUS HZ MS [NEW-EACH [READERS]]\n");
		return 2;
	}
	setup.cpus = number(argv[1]);
	setup.memory_mib = setup.cpus * MIB_EACH;
	setup.hz = (unsigned)number(argv[2]);
	if (argc > 4)
		setup.new_each = (unsigned)number(argv[4]);
	if (argc > 5)
		setup.readers = number(argv[5]);
	many_cpus_init(&m, &setup);
	many_cpus_run(&m, number(argv[3]) * 1000000u);
	many_cpus_finish(&m);
	many_cpus_read(&m, &found);
	printf("%zu %u %zu %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.3f %" PRIu64
	       " %" PRIu64 " %.3f\n",
	       setup.cpus, setup.hz, m.evlist.ring_size >> 10,
	       evlist_copy_bytes(&m.evlist), m.samples, m.lost, m.rounds,
	       (double)m.used_ns * 1e-9, found.late + found.missing, found.nodes,
	       (double)m.real_ns * 1e-9);
	many_cpus_release(&m);
	return 0;
}
