/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To read the first DIE of a unit, libdw reads all abbreviations of its table up to that
 * DIE's, and keeps them for this unit.  Units may share a table, so a small file with many
 * units and one large table would take gigabytes.
 */
#ifndef LINEINFO_ABBREVS_H
#define LINEINFO_ABBREVS_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/cursor.h"
#include "elf/view.h"

/* How many bytes of abbreviations may be passed in sections of so many bytes. */
uint64_t abbrevs_budget(uint64_t bytes);

/*
 * Whether reading the first DIEs of all units takes memory in proportion to the file.
 * SUFFIX: of its sections' names, "" or ".dwo".  LAP: of the mapped file.
 */
bool abbrevs_are_sound(Elf *elf, Dwarf *dwarf, const char *suffix, struct elf_lap *lap);

/*
 * Whether the table at OFFSET of SECTION has a form that refers to other units.  A damaged
 * table may, and so may one for which BUDGET, the bytes left to be passed, is too small.
 */
bool abbrevs_refer_out(struct cursor section, uint64_t offset, uint64_t *budget);

#endif
