/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To read the first DIE of a unit, libdw reads all abbreviations of its table up to that
 * DIE's, and keeps them for this unit.  Units may share a table, so a small file with many
 * units and one large table would take gigabytes.
 */
#ifndef LINEINFO_ABBREVS_H
#define LINEINFO_ABBREVS_H

#include <stdbool.h>

#include <elfutils/libdw.h>

/*
 * Whether reading the first DIEs of all units takes memory in proportion to the file.
 * SUFFIX: of its sections' names, "" or ".dwo".
 */
bool abbrevs_are_sound(Elf *elf, Dwarf *dwarf, const char *suffix);

#endif
