/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/build_id.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/cursor.h"
#include "base/file.h"

/* The kernel's own notes take some hundred bytes. */
#define NOTES_MAX (1 << 16)

/* BEFORE: the entry's bytes before these.  Padding aligns to the entry's start. */
static const char *aligned_bytes(struct cursor *c, size_t before, size_t len,
				 size_t align)
{
	const char *bytes = cursor_bytes(c, len);
	size_t pad = -(before + len) & (align - 1);

	/* The last entry's padding may be missing. */
	cursor_bytes(c, pad < cursor_left(c) ? pad : cursor_left(c));
	return bytes;
}

static void put_hex(struct build_id *out, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *at = out->hex;

	for (size_t i = 0; i < len; i++) {
		*at++ = digits[(unsigned char)bytes[i] >> 4];
		*at++ = digits[(unsigned char)bytes[i] & 0xf];
	}
	*at = '\0';
}

void build_id_from_bytes(const void *bytes, size_t len, struct build_id *out)
{
	put_hex(out, bytes, len);
}

bool build_id_from_notes(const void *bytes, size_t len, size_t align, bool swap,
			 struct build_id *out)
{
	struct cursor c;

	out->hex[0] = '\0';
	cursor_init(&c, bytes, len);
	c.swap = swap;
	while (cursor_left(&c)) {
		uint32_t name_len = cursor_u32(&c), desc_len = cursor_u32(&c);
		uint32_t type = cursor_u32(&c);
		const char *name = aligned_bytes(&c, sizeof(Elf64_Nhdr), name_len, align);
		const char *desc = aligned_bytes(&c, 0, desc_len, align);

		if (!cursor_ok(&c))
			return false;
		if (type != NT_GNU_BUILD_ID || name_len != sizeof(ELF_NOTE_GNU) ||
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 || !desc_len ||
		    desc_len > BUILD_ID_BYTES_MAX)
			continue;
		put_hex(out, desc, desc_len);
		return true;
	}
	return false;
}

/* Hex digits after padding. */
enum { PADDED = 2 * 20 };

static bool is_padded(const char *padded, const char *id)
{
	size_t len = strlen(id);

	return strlen(padded) == PADDED && (len == 2 * 8 || len == 2 * 16) &&
	       !strncmp(padded, id, len) && strspn(padded + len, "0") == PADDED - len;
}

bool build_id_same(const char *a, const char *b)
{
	return *a && *b && (!strcmp(a, b) || is_padded(a, b) || is_padded(b, a));
}

bool build_id_unpadded(const char *hex, size_t bytes, struct build_id *out)
{
	if (strlen(hex) != PADDED || 2 * bytes >= PADDED)
		return false;
	memcpy(out->hex, hex, 2 * bytes);
	out->hex[2 * bytes] = '\0';
	return is_padded(hex, out->hex);
}

int build_id_read_notes(const char *path, struct build_id *out)
{
	struct strbuf bytes = { 0 };
	int error = file_read(path, NOTES_MAX, &bytes);

	out->hex[0] = '\0';
	if (!error && !build_id_from_notes(bytes.data, bytes.len, 4, false, out))
		error = -ENODATA;
	strbuf_release(&bytes);
	return error;
}
