/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the symbols that were stripped off an ELF file went: its debug file.
 *
 * Looked for, in this order, below ROOT ("" for our own root, or "/proc/PID/root"):
 *
 *	/usr/lib/debug/.build-id/xx/yyyy.debug    by build-id
 *	DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME
 *	                                          by .gnu_debuglink, DIR the file's own
 *
 * A file found is taken only if it is the right one: its build-id is the same, or, where
 * the program has none, its CRC is the one that .gnu_debuglink names.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include "elf_image.h"

/*
 * Opens the debug file of IMG, which lies at PATH below ROOT.  0 and an open OUT, or
 * -ENOENT.
 */
int debugfile_open(const struct elf_image *img, const char *path, const char *root,
		   struct elf_image *out);

#endif
