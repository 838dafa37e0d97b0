/* SPDX-License-Identifier: Apache-2.0 */
#include "render/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { IN_MEMORY = 1 << 20, PIECE = 1 << 16 };

const char *spool_folder(void)
{
	const char *folder = getenv("TMPDIR");

	if (folder && *folder)
		return folder;
	return access("/var/tmp", W_OK) ? "/tmp" : "/var/tmp";
}

static int last_error(void)
{
	return errno ? -errno : -EIO;
}

static int open_file(struct spool *spool)
{
	struct strbuf path = { 0 };
	int fd, error = 0;

	strbuf_addf(&path, "%s/er_print.XXXXXX", spool_folder());
	fd = mkostemp(path.data, O_CLOEXEC);
	if (fd < 0)
		error = -errno;
	else
		unlink(path.data);
	strbuf_release(&path);
	if (error)
		return error;
	spool->file = fdopen(fd, "w+");
	if (spool->file)
		return 0;
	error = -errno;
	close(fd);
	return error;
}

static int write_file(struct spool *spool, const char *text, size_t len)
{
	errno = 0;
	return fwrite(text, 1, len, spool->file) == len ? 0 : last_error();
}

/* From memory into the file. */
static int move_out(struct spool *spool)
{
	int error = open_file(spool);

	if (!error)
		error = write_file(spool, spool->text.data, spool->text.len);
	strbuf_release(&spool->text);
	return error;
}

int spool_flush(struct spool *spool)
{
	errno = 0;
	return spool->file && fflush(spool->file) ? last_error() : 0;
}

int spool_write(void *ctx, const char *text, size_t len)
{
	struct spool *spool = ctx;
	int error = 0;

	if (!len)
		return 0;
	spool->len += len;
	if (!spool->file && spool->len <= IN_MEMORY) {
		strbuf_add(&spool->text, text, len);
		return 0;
	}
	if (!spool->file)
		error = move_out(spool);
	return error ? error : write_file(spool, text, len);
}

/* A file that somebody cut is an error as well. */
static int copy_file(const struct spool *spool, stream_write_fn *write, void *ctx)
{
	uint64_t left = spool->len;
	char piece[PIECE];
	int error = 0;

	errno = 0;
	if (fflush(spool->file) || fseeko(spool->file, 0, SEEK_SET))
		return last_error();
	while (left && !error) {
		size_t most = left < sizeof(piece) ? (size_t)left : sizeof(piece);
		size_t got = fread(piece, 1, most, spool->file);

		if (!got)
			return last_error();
		error = write(ctx, piece, got);
		left -= got;
	}
	return error;
}

int spool_copy(const struct spool *spool, stream_write_fn *write, void *ctx)
{
	if (spool->file)
		return copy_file(spool, write, ctx);
	return spool->text.len ? write(ctx, spool->text.data, spool->text.len) : 0;
}

void spool_release(struct spool *spool)
{
	if (spool->file)
		fclose(spool->file);
	strbuf_release(&spool->text);
	*spool = (struct spool){ 0 };
}
