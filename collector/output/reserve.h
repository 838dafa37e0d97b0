/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disk space reserved for a file that must be written even when the disk is full.  It
 * belongs to a file without a name, so it is freed however we end.
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
 * Reserves BYTES on the file system of the directory DIR, a descriptor, or half of what is
 * free, if that is less.  Reserves nothing if the file system has no unnamed files (NFS).
 */
void reserve_take(struct reserve *r, int dir, size_t bytes);

/* Frees the space. */
void reserve_release(struct reserve *r);

#endif
