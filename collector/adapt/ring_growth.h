/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small rings become large ones while the target runs: the kernel clears a ring's pages
 * when it is mapped, 4 ms for 16 MiB, which its start would wait for.  A round replaces
 * rings of 16 MiB, or one, so that the others are read in between.
 */
#ifndef RING_GROWTH_H
#define RING_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

#include "recording/recording.h"
#include "sample/evlist.h"

struct ring_growth {
	struct evlist *evlist; /* borrowed */
	struct recording *rec;
	bool ended; /* they are large, or cannot be */
};

/* After a round, at NOW_NS: replaces some rings if it is time. */
void ring_growth_look(struct ring_growth *growth, uint64_t now_ns);

#endif
