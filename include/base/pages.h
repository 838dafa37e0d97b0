/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Zeroed memory in pages of its own, for tables of megabytes; parts of it can be freed.
 */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/* A whole number of pages on any machine; freeing that much takes 0.1 ms. */
enum { PAGES_STEP = 1 << 20 };

/* SIZE is a multiple of PAGES_STEP; ends the program if there is no memory. */
void *pages_alloc(size_t size);

/* Frees all of it, or a part: offset and SIZE are multiples of PAGES_STEP. */
void pages_free(void *start, size_t size);

#endif
