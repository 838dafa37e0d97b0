/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of both programs, for what they can make again: $XDG_CACHE_HOME/ringprof. */
#ifndef CACHE_DIR_H
#define CACHE_DIR_H

/* Makes the directory, and gives its path, which the caller frees; NULL: there is no
 * home.
 */
char *cache_dir(void);

#endif
