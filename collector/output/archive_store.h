/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that go into an experiment's archive: bounded in all, each there as a whole or
 * not at all.
 */
#ifndef ARCHIVE_STORE_H
#define ARCHIVE_STORE_H

#include <stdint.h>

#include <sys/stat.h>

#include "elf/image.h"

struct archive_store {
	int dir;               /* a descriptor, borrowed */
	uint64_t bytes, limit; /* written, and to be written at most */
};

/*
 * NAME is a path below the directory, whose folders are made.  0, also where it is there
 * already, or a negative errno: -EDQUOT beyond the limit, -EINVAL for a NAME that leads
 * elsewhere.
 */

/*
 * A copy has the owner and mode of LIKE, its original, if we may set them; else it opens
 * to nobody but us who may not read the original.
 */

/*
 * Without sections that nobody who reads an experiment looks at: they become holes.
 * -ESTALE if the file changes meanwhile.
 */
int archive_store_elf(struct archive_store *store, const char *name,
		      const struct elf_image *img, const struct stat *like)
	__attribute__((warn_unused_result));

/* With the time of its last change.  FD stays open. */
int archive_store_file(struct archive_store *store, const char *name, int fd)
	__attribute__((warn_unused_result));

#endif
