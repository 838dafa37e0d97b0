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
	uint64_t now;         /* CLOCK_MONOTONIC */
	uint64_t own_ns;      /* collect's CPU time so far, before this experiment */
	uint64_t stolen_ns;   /* by a hypervisor, from all CPUs, since the start */
	uint64_t archived;    /* bytes in the archive */
	uint64_t recorded_ns; /* without pauses */
	bool in_parts;        /* that is less than the time since the start */
	bool cut;             /* the data could not all be written */
	bool whole;           /* only the program, from its start to its end */
	bool daemons; /* others ran after the program, and the accounting is of its time */
};

/* All figures except collect's own. */
void summary_figures(const struct summary *c);

/* The CPU time that collect has used so far. */
uint64_t summary_own_ns(void);

/* The resources that collect has used; OWN_NS: the CPU time of it that is not of this log. */
void summary_collector(struct exp_log *log, uint64_t own_ns);

/* Lost records of all kinds, those that the events count too: a ring may hide what it lost. */
uint64_t summary_lost(const struct exp_log *log);

/* The target's CPU time by the kernel's accounting. */
double summary_rusage_s(const struct exp_log *log);

#endif
