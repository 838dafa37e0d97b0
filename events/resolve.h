/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a name, in any spelling, to its event on this machine. */
#ifndef EVENTS_RESOLVE_H
#define EVENTS_RESOLVE_H

#include "events/alias.h"
#include "events/context.h"

/*
 * Adds to LIST the event called NAME, an alias or not, or its parts; modifiers (":u",
 * ":pp") are already applied.  Each has its encoding, name, raw, label, unit and normal
 * period; not yet `asked`.
 */
int resolve_name(const struct events *events, const char *name, struct event_list *list,
		 struct strbuf *err) __attribute__((warn_unused_result));

/*
 * Adds the counters of ALIAS on this CPU.  *LISTED: the CPU is known to have it; false:
 * only the kernel might.  -ENOENT: neither has a name for it.
 */
int resolve_alias(const struct events *events, const struct alias *alias,
		  struct event_list *list, bool *listed)
	__attribute__((warn_unused_result));

/* The raw event's unit, and whether it measures time, by the TIMES that resolve_times
 * gave. */
void resolve_times(const struct events *events, struct event_list *times);
void event_classify(const struct event_list *times, struct event *event);

/* The default period of an event, if neither its name nor a table has one. */
uint64_t event_normal_period(const struct event *event);

#endif
