/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The precision of samples: the default, and when to try less. event_skid describes a
 * degree.
 */
#ifndef PRECISION_H
#define PRECISION_H

#include <stdbool.h>

#include "events/event.h"
#include "sample/sys.h"

/*
 * Requests the CPU's highest precision (caps/max_precise of its PMU, Linux >= 4.14, only
 * on x86) if the user said nothing and EVENT is a core's.  Never the highest degree,
 * which runs on only one register: two events would take turns.
 */
void precision_default(const struct sys *sys, struct event *event);

/*
 * Whether a core's event that opens with a precision really has it.  Arm's drivers accept
 * any degree, and ignore it.
 */
bool precision_counts(const struct sys *sys);

/* Removes precision that EVENT would have only in name. */
void precision_limit(const struct sys *sys, struct event *event);

/* Whether precision may be the cause of ERROR, from opening an event with it. */
bool precision_refused(int error);

#endif
