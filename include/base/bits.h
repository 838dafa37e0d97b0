/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of a word: machines of the other byte order number them from the other end. */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

/* Bit 0 becomes bit 63, and so on. */
static inline uint64_t bits_reversed(uint64_t word)
{
	uint64_t out = 0;

	for (unsigned i = 0; i < 64; i++)
		out |= (word >> i & 1) << (63 - i);
	return out;
}

#endif
