/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which regions are open on a thread at a time, of one experiment: those that nest.  An
 * instance is its index in the experiment's regions.
 *
 * A recording may have tens of millions of them, so this takes 8 bytes each: the innermost
 * region at a time is the first of its thread that ends later, or the one around it that
 * had begun.
 */
#ifndef OPEN_REGIONS_H
#define OPEN_REGIONS_H

#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "experiment/experiment.h"

#define NO_REGION UINT32_MAX

struct open_regions {
	const struct experiment *exp; /* borrowed */
	uint32_t *list;  /* instances by thread, each thread's by their ends */
	size_t *first;   /* by number of the thread: its first; of the one after too */
	uint32_t *outer; /* by instance: the one around it, or NO_REGION */
};

/* Overwrites OUT, which the caller releases before EXP is closed. */
void open_regions_init(struct open_regions *out, const struct experiment *exp);
void open_regions_release(struct open_regions *open);

/* The innermost region of the thread with that number; NO_REGION: none. */
uint32_t open_regions_at(const struct open_regions *open, uint32_t thread,
			 uint64_t time_ns);

/*
 * The path of that region; 0: none is open.  Not for counts that no sample represents: they
 * have no time of their own, and are in no region.
 */
uint32_t open_regions_path(const struct open_regions *open, uint32_t thread,
			   uint64_t time_ns);

/* Adds the names of PATH, outermost first, joined by a space. */
void region_path_put(const struct experiment *exp, uint32_t path, struct strbuf *out);

#endif
