/* SPDX-License-Identifier: Apache-2.0 */
#include "render/text_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/xalloc.h"

static void put_cut(struct strbuf *out, const char *text, size_t room,
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

/* The last KEPT in TEXT; NULL: it has none. */
static const char *find_kept(const char *text, const char *kept)
{
	const char *found = NULL, *at = text;

	while (kept && (at = strstr(at, kept)))
		found = at++;
	return found;
}

/* The least room for what is on each side of the kept part. */
enum { SIDE_MIN = 6 };

/* TEXT with the part from KEPT to REST: most of the room is for what is before it. */
static void put_around(struct strbuf *out, const char *text, const char *kept,
		       const char *rest, size_t room, struct text_cut cut)
{
	size_t left = room - (size_t)(rest - kept), before, behind = utf8_length(rest);
	char *head = xstrndup(text, (size_t)(kept - text));

	before = utf8_length(head);
	if (before + behind > left) {
		size_t least = left / 3 > SIDE_MIN ? left / 3 : SIDE_MIN;

		if (behind > least)
			behind = before + least < left ? left - before : least;
		before = left - behind;
	}
	put_cut(out, head, before, cut);
	strbuf_add(out, kept, (size_t)(rest - kept));
	put_cut(out, rest, behind, cut);
	free(head);
}

void text_put_shortened(struct strbuf *out, const char *text, size_t room,
			struct text_cut cut)
{
	const char *kept = find_kept(text, cut.kept), *rest = kept;

	if (kept) {
		rest += strlen(cut.kept);
		rest += strspn(rest, "0123456789");
	}
	if (!kept || utf8_length(text) <= room)
		put_cut(out, text, room, cut);
	else if (room >= (size_t)(rest - kept) + 2 * SIDE_MIN)
		put_around(out, text, kept, rest, room, cut);
	else
		put_cut(out, kept + strspn(kept, ", "), room,
			(struct text_cut){ true, cut.mark, NULL });
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
