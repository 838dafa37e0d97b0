/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory in pages of its own, for tables of megabytes: it is zero, and parts of it can be
 * given back.
 */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/* A whole number of pages on any machine; to give back so many takes 0.1 ms. */
enum { PAGES_STEP = 1 << 20 };

/* SIZE is a multiple of PAGES_STEP; where there is no memory, the program ends. */
void *pages_alloc(size_t size);

/* Gives back all of it, or a part: both are multiples of PAGES_STEP from its start. */
void pages_free(void *start, size_t size);

#endif
