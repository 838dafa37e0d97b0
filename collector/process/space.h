/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process's executable mappings, as they are at the instant that the records have
 * reached.  The kernel tells of new ones only; what they cover is thereby gone.
 *
 * Mappings lie in chunks, and an index has the chunks in the order of their addresses, so
 * an insertion moves a chunk's mappings at most.  A copy shares the index until one of
 * the two changes, and then the chunks that did not: a fork costs nothing, and neither
 * does the program that mostly follows it.
 */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The mappings that each space may have, in a room with that much left.  Beyond, a space
 * may have as many as the room has left.  The kernel allows a process 65530 at a time
 * unless vm.max_map_count is raised, but reports no unmapping.
 */
enum { SPACE_MAX = 1 << 16 };

/* What several spaces hold together; it stays where it is as long as they. */
struct space_room {
	size_t most;
	size_t held;      /* mappings, and the chunks in the indexes of changed copies */
	uint64_t emptied; /* spaces, as there was no room for what they shared */
};

struct mapping {
	uint64_t start, end; /* addresses, END not included */
	uint64_t offset;     /* in the module, of START */
	uint32_t module;     /* index in the module table */
};

struct space_index;

struct space {
	struct space_room *room;   /* borrowed */
	struct space_index *index; /* NULL: empty */
	size_t len;                /* mappings; they do not overlap */
	uint32_t generation; /* changes with the content; equal ones have equal content */
};

void space_init(struct space *s, struct space_room *room);

/* It is empty then, and may be used. */
void space_release(struct space *s);

/* Becomes a copy of FROM, in the same room: the process was forked. */
void space_copy(struct space *s, const struct space *from);

/*
 * Adds a mapping; older ones give way where it lies, but for such as it continues, which
 * become one with it.  An empty or wrapping one is ignored.  Where there is no room it is
 * only cut out.  Returns how many mappings were left out, it and what space_cut left out.
 */
unsigned space_add(struct space *s, const struct mapping *m, uint32_t generation);

/* Whether space_add would leave nothing out. */
bool space_takes(const struct space *s, const struct mapping *m);

/*
 * Removes what lies from START to END and, where there is no room for both sides of a
 * mapping, the upper one too.  Returns how many of those it left out, 0 or 1.  Where
 * there is no room for a copy of what is shared, the space is emptied.
 */
unsigned space_cut(struct space *s, uint64_t start, uint64_t end, uint32_t generation);

/* The mapping that ADDRESS is in, or NULL; good until the space changes. */
const struct mapping *space_find(const struct space *s, uint64_t address);

/* … or else the next above it. */
const struct mapping *space_above(const struct space *s, uint64_t address);

#endif
