/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a package of split units (.dwp): which bytes of its sections belong to a
 * unit.  Version 2, which GNU's tools made for DWARF 4, and that of DWARF 5 (7.3.5.3):
 *
 *	version, columns, units, slots
 *	slots × the id of a unit        an open hash table
 *	slots × its row, from 1         0: the slot is free
 *	columns × which section         DW_SECT_…
 *	units × columns × where it begins
 *	units × columns × how long it is
 */
#ifndef DWP_INDEX_H
#define DWP_INDEX_H

#include <errno.h>

#include "base/cursor.h"

enum { DWP_SLICES_MAX = 4 };

/* Not checked against the section's size, which the index lacks. */
struct dwp_slice {
	const char *section; /* ".debug_info.dwo"; static */
	uint32_t offset, size;
};

struct dwp_slices {
	struct dwp_slice list[DWP_SLICES_MAX];
	size_t count;
};

/*
 * The places of the unit with that id, in the sections that describe code.  INDEX is the
 * content of .debug_cu_index in the file's byte order.  0; -ENOENT: it is not in the
 * package; -ENOEXEC: the index is damaged.
 */
int dwp_index_find(struct cursor index, uint64_t id, struct dwp_slices *out)
	__attribute__((warn_unused_result));

#endif
