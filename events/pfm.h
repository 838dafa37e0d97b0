/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our whole use of libpfm4: its tables have the names of each CPU's counters.  Nothing
 * here opens a counter.
 */
#ifndef EVENTS_PFM_H
#define EVENTS_PFM_H

#include <stdbool.h>
#include <stdint.h>

#include "events/event.h"

int pfm_open(struct strbuf *err) __attribute__((warn_unused_result));
void pfm_close(void);

/* libpfm4's name of this CPU ("skl"); NULL: unknown, only the kernel's names work. */
const char *pfm_cpu(void);

/*
 * Fills in EVENT's encoding, `name` and `raw` from NAME in libpfm4's spelling.  The
 * period is set if NAME gives one.  -ENOENT: no such event or attribute on this CPU.
 */
int pfm_encode(const char *name, struct event *event) __attribute__((warn_unused_result));

/* One counter of the tables: an event, with one unit mask if it has any. */
struct pfm_counter {
	const char *pmu, *name, *desc; /* valid during the visit */
	unsigned registers; /* how many counters it may choose from; 0 unknown */
	bool precise, uncore;
};

typedef void pfm_visit(const struct pfm_counter *counter, void *arg);

/* Visits each counter of this CPU, cores first, in the order of the tables. */
void pfm_each_counter(pfm_visit *visit, void *arg);

#endif
