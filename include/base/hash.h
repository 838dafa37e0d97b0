/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashes for tables whose keys may come from a hostile file.  A key, drawn by the kernel
 * for each process, is part of each hash, so no file can hold many keys of one slot.
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/* Never the same in two processes, except those that fork without executing a program. */
uint64_t hash_key(void);

/* Both halves of the product. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* All bits depend on all of A and B. */
static inline uint64_t hash_pair(uint64_t key, uint64_t a, uint32_t b)
{
	return hash_fold(hash_fold(a ^ key, 0x9e3779b97f4a7c15u) ^ b,
			 0xd6e8feb86659fd93u);
}

uint64_t hash_bytes(uint64_t key, const void *bytes, size_t len);

#endif
