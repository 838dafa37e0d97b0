/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the begins and ends of one thread, in their order, to instances of regions.  A region
 * has a label, the same for all of its name and domain.
 *
 * An end is that of the innermost open region of its name; those in it end with it.
 * Whatever the program does wrong is counted.
 */
#ifndef NEST_H
#define NEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "experiment/format.h"

enum { NEST_DEPTH_MAX = EXP_REGION_DEPTH_MAX };

/* A branch has an id, 0 for none; BRANCH gives that of a label in PARENT. */
struct nest_sink {
	void *ctx;
	uint32_t (*branch)(void *ctx, uint32_t parent, uint32_t label);
	/* an instance; FLAGS as in EXP_REGION_FLAGS */
	void (*instance)(void *ctx, uint32_t branch, uint64_t begin_ns, uint64_t end_ns,
			 unsigned flags);
	uint64_t *faults; /* by enum exp_region_fault */
};

struct nest_region {
	uint64_t begin_ns;
	uint32_t branch, label;
};

/* All zero: nothing is open. */
struct nest {
	VEC(struct nest_region) open; /* outermost first */
	uint64_t beyond;              /* open ones in NEST_DEPTH_MAX others */
	uint64_t last_ns;             /* of the newest event: time does not go back */
};

void nest_begin(struct nest *nest, const struct nest_sink *sink, uint32_t label,
		uint64_t now_ns);
void nest_end(struct nest *nest, const struct nest_sink *sink, uint32_t label,
	      uint64_t now_ns);
void nest_end_innermost(struct nest *nest, const struct nest_sink *sink, uint64_t now_ns);

/* The thread, or the recording, ended. */
void nest_finish(struct nest *nest, const struct nest_sink *sink, uint64_t now_ns);

void nest_release(struct nest *nest);

#endif
