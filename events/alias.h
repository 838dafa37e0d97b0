/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names that mean the same on every CPU.
 *
 * A row lists, in order, what may stand behind the alias, in the spelling of libpfm4
 * (`tables`, with an optional :u or :k) and of the kernel (`kernel`).  The first of the
 * tables that encodes on this CPU is taken, else the kernel's.
 */
#ifndef EVENTS_ALIAS_H
#define EVENTS_ALIAS_H

#include <stdint.h>

#include "events/event.h"

#define ALIAS_TABLES 9

#define ALIAS_TIME 0x1 /* measures time: the clock may take its place */

/* The kernel has it for (nearly) every CPU, so it is listed on its word alone. */
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
