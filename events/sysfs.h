/* SPDX-License-Identifier: Apache-2.0 */
/* Events that only the running kernel knows: PMUs by name, and tracepoints. */
#ifndef EVENTS_SYSFS_H
#define EVENTS_SYSFS_H

#include "events/context.h"

/* Fills in EVENTS' kinds of core, from its root. */
void sysfs_find_cores(struct events *events);

/*
 * NAME is "pmu/term,term=value/" as in perf; the PMU's own format and events directories
 * define the terms.  On failure ERR has the reason.
 */
int sysfs_encode_pmu(const struct events *events, const char *name, struct event *event,
		     struct strbuf *err) __attribute__((warn_unused_result));

/*
 * NAME is "subsystem:event".  -ENOENT, with ERR unchanged, if the kernel has no such
 * tracepoint; on any other failure ERR has the reason.
 */
int sysfs_encode_tracepoint(const struct events *events, const char *name,
			    struct event *event, struct strbuf *err)
	__attribute__((warn_unused_result));

/* The possible directories of tracepoints, below the root. */
enum { SYSFS_TRACING_DIRS = 2 };
extern const char *const sysfs_tracing_dirs[SYSFS_TRACING_DIRS];

/* Whether NAME may be a tracepoint that cannot be seen: no tracefs is mounted. */
bool sysfs_hides_tracepoints(const struct events *events, const char *name);

#endif
