/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lines.h"

#include <string.h>

struct text text_until(struct text *rest, char c)
{
	const char *stop = NULL;
	struct text head = *rest;

	if (text_len(rest))
		stop = memchr(rest->at, c, text_len(rest));
	head.end = stop ? stop : rest->end;
	rest->at = stop ? stop + 1 : rest->end;
	return head;
}

bool text_line(struct text *rest, struct text *line)
{
	if (!text_len(rest))
		return false;
	*line = text_until(rest, '\n');
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool text_hex(struct text text, uint64_t *out)
{
	uint64_t value = 0;

	if (text_len(&text) > 2 && text.at[0] == '0' && (text.at[1] | 0x20) == 'x')
		text.at += 2;
	if (!text_len(&text) || text_len(&text) > 16)
		return false;
	for (; text.at < text.end; text.at++) {
		int digit = hex_digit(*text.at);

		if (digit < 0)
			return false;
		value = value << 4 | (unsigned)digit;
	}
	*out = value;
	return true;
}
