/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded reader over untrusted bytes.
 *
 * Every get checks the bytes that are left.  The first that does not fit makes the cursor
 * fail: from then on every get yields zero and nothing is left, so a decoder reads a
 * whole record and tests cursor_ok once.  Numbers are in the host's byte order, unless
 * SWAP is set, which reverses them.  The bytes are borrowed and must outlive the cursor.
 */
#ifndef CURSOR_H
#define CURSOR_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at, *end;
	bool failed, swap;
};

void cursor_init(struct cursor *c, const void *bytes, size_t len);

static inline bool cursor_ok(const struct cursor *c)
{
	return !c->failed;
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

/* Makes it fail: for a decoder that meets a value out of range. */
void cursor_fail(struct cursor *c);

/* The next LEN bytes where they lie, or NULL (also for LEN 0 after a failure). */
static inline const void *cursor_bytes(struct cursor *c, size_t len)
{
	const unsigned char *bytes = c->at;

	if (c->failed || len > cursor_left(c)) {
		cursor_fail(c);
		return NULL;
	}
	c->at += len;
	return bytes;
}

/* Inline: every field of every sample passes through these. */
#define CURSOR_READER(bits)                                                              \
	static inline uint##bits##_t cursor_u##bits(struct cursor *c)                    \
	{                                                                                \
		const void *bytes = cursor_bytes(c, sizeof(uint##bits##_t));             \
		uint##bits##_t v = 0;                                                    \
                                                                                         \
		if (bytes)                                                               \
			memcpy(&v, bytes, sizeof(v));                                    \
		return c->swap ? bswap_##bits(v) : v;                                    \
	}

CURSOR_READER(16)
CURSOR_READER(32)
CURSOR_READER(64)
#undef CURSOR_READER

uint8_t cursor_u8(struct cursor *c);

/* LEB128; a number of more than 64 bits fails. */
uint64_t cursor_varint(struct cursor *c);

/* Signed LEB128; more than ten bytes fail. */
int64_t cursor_sleb(struct cursor *c);

/* Text up to a NUL, which is consumed; a missing NUL fails and gives "". */
const char *cursor_str(struct cursor *c);

/* A cursor of its own over the next LEN bytes, which this one steps over. */
struct cursor cursor_sub(struct cursor *c, size_t len);

#endif
