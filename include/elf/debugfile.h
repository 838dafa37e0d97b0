/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds an ELF file's debug file, which holds the symbols stripped off it.
 *
 * It looks in the archive, then, in this order, below symfs and the root of its place:
 *
 *	/usr/lib/debug/.build-id/xx/yyyy.debug    by build-id
 *	DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME
 *	                                          by .gnu_debuglink, DIR the file's own
 *
 * and last asks a debuginfod server, if the place names one.
 *
 * A file counts only if its build-id is the same or, where the program has none, if its
 * CRC is the one in .gnu_debuglink.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf/image.h"
#include "elf/object_file.h"

/* Opens the debug file of IMG, the file of PLACE.  0 and an open OUT, or -ENOENT. */
int debugfile_open(const struct elf_image *img, const struct object_place *place,
		   struct elf_image *out) __attribute__((warn_unused_result));

/*
 * Opens the file to which dwz moved data of IMG, PLACE's file or its debug file
 * (.gnu_debugaltlink): from the archive, by build-id as above, by name, or from a server.
 * It must have the build-id that IMG names.  0 and an open OUT, or -ENOENT.
 */
int altfile_open(const struct elf_image *img, const struct object_place *place,
		 struct elf_image *out) __attribute__((warn_unused_result));

#endif
