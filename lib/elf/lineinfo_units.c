/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_units.h"

#include <stdlib.h>

#include <dwarf.h>

#include "base/sorted.h"

/* Ranges of damaged or merely discarded units must not make this slow. */
enum { OVERLAPS_MAX = 64 };

static void add_unit(struct units *units, Dwarf_Die *die, uint64_t *budget)
{
	uint32_t unit = (uint32_t)units->dies.len;
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	for (; *budget; --*budget) {
		at = dwarf_ranges(die, at, &base, &low, &high);
		if (at <= 0)
			break;
		if (low < high)
			*vec_push(&units->ranges) = (struct unit_range){ low, high,
									 unit };
	}
	*vec_push(&units->dies) = *die;
}

static int by_low(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void units_read(struct units *units, Dwarf *dwarf, uint64_t budget)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;

	*units = (struct units){ 0 };
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(units, &die, &budget);
	if (units->ranges.len)
		qsort(units->ranges.data, units->ranges.len, sizeof(*units->ranges.data),
		      by_low);
}

void units_release(struct units *units)
{
	vec_release(&units->dies);
	vec_release(&units->ranges);
}

uint32_t units_find(const struct units *units, Dwarf_Addr addr)
{
	const struct unit_range *ranges = units->ranges.data;
	size_t below = sorted_up_to(ranges, units->ranges.len, low, addr);

	for (int i = 0; i < OVERLAPS_MAX && below > 0; i++)
		if (addr < ranges[--below].high)
			return ranges[below].unit;
	return UNIT_NONE;
}
