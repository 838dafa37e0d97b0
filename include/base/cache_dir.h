/* SPDX-License-Identifier: Apache-2.0 */
/*
 * $XDG_CACHE_HOME/ringprof: both programs' cache, for data that they can make again.
 *
 * sudo may leave root the HOME of the calling user.  That user can change what lies
 * there, and files that root makes there are in his way.  So root has no cache then.
 */
#ifndef CACHE_DIR_H
#define CACHE_DIR_H

#include <stdbool.h>

#include "base/folder.h"

/*
 * Makes and opens the directory.  0, or a negative errno: -ENOENT without a home, -EACCES
 * if it belongs to another user or others may write there.
 */
int cache_open(struct folder *out) __attribute__((warn_unused_result));

/*
 * Whether a file made at PATH, with any missing directories, would lie in a directory of
 * this user or of root.
 */
bool cache_is_own_place(const char *path);

#endif
