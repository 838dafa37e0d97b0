/* SPDX-License-Identifier: Apache-2.0 */
#include "render/text_fit.h"

#include <string.h>

#include "base/utf8.h"

void text_put_shortened(struct strbuf *out, const char *text, size_t room,
			struct text_cut cut)
{
	size_t len = utf8_length(text), left, head;

	if (len <= room) {
		strbuf_addstr(out, text);
		return;
	}
	left = room - utf8_length(cut.mark);
	head = cut.at_end ? left : (left + 1) / 2;
	strbuf_add(out, text, (size_t)(utf8_at(text, head) - text));
	strbuf_addstr(out, cut.mark);
	strbuf_addstr(out, utf8_at(text, len - (left - head)));
}

/* Columns that the first LEN bytes of TEXT take. */
static size_t columns_of(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

void text_put_wrapped(struct strbuf *out, const char *text, size_t indent, size_t width)
{
	size_t used = indent;

	while (*text) {
		size_t blanks = strspn(text, " "), len = strcspn(text + blanks, " ");
		size_t need = blanks + columns_of(text + blanks, len);

		if (width && used > indent && used + need > width) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', indent);
			used = indent;
			text += blanks;
			need -= blanks;
			blanks = 0;
		}
		strbuf_add(out, text, blanks + len);
		used += need;
		text += blanks + len;
	}
}

void text_end_line(struct strbuf *out, size_t start)
{
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	if (out->len > start)
		strbuf_addch(out, '\n');
}
