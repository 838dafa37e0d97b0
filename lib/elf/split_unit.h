/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A split unit in a form that libdw reads.
 *
 * Of a unit compiled with -gsplit-dwarf the object has only a skeleton, which refers to
 * its lines and addresses; the functions are elsewhere (lineinfo_splits.h finds them).
 * libdw gets a file with only this unit and the object's addresses and ranges that it
 * uses (view.h); struct unit_tree holds the rest of the skeleton's data.
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
	/* of a split one, whose skeleton libdw does not know: */
	bool split;
	Dwarf_Addr base;     /* the base of its ranges */
	Dwarf_Off ranges;    /* the start of its ranges in their section */
	struct cursor lists; /* that section, if ranges have numbers */
};

/*
 * The offset and base with which dwarf_ranges must start at DIE.  It would take the base
 * of a split unit from the skeleton, which it does not know; but it can continue a walk
 * from anywhere.
 */
ptrdiff_t unit_tree_ranges(const struct unit_tree *tree, Dwarf_Die *die,
			   Dwarf_Addr *base);

/* The object of the skeletons. */
struct split_object {
	Elf *elf;             /* borrowed */
	struct strbuf ranges; /* a copy of .debug_ranges, see add_ranges */
	unsigned budget; /* units that may still be skipped: hostile files may put any
				     number before the one that is looked for */
};

void split_object_init(struct split_object *object, Elf *elf);
void split_object_release(struct split_object *object);

/* The name of the unit's own file; NULL: the unit is whole. */
const char *split_name(Dwarf_Die *skeleton);

/* Its compilation directory; NULL: unknown. */
const char *split_dir(Dwarf_Die *skeleton);

/* The sections of a unit's file, its addresses and ranges. */
enum { SLICES_MAX = 8 };

struct split_slices {
	struct elf_slice list[SLICES_MAX];
	size_t count;
};

/* Adds the section of that name in ELF, if there is one; there must be room for it. */
void split_slices_add(struct split_slices *slices, Elf *elf, const char *name);

struct split {
	bool found; /* by the caller */
	uint64_t id;
	Elf *file;        /* owned; NULL: it is in the package */
	struct stat like; /* status of the file */
	struct elf_view view;
	char *closed; /* NULL, or a copy of a section of VIEW, elf_section_close_text */
	Dwarf *dwarf;
	struct unit_tree tree;
};

/*
 * Opens the unit whose ID is set in SPLIT, from SLICES of FILE, to which it adds more.
 * OBJECT and FILE must outlive it.  False if it is not there; SPLIT is then released,
 * except its ID.
 */
bool split_open(struct split_object *object, Dwarf_Die *skeleton, Elf *file,
		struct split_slices *slices, struct split *split);

/* Also releases a partly built one. */
void split_release(struct split *split);

#endif
