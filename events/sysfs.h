/* SPDX-License-Identifier: Apache-2.0 */
/* Events that only the running kernel can tell: PMUs by name, and tracepoints. */
#ifndef EVENTS_SYSFS_H
#define EVENTS_SYSFS_H

#include "events/context.h"

/* Fills in EVENTS' kinds of core, from its root. */
void sysfs_find_cores(struct events *events);

/*
 * NAME is "pmu/term,term=value/" as perf takes it; the PMU's own format and events
 * folders say what the terms are.  Failure tells why in ERR.
 */
int sysfs_encode_pmu(const struct events *events, const char *name, struct event *event,
		     struct strbuf *err) __attribute__((warn_unused_result));

/*
 * NAME is "subsystem:event".  -ENOENT, without a word in ERR, where the kernel has no
 * such tracepoint; any other failure tells why.
 */
int sysfs_encode_tracepoint(const struct events *events, const char *name,
			    struct event *event, struct strbuf *err)
	__attribute__((warn_unused_result));

/* Where tracepoints are to be seen, one of them, below the root. */
enum { SYSFS_TRACING_DIRS = 2 };
extern const char *const sysfs_tracing_dirs[SYSFS_TRACING_DIRS];

/* Whether NAME may be a tracepoint, of which nothing is seen: no tracefs is mounted. */
bool sysfs_hides_tracepoints(const struct events *events, const char *name);

#endif
