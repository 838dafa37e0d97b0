/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which compilation unit an address belongs to, by the ranges that the units' own DIEs
 * state: .debug_aranges would be quicker to read, but clang writes none.
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
	VEC(Dwarf_Die) dies;           /* by unit; of a split one that of its skeleton */
	VEC(struct unit_range) ranges; /* by low */
};

/* BUDGET: of ranges, for all units together; they may share one list. */
void units_read(struct units *units, Dwarf *dwarf, uint64_t budget);
void units_release(struct units *units);

/* UNIT_NONE where no unit has it. */
uint32_t units_find(const struct units *units, Dwarf_Addr addr);

#endif
