/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that ends the program when there is no memory, so that no caller checks.
 * Sizes that come from a file are bounded by the bytes that are left in it before they
 * get here.  Memory is freed with free().
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
