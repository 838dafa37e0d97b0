/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of the log that are known only at the end: how the target ended, each
 * event's count, the number of samples and of lost ones.
 */
#ifndef SUMMARY_FIGURES_H
#define SUMMARY_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/evlist.h"
#include "experiment/log.h"
#include "sample/ladder.h"
#include "recording/recording.h"
#include "adapt/sockets.h"
#include "target/target.h"

struct summary {
	struct exp_log *log;
	const struct ladder *ladder;
	const struct sockets *sockets;
	const struct evlist *evlist;
	const struct recording *rec;
	const struct target *target;
	uint64_t now;       /* CLOCK_MONOTONIC */
	uint64_t stolen_ns; /* by a hypervisor, from all CPUs, since the start */
	uint64_t archived;  /* bytes in the archive */
	bool whole;         /* only the program, from its start to its end */
	bool daemons; /* others ran after the program, and the accounting is of its time */
};

/* All figures except collect's own. */
void summary_figures(const struct summary *c);

/* The resources that collect has used so far. */
void summary_collector(struct exp_log *log);

/* The target's CPU time by the kernel's accounting. */
double summary_rusage_s(const struct exp_log *log);

#endif
