/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder of a test's own, with files in it: for what reads /proc, /sys or PATH, and for
 * what writes experiments.  Whatever goes wrong here is the harness's fault: exit 99.
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

/* How many entries the folder ROOT/PATH has; 0 where there is none. */
size_t scratch_count(const char *root, const char *path);

#endif
