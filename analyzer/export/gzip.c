/* SPDX-License-Identifier: Apache-2.0 */
#include "export/gzip.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "base/program.h"

enum { GZIP_WINDOW = 15 + 16 }; /* zlib's way to say gzip */
enum { CHUNK = 1 << 16, MEMORY_LEVEL = 8 };

/* zlib counts in 32 bits: the input goes in by parts. */
void gzip_add(struct strbuf *out, const void *bytes, size_t len)
{
	z_stream z = { 0 };
	const unsigned char *from = bytes;
	int status = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
				  MEMORY_LEVEL, Z_DEFAULT_STRATEGY);

	if (status != Z_OK)
		program_die_oom();
	do {
		size_t part = len < CHUNK ? len : CHUNK;

		z.next_in = (unsigned char *)(uintptr_t)from;
		z.avail_in = (unsigned)part;
		from += part;
		len -= part;
		do {
			size_t before = out->len;

			z.next_out = (unsigned char *)strbuf_add_room(out, CHUNK);
			z.avail_out = CHUNK;
			status = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
			strbuf_truncate(out, before + CHUNK - z.avail_out);
		} while (!z.avail_out);
	} while (len);
	assert(status == Z_STREAM_END);
	deflateEnd(&z);
}
