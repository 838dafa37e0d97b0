/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a function's readable name, in any language, so that a display can omit
 * the least useful ones:
 *
 *	void std::vector<int>::push_back<char>(char) const
 *	     ^chain            ^own     ^group
 *
 * Offsets are in bytes.  Any text has parts: if it is no name, its own name is whatever
 * looks like one, or all of it.
 */
#ifndef NAME_PARTS_H
#define NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct name_range {
	size_t from, to;
};

/* From its opening bracket to the end of its closing one. */
struct name_group {
	size_t from, to;
	size_t depth; /* 0: within no other */
};

struct name_parts {
	size_t chain; /* the start of the qualified name; a return type precedes it */
	size_t end;   /* of the qualified name: qualifiers, a place or a clone follow */
	size_t place; /* where a script's path follows, or the end of all */
	/* the identifiers of the own name: a lambda's follow those of its function */
	VEC(struct name_range) own;
	VEC(size_t) scopes; /* where the components of the chain before it end */
	VEC(struct name_group) groups;
};

void name_parts_init(struct name_parts *out, const char *name);
void name_parts_release(struct name_parts *parts);

#endif
