/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names with the same meaning on every CPU.
 *
 * A row lists, in order, the counters that may implement the alias, as libpfm4 spells
 * them (`tables`, with an optional :u or :k) and as the kernel does (`kernel`).  The
 * first of the tables that encodes on this CPU is used, else the kernel's.
 */
#ifndef EVENTS_ALIAS_H
#define EVENTS_ALIAS_H

#include <stdint.h>

#include "events/event.h"

#define ALIAS_TABLES 9

#define ALIAS_TIME 0x1 /* measures time: the clock may replace it */

/* The kernel has it for (nearly) every CPU, so it is listed without a table. */
#define ALIAS_EVERYWHERE 0x2

struct alias {
	const char *name, *label, *desc;
	enum event_unit unit;
	unsigned flags;    /* ALIAS_* */
	uint64_t overflow; /* about a sample a millisecond and thread; prime, or 1 */
	const char *tables[ALIAS_TABLES]; /* NULL after the last */
	const char *kernel;               /* or NULL */
};

/* Row N of the table; NULL after the last. */
const struct alias *alias_nth(size_t n);

const struct alias *alias_find(const char *name);

#endif
