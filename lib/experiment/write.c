/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/encode.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum {
	BLOCK_ROWS = 32768,   /* a table with this many makes a flush due */
	BLOCK_TEXT = 4 << 20, /* or this many bytes of text */
	TEXT_MAX = 64 << 10,
};

struct exp_writer {
	int fd;
	int status;
	uint64_t bytes;
	struct exp_rows tables[EXP_TABLES];
	uint64_t flushed[EXP_TABLES]; /* rows */
	struct exp_encoder encoder;
	struct strbuf out;
};

static void flush_if_due(struct exp_writer *w, const struct exp_rows *rows)
{
	int error = 0;

	if (rows->count >= BLOCK_ROWS || rows->text.len >= BLOCK_TEXT)
		error = exp_writer_flush(w);
	(void)error; /* it sticks, for exp_writer_status */
}

void exp_write_row(struct exp_writer *w, enum exp_table table, const uint64_t *values)
{
	struct exp_rows *rows = &w->tables[table];

	exp_rows_add(rows, values);
	flush_if_due(w, rows);
}

void exp_write_string(struct exp_writer *w, const char *text)
{
	struct exp_rows *rows = &w->tables[EXP_STRINGS];
	size_t len = strnlen(text, TEXT_MAX);

	exp_rows_add(rows, (uint64_t[EXP_STRING_COLUMNS]){ len });
	strbuf_add(&rows->text, text, len);
	flush_if_due(w, rows);
}

/*
 * Removes a block that was written in part (a full disk), so the file ends with a whole
 * one.
 */
static void write_out(struct exp_writer *w)
{
	int cut = 0;

	w->status = file_write(w->fd, w->out.data, w->out.len);
	if (!w->status)
		w->bytes += w->out.len;
	else
		cut = ftruncate(w->fd, (off_t)w->bytes);
	(void)cut; /* if that fails, the reader still finds the last whole block */
	strbuf_clear(&w->out);
}

int exp_writer_flush(struct exp_writer *w)
{
	for (unsigned t = EXP_STRINGS; t < EXP_TABLES && !w->status; t++) {
		struct exp_rows *rows = &w->tables[t];

		if (rows->count)
			w->status = exp_block_encode(&w->encoder, rows, &w->out);
		if (!w->status)
			write_out(w); /* if the disk is full, the rows before are kept */
		if (w->status)
			break;
		w->flushed[t] += rows->count;
		exp_rows_clear(rows);
	}
	return w->status;
}

uint64_t exp_writer_rows(const struct exp_writer *w, enum exp_table table)
{
	return w->flushed[table] + w->tables[table].count;
}

int exp_writer_status(const struct exp_writer *w)
{
	return w->status;
}

uint64_t exp_writer_missing_ns(const struct exp_writer *w)
{
	const struct exp_rows *rows = &w->tables[EXP_SAMPLES];

	return w->status && rows->count ? rows->column[EXP_SAMPLE_TIME_NS][0]
					: UINT64_MAX;
}

uint64_t exp_writer_bytes(const struct exp_writer *w)
{
	return w->bytes;
}

int exp_writer_close(struct exp_writer *w)
{
	int status;

	if (!w)
		return 0;
	status = exp_writer_flush(w);
	if (close(w->fd) < 0 && !status)
		status = -errno;
	for (unsigned t = 0; t < EXP_TABLES; t++)
		exp_rows_release(&w->tables[t]);
	exp_encoder_release(&w->encoder);
	strbuf_release(&w->out);
	free(w);
	return status;
}

int exp_writer_open_at(int dir, struct exp_writer **out)
{
	int fd = folder_create_file(dir, EXP_DATA_FILE, 0644);
	struct exp_writer *w;

	if (fd < 0)
		return fd;
	fcntl(fd, F_SETFL, O_APPEND); /* removing a partial block leaves no hole */
	/* by which readers know that it grows */
	fcntl(fd, F_SETLK, &(struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET });
	w = xcalloc(1, sizeof(*w));
	w->fd = fd;
	for (unsigned t = EXP_STRINGS; t < EXP_TABLES; t++)
		w->tables[t].table = t;
	/* At once: even if we are killed soon, this is an experiment. */
	exp_header_encode(&w->out);
	write_out(w);
	if (w->status)
		return exp_writer_close(w);
	*out = w;
	return 0;
}

int exp_writer_open(const char *dir, struct exp_writer **out)
{
	int fd = folder_open(dir), error;

	if (fd < 0)
		return fd;
	error = exp_writer_open_at(fd, out);
	close(fd);
	return error;
}
