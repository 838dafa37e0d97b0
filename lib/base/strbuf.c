/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strbuf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "base/varint.h"
#include "base/vec.h"

/* Most formatted text is no longer. */
enum { SHORT_TEXT = 63 };

/* Room for MORE bytes and the NUL. */
static char *reserve(struct strbuf *sb, size_t more)
{
	if (more == SIZE_MAX)
		program_die_oom();
	vec_reserve(sb, more + 1);
	return sb->data + sb->len;
}

static void added(struct strbuf *sb, size_t len)
{
	sb->len += len;
	sb->data[sb->len] = '\0';
}

void strbuf_release(struct strbuf *sb)
{
	free(sb->data);
	*sb = (struct strbuf){ 0 };
}

void strbuf_clear(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->data)
		sb->data[0] = '\0';
}

const char *strbuf_str(const struct strbuf *sb)
{
	return sb->data ? sb->data : "";
}

char *strbuf_detach(struct strbuf *sb)
{
	char *text;

	reserve(sb, 0);
	added(sb, 0);
	text = sb->data;
	*sb = (struct strbuf){ 0 };
	return text;
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len)
{
	if (!len)
		return;
	memcpy(reserve(sb, len), bytes, len);
	added(sb, len);
}

void strbuf_addstr(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addch(struct strbuf *sb, char c)
{
	*reserve(sb, 1) = c;
	added(sb, 1);
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_addfv(sb, fmt, ap);
	va_end(ap);
}

void strbuf_addfv(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(reserve(sb, SHORT_TEXT), SHORT_TEXT + 1, fmt, ap);
	if (len < 0)
		program_die_format();
	if (len > SHORT_TEXT)
		vsnprintf(reserve(sb, (size_t)len), (size_t)len + 1, fmt, again);
	added(sb, (size_t)len);
	va_end(again);
}

void strbuf_pad(struct strbuf *sb, char c, size_t count)
{
	memset(reserve(sb, count), c, count);
	added(sb, count);
}

char *strbuf_add_room(struct strbuf *sb, size_t len)
{
	char *room = reserve(sb, len);

	added(sb, len);
	return room;
}

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	assert(len <= sb->len);
	sb->len = len;
	if (sb->data)
		sb->data[len] = '\0';
}

void strbuf_add_varint(struct strbuf *sb, uint64_t value)
{
	char *out = reserve(sb, VARINT_MAX);

	added(sb, (size_t)(varint_put(out, value) - out));
}
