/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split units (-gsplit-dwarf): the object has a skeleton of each, which says where its
 * lines and addresses are, and by a number which unit it is; its functions are in a file
 * of their own (.dwo), or in a package of all (.dwp, beside the object).
 *
 * The archive is looked into first, for a package and a unit by its number; else the
 * package is that beside the object, and a unit's file where its name says: absolute, or
 * from where the object is, or else from where it was compiled.
 *
 * Each is given to libdw as a file that has that unit alone, and the addresses that it
 * speaks of (elf_view.h).  libdw finds files by itself, but packages only since 0.191,
 * and none by number.
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
	VEC(struct split) list; /* that were asked for */
	struct idmap by_unit;
	char *missing; /* the first file that was not to be had; NULL: none */
};

void splits_init(struct splits *splits, const struct object_place *place, Elf *elf);
void splits_release(struct splits *splits);

/*
 * The tree of DIE, the unit of that number in the object, which need not be split; false
 * where that is in no file.
 */
bool splits_tree(struct splits *splits, uint32_t unit, Dwarf_Die *die,
		 struct unit_tree *out);

/* Those that were read, as lineinfo_parts passes them. */
void splits_parts(const struct splits *splits, object_part_fn *fn, void *ctx);

#endif
