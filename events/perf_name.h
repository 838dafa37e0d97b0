/* SPDX-License-Identifier: Apache-2.0 */
/* The names that the kernel itself gives to events, in perf's spelling. */
#ifndef EVENTS_PERF_NAME_H
#define EVENTS_PERF_NAME_H

#include "events/context.h"

/*
 * Adds to LIST the event called NAME: "cpu-cycles", "page-faults", "L1-dcache-loads",
 * "r01c2"; on a hybrid CPU one for each kind of core.  -ENOENT: there is none.
 */
int perf_name_encode(const struct events *events, const char *name,
		     struct event_list *list) __attribute__((warn_unused_result));

/*
 * Sets the properties of a software event that another table named: its unit, whether it
 * measures time, and its period if it has none.  Leaves other events alone.
 */
void perf_name_classify(struct event *event);

/* Visits each name except the codes. */
void perf_name_each(void (*visit)(const char *name, void *arg), void *arg);

#endif
