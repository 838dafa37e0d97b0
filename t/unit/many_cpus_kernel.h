/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel of such a machine (many_cpus.h) writes into the ring of a CPU. */
#ifndef MANY_CPUS_KERNEL_H
#define MANY_CPUS_KERNEL_H

#include "many_cpus.h"

enum { MANY_CPUS_GROUP = 4 }; /* threads of a process */

/* One CPU: its next sample, and the ring that it writes. */
struct many_cpus_cpu {
	uint32_t number;
	uint64_t next_ns;
	uint64_t slot;     /* of next_ns */
	uint32_t pid, tid; /* that runs in it */
	uint64_t lost;     /* records, which the next one has to report */
	struct ring *ring;
};

/* Writes the samples of CPU up to UNTIL, and the records of what begins and ends there. */
void many_cpus_work(struct many_cpus *m, struct many_cpus_cpu *cpu, uint64_t until);

#endif
