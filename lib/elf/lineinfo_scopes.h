/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that addresses lie in, inlined ones in each other.
 *
 * One walk over a unit serves all addresses that are asked for in it, and goes only into
 * what has one of them.
 */
#ifndef LINEINFO_SCOPES_H
#define LINEINFO_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "elf/lineinfo_paths.h"
#include "elf/split_unit.h"
#include "base/vec.h"

#define SCOPE_NONE 0

/* A function, or one that was inlined into its parent. */
struct scope {
	uint32_t parent;               /* SCOPE_NONE: it was not inlined */
	uint32_t function;             /* in texts */
	uint32_t call_file, call_line; /* in texts; of the call that was inlined */
	uint32_t decl_file, decl_line; /* in texts; of the function */
};

struct scopes {
	struct line_paths *paths; /* borrowed, with the texts */
	uint64_t budget;          /* bytes of DIEs still to be passed: hostile files may
				     otherwise make us pass the same ones for ever */
	VEC(struct scope) scopes; /* [0] stands for none */
};

/* BUDGET is for all walks together. */
void scopes_init(struct scopes *scopes, struct line_paths *paths, uint64_t budget);
void scopes_release(struct scopes *scopes);

/* What to find: addresses of one unit, from low to high, and of each its scope. */
struct scope_query {
	const Dwarf_Addr *addrs;
	uint32_t *inner; /* filled: the innermost */
	size_t count;
	const char *dir; /* that the unit was compiled in, or NULL */
};

/* FILES: the unit's DIE in the object, which may be but the skeleton of TREE. */
void scopes_find(struct scopes *scopes, struct unit_tree *tree, Dwarf_Die *files,
		 const struct scope_query *query);

#endif
