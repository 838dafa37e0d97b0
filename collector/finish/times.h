/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU time by samples, and whether the kernel's accounting agrees. */
#ifndef TIMES_H
#define TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "finish/figures.h"

/* The first event that measures time, and its INDEX; NULL: none. */
const struct exp_event *times_event(const struct summary *c, size_t *index);

/* A weight of event E in seconds, or -1 if it does not mean time. */
double times_seconds(const struct exp_event *e, uint64_t weight);

/* The time that an event sees: "user CPU". */
const char *times_word(const struct summary *c, size_t index);

/*
 * Samples and rusage are two measures of one quantity.  They are comparable if everything
 * was sampled: user and kernel, all the time, descendants that were waited for.  Warns if
 * they then differ.
 */
void times_warn(const struct summary *c);

#endif
