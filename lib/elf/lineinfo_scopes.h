/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the functions that contain addresses, with the inlined ones.
 *
 * One walk over a unit serves all requested addresses in it, and enters only DIEs that
 * contain one of them.
 */
#ifndef LINEINFO_SCOPES_H
#define LINEINFO_SCOPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/idmap.h"
#include "elf/lineinfo_paths.h"
#include "elf/lineinfo_table.h"
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

/* A unit of libdw's that functions are instances of. */
struct scope_unit {
	bool sound;              /* its abbreviations are */
	bool has_files;          /* what follows was read */
	struct line_table table; /* without rows */
	struct line_paths paths; /* the table's */
};

struct scopes {
	struct line_paths *paths; /* borrowed, with the texts */
	/* hostile files could otherwise make us pass the same bytes for ever: */
	uint64_t budget;          /* bytes of DIEs that may still be passed */
	uint64_t looks;           /* the same of DIEs that functions are instances of */
	VEC(struct scope) scopes; /* [0] stands for none */
	VEC(struct scope_unit) units;
	struct idmap by_address; /* of libdw's unit → in units */
};

/* BUDGET is for all walks together. */
void scopes_init(struct scopes *scopes, struct line_paths *paths, uint64_t budget);
void scopes_release(struct scopes *scopes);

/* Before the next walk if a libdw was closed, which may use its units' addresses again. */
void scopes_forget_units(struct scopes *scopes);

/* What to find: the scopes of one unit's addresses, which are in ascending order. */
struct scope_query {
	const Dwarf_Addr *addrs;
	uint32_t *inner; /* filled: the innermost */
	size_t count;
};

/* The paths are those of the unit's table. */
void scopes_find(struct scopes *scopes, struct unit_tree *tree,
		 const struct scope_query *query);

#endif
