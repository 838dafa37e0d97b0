/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run in numbers: what header, overview, statistics and JSON say of an experiment,
 * and what a reader should be warned of.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

#include "model/model.h"
#include "base/vec.h"

struct run {
	const struct experiment *exp; /* borrowed */
	uint64_t samples;             /* in the data, whatever the log says */
	double duration_s;
	/* CPU time by the samples, of the event that says it best */
	bool has_cpu;
	double cpu_s;
	const char *cpu_label; /* borrowed */
	/* CPU time by the kernel's account of the target */
	bool has_rusage;
	double rusage_cpu_s;
	VEC(char *) errors, warnings; /* sentences */
	size_t damages; /* so many of the warnings, the first, say what is missing */
};

/* Overwrites OUT, which is the caller's to release. */
void run_read(struct run *out, const struct model *model, size_t source);
void run_release(struct run *run);

/*
 * How many CPUs it kept busy, by the samples, or where none tell of time by the kernel's
 * account; 0: not known.
 */
double run_cpus_busy(const struct run *run);

/* "./a.out -x 'two words'": as a shell would take it.  The caller frees it. */
char *run_command_line(const struct run *run);

/* The same for a reader, who is told of a run without a command what it recorded. */
char *run_subject(const struct run *run);

#endif
