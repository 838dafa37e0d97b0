/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text on its way to a file.  The writer of an answer puts its bytes into TEXT, and calls
 * stream_pass after each row: so an answer of any length needs little memory.
 *
 * The first error sticks.  Nothing is written after it.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/strbuf.h"

/* 0 or a negative errno. */
typedef int stream_write_fn(void *ctx, const char *text, size_t len);

struct stream {
	struct strbuf text;     /* not passed on yet */
	stream_write_fn *write; /* NULL: TEXT keeps everything */
	void *ctx;
	int error;
};

/* To FILE, which keeps its errors too. */
void stream_init_file(struct stream *stream, FILE *file);

/* To a new file at PATH, which stream_close closes.  0 or a negative errno. */
int stream_create(struct stream *stream, const char *path)
	__attribute__((warn_unused_result));

/* Passes on the text, once there is enough.  False: there was an error; write no more. */
bool stream_pass(struct stream *stream);

/* Passes on all text, and releases TEXT.  0 or the first error. */
int stream_end(struct stream *stream) __attribute__((warn_unused_result));

/* The same, of stream_create. */
int stream_close(struct stream *stream) __attribute__((warn_unused_result));

#endif
