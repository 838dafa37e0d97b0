/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions apart: a program gives each a number when it opens it, and any thread may close
 * it by that.  They nest in nothing.
 */
#ifndef APART_H
#define APART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/vec.h"

enum { APART_MAX = 1 << 16 }; /* open at once in a process */

struct apart_region {
	uint64_t number, begin_ns;
	uint32_t branch, thread; /* rows of the experiment */
	bool is_open;
};

/* Of one process.  All zero: none is open. */
struct apart {
	struct idmap numbers; /* number → its index */
	struct idmap ignored; /* number → how often it was opened while it was open */
	VEC(struct apart_region) regions;
	VEC(uint32_t) unused;
};

/*
 * Opens it, unless one of that number is open: of ITT's frames and regions that begin again
 * before they end, the first begin and the first end count.  False: too many are open.
 */
bool apart_open(struct apart *a, const struct apart_region *region);

/* Whether one of that number was open; it is now in *OLD. */
bool apart_close(struct apart *a, uint64_t number, struct apart_region *old);

/*
 * Whether an end of that number, which is not open, belongs to a begin that did not count:
 * oneTBB ends a region as often as it began it.
 */
bool apart_was_ignored(struct apart *a, uint64_t number);

/* Closes one of those that are open, into *OLD; false: there is none. */
bool apart_close_any(struct apart *a, struct apart_region *old);

void apart_release(struct apart *a);

#endif
