/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/image.h"

#include <elf.h>
#include <errno.h>
#include <zlib.h>
#include <zstd.h>

#ifndef ELFCOMPRESS_ZSTD /* glibc 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif

/*
 * Decompresses PACKED into OUT, at most LEN bytes, and returns the size; 0: it is
 * damaged.
 */
typedef uint64_t unpack_fn(struct cursor packed, char *out, size_t len);

static uint64_t unpack_zlib(struct cursor packed, char *out, size_t len)
{
	uLongf got = len;

	return uncompress((Bytef *)out, &got, packed.at, cursor_left(&packed)) == Z_OK
		       ? got
		       : 0;
}

static uint64_t unpack_zstd(struct cursor packed, char *out, size_t len)
{
	size_t got = ZSTD_decompress(out, len, packed.at, cursor_left(&packed));

	return ZSTD_isError(got) ? 0 : got;
}

static unpack_fn *const forms[] = {
	[ELFCOMPRESS_ZLIB] = unpack_zlib,
	[ELFCOMPRESS_ZSTD] = unpack_zstd,
};

/* Elf64_Chdr, Elf32_Chdr */
static int unpack(const struct elf_image *img, struct cursor packed, uint64_t max,
		  struct strbuf *out)
{
	size_t before = out->len;
	uint32_t form = cursor_u32(&packed);
	uint64_t size;

	if (img->is64)
		cursor_u32(&packed); /* reserved */
	size = elf_cursor_word(img, &packed);
	elf_cursor_word(img, &packed); /* ch_addralign */
	if (!cursor_ok(&packed) || form >= sizeof(forms) / sizeof(forms[0]) ||
	    !forms[form] || !size)
		return -ENOEXEC;
	if (size > max)
		return -EFBIG;
	if (forms[form](packed, strbuf_add_room(out, (size_t)size), (size_t)size) == size)
		return 0;
	strbuf_truncate(out, before);
	return -ENOEXEC;
}

int elf_section_unpack(const struct elf_image *img, const struct elf_section *section,
		       uint64_t max, struct strbuf *out)
{
	struct strbuf packed = { 0 };
	int error;

	if (!(section->flags & SHF_COMPRESSED))
		return elf_section_read(img, section, max, out);
	error = elf_section_read(img, section, max, &packed);
	if (!error)
		error = unpack(img, elf_image_cursor(img, &packed), max, out);
	strbuf_release(&packed);
	return error;
}
