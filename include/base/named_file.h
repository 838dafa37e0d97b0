/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens files that somebody else named: a program under profile, its debug information, a
 * recording.  The name may lead anywhere, so:
 *
 *  - The file's type is known before it is opened.  Only regular files are opened, so no
 *    FIFO blocks us and no device is touched.  Files of /proc, /sys and the like are
 *    refused: their content depends on who opens them, and opening may have an effect.
 *  - The file is opened in the root and with the rights of whoever named it, if known.
 *  - Where he may have mounted file systems of his own, a child opens and copies it, which can
 *    be left behind (served_file.h).
 *
 * All such files are opened here.  libelf and libdw get descriptors and open no path.
 */
#ifndef NAMED_FILE_H
#define NAMED_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rights.h"

/* Who named a file.  NULL: nobody else is known, and our rights and root apply. */
struct namer_of_files {
	const struct rights *rights;  /* NULL: ours */
	int root;                     /* a descriptor of its root; -1: ours */
	bool refused;                 /* no file that it names is opened: -EACCES */
	bool served;                  /* its user may serve them: copies are opened */
	_Atomic int64_t *patience_ms; /* for copies, of all; NULL: no limit together */
};

/*
 * Opens PATH below the directory ROOT (see file_place_below), or in the root of BY if ROOT
 * is NULL or "".  A descriptor, or a negative errno: -EINVAL if it is not a regular file,
 * -EACCES if BY may not read it or it is in /proc or the like.
 */
int named_file_open(const struct namer_of_files *by, const char *root, const char *path)
	__attribute__((warn_unused_result));

/* The same for the absolute PATH in the root of BY, unless its last part is a link. */
int named_file_open_unlinked(const struct namer_of_files *by, const char *path)
	__attribute__((warn_unused_result));

#endif
