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

#include "cursor.h"
#include "elf_view.h"
#include "idmap.h"
#include "lineinfo.h"
#include "object_file.h"
#include "vec.h"

/* The DIEs of a unit. */
struct unit_tree {
	Dwarf_Die die;
	/* of a split one, as libdw does not know its skeleton: */
	bool split;
	Dwarf_Addr base;     /* what its ranges count from */
	Dwarf_Off ranges;    /* where its ranges begin in their section */
	struct cursor lists; /* that section, where ranges are called by a number */
};

/*
 * What dwarf_ranges is to begin with at DIE: an offset and a base.  It takes the base of
 * a split unit from its skeleton, which it does not know; but it lets a walk that has
 * begun go on from anywhere.
 */
ptrdiff_t unit_tree_ranges(const struct unit_tree *tree, Dwarf_Die *die,
			   Dwarf_Addr *base);

struct split_package {
	bool tried, used;
	Elf *elf; /* NULL: there is none */
	int fd;
};

struct split {
	bool found;
	uint64_t id;
	Elf *file; /* NULL: it is in the package */
	Elf *view;
	char *closed; /* NULL, or a copy of a section of VIEW, elf_section_close_text */
	Dwarf *dwarf;
	struct unit_tree tree;
};

struct splits {
	struct object_place place;
	VEC(char *) texts;    /* of PLACE */
	Elf *elf;             /* of the skeletons; borrowed */
	struct strbuf ranges; /* a copy of .debug_ranges, see add_ranges */
	struct split_package package;
	VEC(struct split) list; /* that were asked for */
	struct idmap by_unit;
	unsigned budget; /* units that may still be passed by: hostile files may have the
			    one that is looked for behind any number of others */
	char *missing;   /* the first file that was not to be had; NULL: none */
};

void splits_init(struct splits *splits, const struct object_place *place, Elf *elf);
void splits_release(struct splits *splits);

/*
 * The tree of DIE, the unit of that number in the object, which need not be split; false
 * where that is in no file.
 */
bool splits_tree(struct splits *splits, uint32_t unit, Dwarf_Die *die,
		 struct unit_tree *out);

/* Those that were read, see lineinfo_parts. */
void splits_parts(const struct splits *splits, lineinfo_part_fn *fn, void *ctx);

#endif
