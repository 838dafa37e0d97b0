/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FNV-1a of 64 bits, for ids that are equal on all machines, as er_print(1) documents: over
 * texts with their NUL, and numbers as eight bytes, the lowest first.  Hostile input finds
 * collisions easily; tables use hash.h.
 */
#ifndef FNV_H
#define FNV_H

#include <stdint.h>

#define FNV_EMPTY UINT64_C(0xcbf29ce484222325) /* of nothing */

static inline uint64_t fnv_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t fnv_text(uint64_t hash, const char *text)
{
	do
		hash = fnv_byte(hash, (unsigned char)*text);
	while (*text++);
	return hash;
}

static inline uint64_t fnv_number(uint64_t hash, uint64_t number)
{
	for (int i = 0; i < 8; i++)
		hash = fnv_byte(hash, number >> 8 * i & 0xff);
	return hash;
}

#endif
