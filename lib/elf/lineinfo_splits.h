/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split units (-gsplit-dwarf): the object has a skeleton of each, which refers to its
 * lines and addresses, and identifies the unit by a number; its functions are in a file
 * of their own (.dwo), or in a package of all (.dwp, beside the object).
 *
 * The archive comes first, for a package and for a unit by its number.  Then the package
 * is looked for beside the object, and a unit's file at its name: absolute, relative to
 * the object, or relative to the compilation directory.
 *
 * libdw gets each as a file with only that unit and the addresses that it uses (view.h).
 * libdw finds files by itself, but packages only since 0.191, and none by number.
 */
#ifndef LINEINFO_SPLITS_H
#define LINEINFO_SPLITS_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "base/idmap.h"
#include "elf/object_file.h"
#include "elf/split_unit.h"
#include "base/vec.h"

struct split_package {
	bool tried, used;
	Elf *elf; /* NULL: there is none */
	int fd;
};

struct splits {
	const struct object_place *place; /* borrowed */
	struct split_object object;       /* of the skeletons */
	struct split_package package;
	VEC(struct split) list; /* the requested ones */
	struct idmap by_unit;
	char *missing; /* the first file that could not be read; NULL: none */
};

void splits_init(struct splits *splits, const struct object_place *place, Elf *elf);
void splits_release(struct splits *splits);

/*
 * The tree of DIE, the unit with that number in the object, which need not be split;
 * false if no file has it.
 */
bool splits_tree(struct splits *splits, uint32_t unit, Dwarf_Die *die,
		 struct unit_tree *out);

/* Releases the pages of that unit's file that are in memory. */
void splits_forget(const struct splits *splits, uint32_t unit);

/* Passes the ones that were read, as lineinfo_parts does. */
void splits_parts(const struct splits *splits, object_part_fn *fn, void *ctx);

#endif
