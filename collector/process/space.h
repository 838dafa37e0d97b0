/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process's executable mappings at the instant that the records have reached.  The
 * kernel reports only new ones; they replace the ones they cover.
 *
 * Mappings lie in chunks, and an index has the chunks in address order, so an insertion
 * moves at most a chunk's mappings.  A copy shares the index until one of the two
 * changes, and then the unchanged chunks: a fork costs nothing, nor does the exec that
 * mostly follows it.
 */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each space may have this many mappings if the room has space for them; more, up to the
 * room's remaining number.  The kernel allows a process 65530 at a time unless
 * vm.max_map_count is raised, but reports no unmapping.
 */
enum { SPACE_MAX = 1 << 16 };

/* The common limit of several spaces; it stays in place as long as they. */
struct space_room {
	size_t most;
	size_t held;      /* mappings, and the chunks in the indexes of changed copies */
	uint64_t emptied; /* spaces that had no room for a copy of their shared part */
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

/* It is then empty, and may be used. */
void space_release(struct space *s);

/* Becomes a copy of FROM, in the same room: the process was forked. */
void space_copy(struct space *s, const struct space *from);

/*
 * Adds a mapping; it replaces older ones in its place, but joins those that it continues.
 * An empty or wrapping one is ignored.  If there is no room, its place is only cleared.
 * Returns how many mappings were left out, itself and those that space_cut left out.
 */
unsigned space_add(struct space *s, const struct mapping *m, uint32_t generation);

/* Whether space_add would leave nothing out. */
bool space_takes(const struct space *s, const struct mapping *m);

/*
 * Removes mappings from START to END and, if there is no room for both sides of a split
 * one, its upper side too.  Returns how many of those it left out, 0 or 1.  If there is
 * no room for a copy of the shared part, the space is emptied.
 */
unsigned space_cut(struct space *s, uint64_t start, uint64_t end, uint32_t generation);

/* The mapping that contains ADDRESS, or NULL; valid until the space changes. */
const struct mapping *space_find(const struct space *s, uint64_t address);

/* … or the next one above it. */
const struct mapping *space_above(const struct space *s, uint64_t address);

#endif
