/* SPDX-License-Identifier: Apache-2.0 */
#include "page/base64.h"

enum { GROUP = 3, DIGITS = 4 };

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* LEN bytes, at most three; those behind them are zero. */
static void put_group(struct base64 *b, const unsigned char *bytes, size_t len)
{
	unsigned group = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
	char text[DIGITS];

	for (int i = 0; i < DIGITS; i++)
		text[i] = (size_t)i <= len ? digits[group >> (18 - 6 * i) & 63] : '=';
	strbuf_add(&b->out->text, text, DIGITS);
}

int base64_write(void *base64, const char *bytes, size_t len)
{
	struct base64 *b = base64;

	for (size_t i = 0; i < len; i++) {
		b->rest[b->rest_len++] = (unsigned char)bytes[i];
		if (b->rest_len < GROUP)
			continue;
		put_group(b, b->rest, GROUP);
		b->rest_len = 0;
	}
	stream_pass(b->out);
	return b->out->error;
}

void base64_end(struct base64 *b)
{
	size_t len = b->rest_len;

	while (b->rest_len && b->rest_len < GROUP)
		b->rest[b->rest_len++] = 0;
	if (len)
		put_group(b, b->rest, len);
	b->rest_len = 0;
}
