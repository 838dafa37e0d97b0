/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the symbols that were stripped off an ELF file went: its debug file.
 *
 * Looked for in the archive, and then, in this order, below the root of its place:
 *
 *	/usr/lib/debug/.build-id/xx/yyyy.debug    by build-id
 *	DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME
 *	                                          by .gnu_debuglink, DIR the file's own
 *
 * and last from a debuginfod server, where the place names one.
 *
 * A file found is taken only if it is the right one: its build-id is the same, or, where
 * the program has none, its CRC is the one that .gnu_debuglink names.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf/image.h"
#include "elf/object_file.h"

/* Opens the debug file of IMG, the file of PLACE.  0 and an open OUT, or -ENOENT. */
int debugfile_open(const struct elf_image *img, const struct object_place *place,
		   struct elf_image *out);

#endif
