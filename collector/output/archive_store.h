/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an experiment's archive: their total is bounded, and each is stored whole
 * or not at all.
 */
#ifndef ARCHIVE_STORE_H
#define ARCHIVE_STORE_H

#include <stdint.h>

#include <sys/stat.h>

#include "elf/image.h"

struct archive_store {
	int dir;               /* a descriptor, borrowed */
	uint64_t bytes, limit; /* written, and the most to write */
};

/*
 * NAME is a path below the directory; missing directories are made.  0, also if it exists
 * already, or a negative errno: -EDQUOT beyond the limit, -EINVAL for a NAME that leads
 * elsewhere.
 */

/*
 * A copy has the owner and mode of LIKE, its original, if we may set them; else, except
 * us, nobody can read it who may not read the original.
 */

/*
 * Sections that no reader of an experiment needs become holes.  -ESTALE if the file
 * changes meanwhile.
 */
int archive_store_elf(struct archive_store *store, const char *name,
		      const struct elf_image *img, const struct stat *like)
	__attribute__((warn_unused_result));

/* Keeps the time of the last change.  FD stays open. */
int archive_store_file(struct archive_store *store, const char *name, int fd)
	__attribute__((warn_unused_result));

#endif
