/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the compilation unit of an address by the ranges in the units' own DIEs:
 * .debug_aranges would be faster to read, but clang writes none.
 */
#ifndef LINEINFO_UNITS_H
#define LINEINFO_UNITS_H

#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/vec.h"

#define UNIT_NONE UINT32_MAX

struct unit_range { /* [low, high) */
	Dwarf_Addr low, high;
	uint32_t unit;
};

struct units {
	VEC(Dwarf_Die) dies;           /* by unit; the skeleton of a split one */
	VEC(struct unit_range) ranges; /* by low */
};

/* BUDGET: of ranges, for all units together; they may share one list. */
void units_read(struct units *units, Dwarf *dwarf, uint64_t budget);
void units_release(struct units *units);

/* UNIT_NONE if no unit contains it. */
uint32_t units_find(const struct units *units, Dwarf_Addr addr);

#endif
