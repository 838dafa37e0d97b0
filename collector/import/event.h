/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes and weighs the samples of one event of a perf.data file.
 *
 * perf's own rules apply: a sample without a period weighs the event's, and one with the
 * counters of its group (-e '{…}:S') is a sample of each member, weighing the growth of
 * its counter since it was last seen.
 */
#ifndef IMPORT_EVENT_H
#define IMPORT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "import/perf_attr.h"
#include "sample/record.h"
#include "sample/stack_mode.h"

#define IMPORT_NO_ROW UINT32_MAX

/* A sample's CPU number if the file does not have it. */
#define IMPORT_NO_CPU UINT32_MAX

/* The kind of an event's lost records. */
enum import_lost {
	IMPORT_LOST_MIXED,
	IMPORT_LOST_SAMPLES,
	IMPORT_LOST_OTHER,
	IMPORT_LOST_KINDS
};

/* What its samples show of threads without a CPU: see waits.h. */
enum import_shows {
	IMPORT_SHOWS_NOTHING,
	IMPORT_SHOWS_STACK,  /* of a thread that is about to leave its CPU */
	IMPORT_SHOWS_SWITCH, /* the same, and who gets the CPU: sched:sched_switch */
	IMPORT_SHOWS_FAULT,  /* which page the thread has waited for */
	IMPORT_SHOWS_WAKING, /* whose wait ends */
	IMPORT_SHOWS_TOTAL,  /* how long threads waited, but not when */
};

struct import_event {
	struct record_format format;
	enum stack_mode mode;
	uint32_t row; /* in the experiment, or IMPORT_NO_ROW */
	bool inherit; /* each thread has a counter of its own under the same id */
	bool chains_lack_kernel; /* stack_builder's */
	enum import_lost lost;
	enum import_shows shows;
};

/* SWAPPED: record_format's. */
void import_event_init(struct import_event *e, const struct perf_attr *attr,
		       uint64_t *swapped);

/* An event that only makes the kernel report mappings and names. */
bool import_event_is_dummy(const struct perf_attr *attr);

#endif
