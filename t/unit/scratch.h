/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory of a test's own, with files in it: for code that reads /proc, /sys or PATH,
 * or writes experiments.  Any failure here is the harness's: exit 99.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <sys/types.h>

#include "base/strbuf.h"

/* Makes one; the caller gives it to scratch_remove. */
char *scratch_make(void);

/* Removes it with all that is in it, and frees the name. */
void scratch_remove(char *root);

/* ROOT/PATH, with the folders that lead there, holds LEN bytes. */
void scratch_write(const char *root, const char *path, const void *bytes, size_t len);

/* The same with TEXT. */
void scratch_text(const char *root, const char *path, const char *text);

/* The content of ROOT/PATH. */
void scratch_read(const char *root, const char *path, struct strbuf *out);

/* The number of entries in the directory ROOT/PATH; 0 if there is none. */
size_t scratch_count(const char *root, const char *path);

#endif
