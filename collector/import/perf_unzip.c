/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_unzip.h"

#include <errno.h>
#include <string.h>

#include <zstd.h>

enum { CHUNK = 128 << 10 };

void perf_unzip_release(struct perf_unzip *u)
{
	ZSTD_freeDStream(u->stream);
	strbuf_release(&u->plain);
	*u = (struct perf_unzip){ 0 };
}

/* Appends a chunk to the waiting bytes; returns its size or -EBADMSG. */
static int64_t expand(struct perf_unzip *u, ZSTD_inBuffer *in)
{
	size_t before = u->plain.len;
	ZSTD_outBuffer out = { .dst = strbuf_add_room(&u->plain, CHUNK), .size = CHUNK };
	size_t left = ZSTD_decompressStream(u->stream, &out, in);

	strbuf_truncate(&u->plain, before + out.pos);
	return ZSTD_isError(left) ? -EBADMSG : (int64_t)out.pos;
}

static int hand_out(struct perf_unzip *u, perf_unzip_fn *fn, void *ctx)
{
	int64_t taken = u->plain.len ? fn(ctx, u->plain.data, u->plain.len) : 0;

	if (taken < 0)
		return (int)taken;
	if (taken)
		memmove(u->plain.data, u->plain.data + taken,
			u->plain.len - (size_t)taken);
	strbuf_truncate(&u->plain, u->plain.len - (size_t)taken);
	return 0;
}

int perf_unzip(struct perf_unzip *u, const void *bytes, size_t len, perf_unzip_fn *fn,
	       void *ctx)
{
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	size_t total = 0;
	int64_t got;
	int error;

	if (!u->stream)
		u->stream = ZSTD_createDStream();
	if (!u->stream)
		return -ENOMEM;
	/* after a full chunk there may be more, though all input is taken */
	do {
		got = expand(u, &in);
		if (got < 0 || (total += (size_t)got) > PERF_UNZIP_MAX)
			return -EBADMSG;
		error = hand_out(u, fn, ctx);
		if (error)
			return error;
	} while (in.pos < in.size || got == CHUNK);
	return 0;
}
