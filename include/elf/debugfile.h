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

#include "base/quota.h"
#include "base/vec.h"
#include "elf/image.h"
#include "elf/object_file.h"

/*
 * CRCs of debug files of programs without a build-id: each file is read once.  Its program
 * names it and costs its maker nothing if it is sparse, so the program's owner has a share
 * of what may be read in all.
 */
enum {
	DEBUG_SUMS_MIB = 3072,
	DEBUG_SUM_MAX = 1 << 28,      /* of one file */
	DEBUG_SUM_LIVE_MAX = 1 << 25, /* … while rings have to be emptied */
	DEBUG_SUMS_KNOWN = 1 << 10,
};

struct debug_sum {
	uint64_t device;
	struct file_mark mark;
	uint32_t crc;
};

struct debug_sums {
	struct quota quota; /* refused: files that were not read */
	uint64_t largest;   /* DEBUG_SUM_… */
	VEC(struct debug_sum) known;
	size_t next; /* to be replaced where too many are known */
};

void debug_sums_init(struct debug_sums *sums);
void debug_sums_release(struct debug_sums *sums);

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
