/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns for several tracepoints: sched:sched_process_*. */
#ifndef EVENTS_TRACEPOINT_MATCH_H
#define EVENTS_TRACEPOINT_MATCH_H

#include <stdbool.h>

#include "events/context.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Each takes a descriptor for each CPU, and samples of its own. */
enum { TRACEPOINTS_MAX = 64 };

struct tracepoint_names {
	VEC(char *) v; /* "subsystem:event", sorted */
};

/* Whether NAME is such a pattern: the subsystem is a word. */
bool tracepoint_is_pattern(const char *name);

/*
 * Those that PATTERN matches.  0; -ENOENT for none, -E2BIG for more than TRACEPOINTS_MAX,
 * -EACCES if they cannot be seen, each with one sentence in ERR.  Release either way.
 */
int tracepoint_match(const struct events *events, const char *pattern,
		     struct tracepoint_names *names, struct strbuf *err)
	__attribute__((warn_unused_result));

void tracepoint_names_release(struct tracepoint_names *names);

#endif
