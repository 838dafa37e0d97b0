/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/trace_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"

/* Whether the declaration of LEN bytes declares NAME: "pid_t prev_pid". */
static bool declares(const char *declaration, size_t len, const char *name)
{
	size_t own = strlen(name);

	return len > own && !memcmp(declaration + len - own, name, own) &&
	       (declaration[len - own - 1] == ' ' || declaration[len - own - 1] == '*');
}

static bool decode(const char *text, struct trace_field *out)
{
	uint32_t offset, size;
	int is_signed = 0;

	if (sscanf(text, "; offset:%" SCNu32 "; size:%" SCNu32 "; signed:%d", &offset,
		   &size, &is_signed) < 2)
		return false;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	*out = (struct trace_field){ offset, size, is_signed != 0 };
	return true;
}

bool trace_format_field(const char *format, const char *name, struct trace_field *out)
{
	static const char mark[] = "field:";
	const char *at = format;

	while ((at = strstr(at, mark))) {
		size_t len;

		at += sizeof(mark) - 1;
		len = strcspn(at, ";\n");
		if (declares(at, len, name))
			return decode(at + len, out);
	}
	return false;
}

bool trace_field_read(const struct trace_field *field, const void *raw, size_t len,
		      bool swap, int64_t *out)
{
	struct cursor c;
	uint64_t value;

	cursor_init(&c, raw, raw ? len : 0);
	c.swap = swap;
	cursor_bytes(&c, field->offset);
	value = field->size == 8   ? cursor_u64(&c)
		: field->size == 4 ? cursor_u32(&c)
		: field->size == 2 ? cursor_u16(&c)
		: field->size == 1 ? cursor_u8(&c)
				   : 0;
	if (!field->size || !cursor_ok(&c))
		return false;
	if (field->is_signed && field->size < 8 && value >> (8 * field->size - 1))
		value |= UINT64_MAX << (8 * field->size);
	*out = (int64_t)value;
	return true;
}

uint64_t trace_format_flags(const char *format, const char *letters)
{
	const char *at = strstr(format, "print fmt:");
	uint64_t flags = 0;

	while (at && (at = strchr(at, '{'))) {
		int64_t flag;
		char letter;

		if (sscanf(at, "{ %" SCNi64 ", \"%c\" }", &flag, &letter) == 2 &&
		    strchr(letters, letter))
			flags |= (uint64_t)flag;
		at++;
	}
	return flags;
}
