/* SPDX-License-Identifier: Apache-2.0 */
/* Unwind tables, apart from the rest. */
#ifndef UNWINDING_H
#define UNWINDING_H

#include <stddef.h>
#include <stdint.h>

/* The rules and rows of COUNT offsets into the file PATH, added up. */
uint64_t ask_unwinding(const char *path, const uint64_t *places, size_t count);

#endif
