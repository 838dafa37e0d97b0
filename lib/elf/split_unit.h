/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A split unit in a form that libdw reads.
 *
 * Of a unit that was compiled with -gsplit-dwarf the object has a skeleton, which says
 * where its lines and addresses are; the functions are elsewhere (lineinfo_splits.h finds
 * where).  libdw is given a file that has this unit alone, together with the addresses
 * and ranges of the object that it speaks of (elf_view.h), and what it cannot know
 * without the skeleton is told beside.
 */
#ifndef SPLIT_UNIT_H
#define SPLIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/cursor.h"
#include <sys/stat.h>

#include "elf/view.h"
#include "base/strbuf.h"

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

/* The object of the skeletons. */
struct split_object {
	Elf *elf;             /* borrowed */
	struct strbuf ranges; /* a copy of .debug_ranges, see add_ranges */
	unsigned budget; /* units that may still be passed by: hostile files may have the
			    one that is looked for behind any number of others */
};

void split_object_init(struct split_object *object, Elf *elf);
void split_object_release(struct split_object *object);

/* The name of the unit's own file; NULL: the unit is whole. */
const char *split_name(Dwarf_Die *skeleton);

/* Where it was compiled; NULL: that is not told. */
const char *split_dir(Dwarf_Die *skeleton);

/* The sections of a unit's file, its addresses and ranges. */
enum { SLICES_MAX = 8 };

struct split_slices {
	struct elf_slice list[SLICES_MAX];
	size_t count;
};

/* The section of that name in ELF, where there is one; there must be room for it. */
void split_slices_add(struct split_slices *slices, Elf *elf, const char *name);

struct split {
	bool found; /* by who looks for it */
	uint64_t id;
	Elf *file;        /* owned; NULL: it is in the package */
	struct stat like; /* what the file is */
	struct elf_view view;
	char *closed; /* NULL, or a copy of a section of VIEW, elf_section_close_text */
	Dwarf *dwarf;
	struct unit_tree tree;
};

/*
 * The unit whose ID is set in SPLIT, of SLICES of FILE, which get more.  All of OBJECT
 * and FILE must outlive it.  False where it is not there; SPLIT was then released, its ID
 * kept.
 */
bool split_open(struct split_object *object, Dwarf_Die *skeleton, Elf *file,
		struct split_slices *slices, struct split *split);

/* A partly built one, too. */
void split_release(struct split *split);

#endif
