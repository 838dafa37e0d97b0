/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cursor.h"

void cursor_init(struct cursor *c, const void *bytes, size_t len)
{
	if (!bytes)
		bytes = ""; /* NULL + 0 is undefined */
	*c = (struct cursor){ .at = bytes, .end = (const unsigned char *)bytes + len };
}

void cursor_fail(struct cursor *c)
{
	c->failed = true;
	c->at = c->end;
}

uint8_t cursor_u8(struct cursor *c)
{
	const unsigned char *byte = cursor_bytes(c, 1);

	return byte ? *byte : 0;
}

uint64_t cursor_varint(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = cursor_u8(c);

		if (shift == 63 && byte > 1)
			break;
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	cursor_fail(c);
	return 0;
}

int64_t cursor_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift > 63) {
			cursor_fail(c);
			return 0;
		}
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (byte & 0x40 && shift < 64)
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

const char *cursor_str(struct cursor *c)
{
	const unsigned char *nul = NULL;
	const char *text = (const char *)c->at;

	if (!c->failed && cursor_left(c))
		nul = memchr(c->at, '\0', cursor_left(c));
	if (!nul) {
		cursor_fail(c);
		return "";
	}
	c->at = nul + 1;
	return text;
}

struct cursor cursor_sub(struct cursor *c, size_t len)
{
	struct cursor sub = { .swap = c->swap };

	sub.at = cursor_bytes(c, len);
	sub.failed = c->failed;
	sub.end = sub.at ? sub.at + len : NULL;
	return sub;
}
