/* SPDX-License-Identifier: Apache-2.0 */
#include "render/gzip.h"

#include <assert.h>
#include <stdint.h>

#include "base/program.h"

enum { GZIP_WINDOW = 15 + 16 }; /* zlib's code for gzip */
enum { CHUNK = 1 << 16, MEMORY_LEVEL = 8 };

void gzip_begin(struct gzip *gzip, struct stream *out)
{
	*gzip = (struct gzip){ .out = out };
	if (deflateInit2(&gzip->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
			 MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		program_die_oom();
}

/* Calls STEP with room for output until it leaves some. */
typedef void zlib_step(z_stream *z, int how);

static void compress_part(struct gzip *gzip, zlib_step *step, int how)
{
	struct strbuf *text = &gzip->out->text;

	do {
		size_t before = text->len;

		gzip->z.next_out = (unsigned char *)strbuf_add_room(text, CHUNK);
		gzip->z.avail_out = CHUNK;
		step(&gzip->z, how);
		strbuf_truncate(text, before + CHUNK - gzip->z.avail_out);
		stream_pass(gzip->out);
	} while (!gzip->z.avail_out);
}

/* Compresses the waiting input. */
static void compress_input(z_stream *z, int flush)
{
	deflate(z, flush);
}

static void set_strategy(z_stream *z, int strategy)
{
	deflateParams(z, Z_DEFAULT_COMPRESSION, strategy);
}

/* zlib counts in 32 bits: the input goes in by parts. */
int gzip_write(void *ctx, const char *bytes, size_t len)
{
	struct gzip *gzip = ctx;

	for (size_t part; len && !gzip->out->error; len -= part, bytes += part) {
		part = len < CHUNK ? len : CHUNK;
		gzip->z.next_in = (unsigned char *)(uintptr_t)bytes;
		gzip->z.avail_in = (unsigned)part;
		compress_part(gzip, compress_input, Z_NO_FLUSH);
		assert(!gzip->z.avail_in);
	}
	return gzip->out->error;
}

void gzip_set_numbers(struct gzip *gzip, bool numbers)
{
	compress_part(gzip, set_strategy, numbers ? Z_FILTERED : Z_DEFAULT_STRATEGY);
}

void gzip_end(struct gzip *gzip)
{
	compress_part(gzip, compress_input, Z_FINISH);
	deflateEnd(&gzip->z);
}
