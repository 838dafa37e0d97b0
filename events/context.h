/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the machine that the modules of this room share. */
#ifndef EVENTS_CONTEXT_H
#define EVENTS_CONTEXT_H

#include <stdint.h>

#include "events/event.h"
#include "base/strtab.h"
#include "base/vec.h"

/* One of several kinds of core: a directory of /sys/bus/event_source/devices. */
struct core_pmu {
	char *name;
	uint32_t type;
};

struct events {
	const char *root; /* borrowed; before "/sys" */

	/* The kinds of core of a hybrid CPU; empty if all cores are alike. */
	VEC(struct core_pmu) cores;
	/* The number of the only kind of core; PERF_TYPE_RAW if there are several. */
	uint32_t core_type;

	/* Names of counters, asked for once: libpfm4 takes milliseconds to tell them.
	 * Only "" until then. */
	struct strtab *counters;
};

#endif
