/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine with many CPUs, without one: what the kernel would write into their rings,
 * with -a and a clock, read by the real loop.
 *
 * Time is virtual: it passes while the reader rests, and by as much as it works.  Each CPU
 * writes a sample each period, with registers and a copy of a real stack, and loses it if
 * its ring is full.  Threads move from CPU to CPU; some CPUs run a process that begins and
 * ends, with all its records.
 *
 * The fake kernel (fake.h) opens the events, so there is only one such machine.
 */
#ifndef MANY_CPUS_H
#define MANY_CPUS_H

#include "fake.h"
#include "loop/loop.h"
#include "self.h"
#include "base/vec.h"

struct many_cpus_setup {
	size_t cpus;
	unsigned hz; /* of each CPU's clock */
	unsigned
		new_each; /* one sample in so many has a new stack, others one of 1,000 */
	/* what the reader takes for a sample; 0: the CPU time that it takes here */
	uint64_t sample_ns;
	uint64_t memory_mib; /* that is available; 0: unknown */
	size_t readers;      /* threads; 0: one */
};

/* A thread; they have the numbers from MANY_CPUS_TID on. */
struct many_cpus_thread {
	uint64_t written; /* samples in a ring */
};

enum { MANY_CPUS_TID = 1000 };

struct many_cpus_cpu;

struct many_cpus {
	struct many_cpus_setup setup;
	struct sys sys;
	struct ladder ladder;
	struct evlist evlist;
	struct recording rec;
	struct sockets sockets;
	struct target target;
	struct loop loop;
	struct self_space space;
	struct self_sample *sample;
	char *dir; /* of the experiment */
	struct many_cpus_cpu *cpus;
	VEC(struct many_cpus_thread) threads;
	uint64_t random;
	uint32_t births;
	/* so far: samples, those that found no room, other records that found none */
	uint64_t samples, lost, lost_others;
	uint64_t reported; /* losses that a record in a ring reports */
	uint64_t rounds;
	/* of the reader: CPU time along its longest way, and the time that really passed */
	uint64_t used_ns, real_ns;
};

/* Opens the events and begins a recording.  Any failure is the harness's: exit 99. */
void many_cpus_init(struct many_cpus *m, const struct many_cpus_setup *setup);

/* So much virtual time passes. */
void many_cpus_run(struct many_cpus *m, uint64_t ns);

/* Reads the rest, and closes the experiment. */
void many_cpus_finish(struct many_cpus *m);

/* What an experiment has. */
struct many_cpus_found {
	uint64_t samples;
	uint64_t late;    /* samples that are older than their thread's one before */
	uint64_t missing; /* … that were written to a ring, and are not there */
	uint64_t nodes;
};

/* After many_cpus_finish. */
void many_cpus_read(const struct many_cpus *m, struct many_cpus_found *found);

/* Removes the experiment too. */
void many_cpus_release(struct many_cpus *m);

#endif
