/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

/* The bytes of the sequence at TEXT, 1 to 4, or 0 where it is not valid. */
static size_t sequence(const unsigned char *text)
{
	size_t len = text[0] < 0x80   ? 1
		     : text[0] < 0xc2 ? 0
		     : text[0] < 0xe0 ? 2
		     : text[0] < 0xf0 ? 3
		     : text[0] < 0xf5 ? 4
				      : 0;

	for (size_t i = 1; i < len; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, beyond U+10FFFF */
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return len;
}

static void copy(struct strbuf *out, const char *text, bool printable)
{
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t len = sequence((const unsigned char *)text);

		if (!len)
			strbuf_addstr(out, "\xef\xbf\xbd");
		else if (printable && (c < 0x20 || c == 0x7f ||
				       (c == 0xc2 && (unsigned char)text[1] < 0xa0)))
			strbuf_addch(out, '?');
		else
			strbuf_add(out, text, len);
		text += len ? len : 1;
	}
}

void utf8_clean(struct strbuf *out, const char *text)
{
	copy(out, text, false);
}

void utf8_printable(struct strbuf *out, const char *text)
{
	copy(out, text, true);
}

size_t utf8_length(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

const char *utf8_at(const char *text, size_t n)
{
	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80 && !n--)
			return text;
	return text;
}
