/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

/* The bytes of the sequence at TEXT, 1 to 4, or 0 if it is invalid. */
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

/* The code point of a valid sequence of LEN bytes. */
static uint32_t decode(const unsigned char *text, size_t len)
{
	static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t code = text[0] & first[len];

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (text[i] & 0x3f);
	return code;
}

/*
 * Controls (C0, DEL, C1), and Unicode's format characters, line and paragraph separators,
 * fillers and tags: all are invisible, and some alter visible text.
 */
static bool is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1f },       { 0x7f, 0x9f },       { 0xad, 0xad },
		{ 0x34f, 0x34f },     { 0x600, 0x605 },     { 0x61c, 0x61c },
		{ 0x6dd, 0x6dd },     { 0x70f, 0x70f },     { 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200f },
		{ 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },   { 0x110bd, 0x110bd }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* Bytes that are characters of their own, and never hidden. */
static size_t plain_length(const char *text)
{
	size_t len = 0;

	while (text[len] >= 0x20 && text[len] < 0x7f)
		len++;
	return len;
}

/* Replaces a hidden character. */
typedef void replace_fn(struct strbuf *out, uint32_t code);

/* REPLACE NULL: hidden characters stay. */
static void copy(struct strbuf *out, const char *text, replace_fn *replace)
{
	while (*text) {
		const unsigned char *at = (const unsigned char *)text;
		size_t plain = plain_length(text), len = plain ? plain : sequence(at);

		if (plain)
			strbuf_add(out, text, plain);
		else if (!len)
			strbuf_addstr(out, "\xef\xbf\xbd");
		else if (replace && is_hidden(decode(at, len)))
			replace(out, decode(at, len));
		else
			strbuf_add(out, text, len);
		text += len ? len : 1;
	}
}

static void put_mark(struct strbuf *out, uint32_t code)
{
	(void)code;
	strbuf_addch(out, '?');
}

/* Between JSON's strings, such characters are only line ends, tabs and blanks. */
static void put_escape(struct strbuf *out, uint32_t code)
{
	if (code < 0x20)
		strbuf_addch(out, (char)code);
	else if (code < 0x10000)
		strbuf_addf(out, "\\u%04x", (unsigned)code);
	else
		strbuf_addf(out, "\\u%04x\\u%04x",
			    (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
			    (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
}

void utf8_clean(struct strbuf *out, const char *text)
{
	copy(out, text, NULL);
}

void utf8_printable(struct strbuf *out, const char *text)
{
	copy(out, text, put_mark);
}

void utf8_escape(struct strbuf *out, const char *json)
{
	copy(out, json, put_escape);
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
