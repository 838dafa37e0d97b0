/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/mini.h"

#include <errno.h>
#include <lzma.h>

/* The decoder's memory limit: the stream chooses the size of its dictionary. */
#define DECODER_MAX ((uint64_t)128 << 20)

enum { CHUNK = 1 << 18 };

static int decode(lzma_stream *xz, uint64_t max, struct strbuf *out)
{
	lzma_ret status = LZMA_OK;

	while (status == LZMA_OK) {
		if (out->len > max)
			return -EFBIG;
		xz->next_out = (uint8_t *)strbuf_add_room(out, CHUNK);
		xz->avail_out = CHUNK;
		status = lzma_code(xz, LZMA_FINISH);
		strbuf_truncate(out, out->len - xz->avail_out);
	}
	return status == LZMA_STREAM_END ? 0 : -ENOEXEC;
}

static int unpack(const struct strbuf *packed, uint64_t max, struct strbuf *out)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	int error = -ENOEXEC;

	if (lzma_stream_decoder(&xz, DECODER_MAX, 0) == LZMA_OK) {
		xz.next_in = (const uint8_t *)packed->data;
		xz.avail_in = packed->len;
		error = decode(&xz, max, out);
	}
	lzma_end(&xz);
	return error;
}

int elf_mini_open(const struct elf_image *img, struct strbuf *bytes,
		  struct elf_image *out)
{
	const struct elf_section *section = elf_section_named(img, ".gnu_debugdata");
	struct strbuf packed = { 0 };
	int error = section ? elf_section_read(img, section, ELF_MINI_MAX, &packed)
			    : -ENOENT;

	*bytes = (struct strbuf){ 0 };
	if (!error)
		error = unpack(&packed, elf_image_most(img, ELF_MINI_MAX), bytes);
	if (!error && !elf_image_take(img, bytes->len))
		error = -EFBIG;
	else if (error == -EFBIG && img->quota)
		img->quota->refused++;
	if (!error)
		error = elf_image_memory(out, bytes->data, bytes->len);
	if (error)
		strbuf_release(bytes);
	strbuf_release(&packed);
	return error;
}
