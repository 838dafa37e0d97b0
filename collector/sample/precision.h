/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How precise samples are to be: what is tried where the user did not say, and when less
 * is tried.  event_skid tells what a degree means.
 */
#ifndef PRECISION_H
#define PRECISION_H

#include <stdbool.h>

#include "events/event.h"
#include "sample/sys.h"

/*
 * Asks for as much as the CPU says it has (caps/max_precise of its PMU, Linux >= 4.14, on
 * x86 alone), where the user said nothing and EVENT is a core's.  Never for the highest
 * degree, which runs on one register only: two events would take turns.
 */
void precision_default(const struct sys *sys, struct event *event);

/*
 * Whether an event of a core that opens with some precision really has it.  Arm's drivers
 * accept any degree, and ignore it.
 */
bool precision_counts(const struct sys *sys);

/* Takes away precision that EVENT would have in name only. */
void precision_limit(const struct sys *sys, struct event *event);

/* Whether ERROR, of opening an event with some precision, may be about that. */
bool precision_refused(int error);

#endif
