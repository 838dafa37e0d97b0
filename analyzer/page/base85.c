/* SPDX-License-Identifier: Apache-2.0 */
#include "page/base85.h"

#include <stdint.h>

enum { GROUP = 4, DIGITS = 5, BASE = 85 };

static const char digits[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	"!#$%.[]*+-;,=>?@^_`{|}~";

/* LEN bytes, at most four; those behind them are zero. */
static void put_group(struct base85 *b, const unsigned char *bytes, size_t len)
{
	uint32_t group = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
			 (uint32_t)bytes[2] << 8 | bytes[3];
	char text[DIGITS];

	for (int i = DIGITS - 1; i >= 0; i--) {
		text[i] = digits[group % BASE];
		group /= BASE;
	}
	strbuf_add(&b->out->text, text, len + 1);
}

int base85_write(void *base85, const char *bytes, size_t len)
{
	struct base85 *b = base85;

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

void base85_end(struct base85 *b)
{
	size_t len = b->rest_len;

	while (b->rest_len && b->rest_len < GROUP)
		b->rest[b->rest_len++] = 0;
	if (len)
		put_group(b, b->rest, len);
	b->rest_len = 0;
}
