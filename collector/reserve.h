/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disk space that is kept for a file which must still be written when the disk is full.
 * It belongs to a file without a name, so that it is freed however we end.
 */
#ifndef RESERVE_H
#define RESERVE_H

#include <stddef.h>

struct reserve {
	int fd; /* -1: there is none */
};

#define RESERVE_NONE                                                                     \
	{                                                                                \
		.fd = -1                                                                 \
	}

/*
 * Takes BYTES of the file system that the directory DIR is on.  Where it has not twice as
 * much, or the file system knows no files without names (NFS), there is no reserve.
 */
void reserve_take(struct reserve *r, const char *dir, size_t bytes);

/* Gives the room back. */
void reserve_release(struct reserve *r);

#endif
