/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/ocaml_name.h"

#include <string.h>

static const char prefix[] = "caml";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Of a digit as OCaml writes it; -1: it is none. */
static int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The printable byte that "$2b" at AT stands for, or 0. */
static char escaped(const char *at, const char *end)
{
	int high, low;

	if (end - at < 3 || *at != '$')
		return 0;
	high = hex_value(at[1]);
	low = hex_value(at[2]);
	return high >= 2 && high <= 7 && low >= 0 && !(high == 7 && low == 15)
		       ? (char)(high << 4 | low)
		       : 0;
}

static bool is_joint(const char *at, const char *end)
{
	return end - at > 2 && at[0] == '_' && at[1] == '_';
}

/* Without the number behind the name. */
static const char *before_number(const char *raw, const char *end)
{
	const char *at = end;

	while (at > raw && is_digit(at[-1]))
		at--;
	return at < end && at - raw > 2 && at[-1] == '_' && at[-2] != '_' ? at - 1 : end;
}

static bool is_anonymous(const char *raw, const char *end)
{
	static const char *const names[] = { "__fun", ".fun" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t len = strlen(names[i]);

		if ((size_t)(end - raw) > len && !memcmp(end - len, names[i], len))
			return true;
	}
	return false;
}

bool ocaml_name(const char *raw, size_t len, bool is_short, struct strbuf *out)
{
	const size_t start = sizeof(prefix) - 1, before = out->len;
	const char *end = raw + len, *named = before_number(raw, end);
	bool joined = false;

	if (len <= start || memcmp(raw, prefix, start) != 0 || raw[start] < 'A' ||
	    raw[start] > 'Z')
		return false;
	if (is_short && !is_anonymous(raw, named))
		end = named;
	for (const char *at = raw + start; at < end;) {
		const char byte = escaped(at, end);
		const bool joint = is_joint(at, end);

		strbuf_addch(out, byte ? byte : joint ? '.' : *at);
		joined |= joint || *at == '.';
		at += byte ? 3 : joint ? 2 : 1;
	}
	if (!joined)
		strbuf_truncate(out, before);
	return joined;
}
