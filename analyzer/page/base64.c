/* SPDX-License-Identifier: Apache-2.0 */
#include "page/base64.h"

enum { GROUP = 3, DIGITS = 4 };

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* LEN bytes, at most three. */
static void put_group(const unsigned char *bytes, size_t len, struct strbuf *out)
{
	unsigned group = 0;

	for (size_t i = 0; i < GROUP; i++)
		group = group << 8 | (i < len ? bytes[i] : 0);
	for (size_t i = 0; i < DIGITS; i++)
		strbuf_addch(out, i <= len ? digits[group >> (18 - 6 * i) & 63] : '=');
}

void base64_put(const unsigned char *bytes, size_t len, struct strbuf *out)
{
	for (size_t at = 0; at < len; at += GROUP)
		put_group(bytes + at, len - at < GROUP ? len - at : GROUP, out);
}
