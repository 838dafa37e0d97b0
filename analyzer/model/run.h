/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run in numbers: for header, overview, statistics and JSON, with warnings for the
 * reader.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/model.h"
#include "base/vec.h"

struct run {
	const struct experiment *exp; /* borrowed */
	bool whole;                   /* run_is_whole */
	uint64_t samples, waits;      /* source_samples; waits are none of them */
	double duration_s;
	double recorded_s; /* of it, without pauses, as far as it could be written */
	/* CPU time by the samples of the best event for it */
	bool has_cpu;
	double cpu_s;
	const char *cpu_label; /* borrowed */
	/* CPU time by the kernel's accounting of the target */
	bool has_rusage;
	double rusage_cpu_s;
	VEC(char *) errors, warnings; /* sentences */
	size_t damages; /* this many of the warnings, the first, report missing data */
};

/* In the data, whatever the log says; waits are no samples. */
uint64_t source_samples(const struct source *source);

/* The part of an event's total that no sample represents, as collect found. */
double source_unsampled(const struct source *source, size_t event);

/* Whether the recording ended in order, and all of it is there. */
bool run_is_whole(const struct source *source);

/* Overwrites OUT, which the caller releases. */
void run_read(struct run *out, const struct model *model, size_t source);
void run_release(struct run *run);

/* "; recorded for 1.234 s of it, in 3 parts"; nothing: it was recorded all the time. */
void run_put_pauses(const struct run *run, struct strbuf *out);

/* "17 samples", "17 samples and 1 wait" */
void run_put_samples(const struct run *run, struct strbuf *out);

/* The same and what was lost, below that heading: "17, 0 lost" */
void run_put_yield(const struct run *run, struct strbuf *out);

/*
 * How many CPUs it kept busy, while it was recorded, by the samples or, if none measure time, by the kernel's
 * accounting; 0: unknown.
 */
double run_cpus_busy(const struct run *run);

/* "./a.out -x 'two words'": in shell syntax.  The caller frees it. */
char *run_command_line(const struct run *run);

/* The same for a reader; for a run without a command, what it recorded. */
char *run_subject(const struct run *run);

#endif
