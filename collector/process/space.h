/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process's executable mappings, as they are at the instant that the records have
 * reached.  The kernel tells of new ones only; what they cover is thereby gone.
 */
#ifndef SPACE_H
#define SPACE_H

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

/* Adds a mapping; older ones give way where it lies.  An empty or wrapping one is
 * ignored. */
void space_add(struct space *s, const struct mapping *m, uint32_t generation);

/* Removes what lies from START to END. */
void space_cut(struct space *s, uint64_t start, uint64_t end, uint32_t generation);

/* The mapping that ADDRESS is in, or NULL; good until the space changes. */
const struct mapping *space_find(const struct space *s, uint64_t address);

#endif
