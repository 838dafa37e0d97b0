/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LEB128 as in DWARF (DWARF 5, 7.6): seven bits a byte, low first; the high bit means
 * that more follow. cursor_varint reads it.
 */
#ifndef VARINT_H
#define VARINT_H

#include <stdint.h>

enum { VARINT_MAX = 10 }; /* bytes of the largest */

/*
 * Writes VALUE to OUT, which has room for VARINT_MAX bytes; returns the byte behind it.
 */
static inline char *varint_put(char *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*out++ = (char)(value | 0x80);
	*out++ = (char)value;
	return out;
}

#endif
