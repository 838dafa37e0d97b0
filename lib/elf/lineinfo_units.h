/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compilation units of an object: which one an address belongs to, and its DIEs.
 *
 * The ranges in the units' own DIEs decide: .debug_aranges would be faster to read, but
 * clang writes none.  One pass over all units collects them.
 *
 * libdw reads the header of every unit before the one that it is asked for, and keeps all
 * that it has read until its end.  So each unit is given to it alone, in a view (view.h),
 * unless it refers to other units, as after link-time optimization.
 */
#ifndef LINEINFO_UNITS_H
#define LINEINFO_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "elf/view.h"

#define UNIT_NONE UINT32_MAX

struct unit_range { /* [low, high) */
	Dwarf_Addr low, high;
	uint32_t unit;
};

/*
 * Offsets in .debug_info: of its header, its first DIE and its end; in .debug_abbrev; in
 * .debug_line, or NO_LINES.
 */
#define NO_LINES UINT64_MAX
struct unit_place {
	Dwarf_Off start, die, end, abbrevs, lines;
};

/* libdw over a file's sections, or over one unit of them.  DWARF is NULL: closed. */
struct unit_reader {
	struct elf_view view;
	Dwarf *dwarf;
};

enum { UNIT_SECTIONS_MAX = 10 };

struct units {
	Elf *elf;   /* borrowed */
	Dwarf *alt; /* borrowed: what dwz moved; NULL: nothing */
	struct elf_slice sections[UNIT_SECTIONS_MAX]; /* the first: .debug_info */
	size_t section_count;
	VEC(char *) copies;    /* of sections, see elf_section_close_text */
	struct cursor abbrevs; /* .debug_abbrev */
	uint64_t abbrev_budget;
	VEC(struct unit_place) places; /* by unit; of a split one that of its skeleton */
	VEC(struct unit_range) ranges; /* by low */
	struct unit_reader whole, alone;
	uint64_t closed; /* how often libdw was: it may use addresses again */
	struct elf_lap lap;
};

/*
 * Prepares the sections of ELF, and opens all of them.  0, or -ENOEXEC if they are
 * damaged.  UNITS is the caller's to release, also after a failure.
 */
int units_open(struct units *units, Elf *elf, Dwarf *alt)
	__attribute__((warn_unused_result));
void units_release(struct units *units);

/* Collects at most BUDGET ranges for all units together; they may share one list. */
void units_index(struct units *units, uint64_t budget);

/* UNIT_NONE if no unit contains it. */
uint32_t units_find(const struct units *units, Dwarf_Addr addr);

/* The unit's first DIE, good until the next call. */
bool units_die(struct units *units, uint32_t unit, Dwarf_Die *out);

/* Where it was compiled, or NULL; where its line table is, or NO_LINES. */
const char *unit_dir(Dwarf_Die *unit);
Dwarf_Off unit_lines(Dwarf_Die *unit);

#endif
