/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process's executable mappings, as they are at the instant that the records have
 * reached.  The kernel tells of new ones only; what they cover is thereby gone.
 */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * The most mappings in a space.  The kernel allows a process 65530 at a time
 * (vm.max_map_count) but reports no unmapping, so a target could fill our memory.
 */
enum { SPACE_MAX = 1 << 16 };

struct mapping {
	uint64_t start, end; /* addresses, END not included */
	uint64_t offset;     /* in the module, of START */
	uint32_t module;     /* index in the module table */
};

struct space {
	VEC(struct mapping) v; /* by start; they do not overlap */
	uint32_t generation; /* changes with the content; equal ones have equal content */
};

void space_release(struct space *s);

/* Becomes a copy of FROM: the process was forked. */
void space_copy(struct space *s, const struct space *from);

/*
 * Adds a mapping; older ones give way where it lies.  An empty or wrapping one is
 * ignored.  Where there would be more than MOST, and there are no more now, it is only
 * cut out.  Returns how many mappings were left out, it and what space_cut left out.
 */
unsigned space_add(struct space *s, const struct mapping *m, size_t most,
		   uint32_t generation);

/* Whether space_add would leave nothing out. */
bool space_takes(const struct space *s, const struct mapping *m, size_t most);

/*
 * Removes what lies from START to END and, where a mapping's two sides would make more
 * than MOST, the upper one too.  Returns how many of those it left out, 0 or 1.
 */
unsigned space_cut(struct space *s, uint64_t start, uint64_t end, size_t most,
		   uint32_t generation);

/* The mapping that ADDRESS is in, or NULL; good until the space changes. */
const struct mapping *space_find(const struct space *s, uint64_t address);

#endif
