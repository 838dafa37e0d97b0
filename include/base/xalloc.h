/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that ends the program if there is no memory, so callers need not check.
 * They bound sizes from a file by its remaining bytes first.  Free the memory with
 * free().
 */
#ifndef XALLOC_H
#define XALLOC_H

#include <stddef.h>

#include "base/printf_like.h"

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);

/* COUNT × SIZE is checked for overflow. */
void *xreallocarray(void *ptr, size_t count, size_t size);

char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
