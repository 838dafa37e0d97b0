/* SPDX-License-Identifier: Apache-2.0 */
/* Where both programs keep what they can make again: $XDG_CACHE_HOME/ringprof. */
#ifndef CACHE_DIR_H
#define CACHE_DIR_H

/* The directory, made; NULL: there is no home.  The caller frees it. */
char *cache_dir(void);

#endif
