/* SPDX-License-Identifier: Apache-2.0 */
#include "render/stream.h"

#include <errno.h>

enum { PIECE = 1 << 16 };

static int write_to_file(void *file, const char *text, size_t len)
{
	errno = 0;
	if (fwrite(text, 1, len, file) == len)
		return 0;
	return errno ? -errno : -EIO;
}

void stream_init_file(struct stream *stream, FILE *file)
{
	*stream = (struct stream){ .write = write_to_file, .ctx = file };
}

int stream_create(struct stream *stream, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return -errno;
	stream_init_file(stream, file);
	return 0;
}

static void pass_all(struct stream *stream)
{
	if (!stream->write)
		return;
	if (stream->text.len && !stream->error)
		stream->error = stream->write(stream->ctx, stream->text.data,
					      stream->text.len);
	strbuf_clear(&stream->text);
}

bool stream_pass(struct stream *stream)
{
	if (stream->text.len >= PIECE)
		pass_all(stream);
	return !stream->error;
}

int stream_end(struct stream *stream)
{
	pass_all(stream);
	strbuf_release(&stream->text);
	return stream->error;
}

int stream_close(struct stream *stream)
{
	FILE *file = stream->ctx;
	int error = stream_end(stream);

	if (fclose(file) && !error)
		error = -errno;
	return error;
}
