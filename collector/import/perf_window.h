/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of any size seen through a window of memory.  The file is read, not mapped:
 * truncating it meanwhile must not end us by SIGBUS.  Pipes work too, if offsets never go
 * back beyond the window.
 */
#ifndef PERF_WINDOW_H
#define PERF_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the window, and the least size that holds any record. */
enum { PERF_WINDOW_SIZE = 1 << 20, PERF_WINDOW_LEAST = 128 << 10 };

/* The size of a pipe that has not ended yet. */
#define PERF_WINDOW_ENDLESS UINT64_MAX

struct perf_window {
	int fd;          /* borrowed */
	bool stream;     /* no regular file */
	uint64_t size;   /* of the file, when it was opened */
	int64_t changed; /* time of its last change, in seconds; of a pipe, its end */
	unsigned char *bytes;
	size_t room;
	uint64_t start;
	size_t len;
};

/* ROOM: the bytes of the window.  0 or a negative errno. */
int perf_window_init(struct perf_window *w, int fd, size_t room)
	__attribute__((warn_unused_result));
void perf_window_release(struct perf_window *w);

static inline bool perf_window_has(const struct perf_window *w, uint64_t offset,
				   size_t len)
{
	return offset >= w->start && offset - w->start <= w->len &&
	       len <= w->len - (size_t)(offset - w->start);
}

/* The part of perf_window_at that moves the window. */
const void *perf_window_move(struct perf_window *w, uint64_t offset, size_t len);

/*
 * The LEN bytes at OFFSET, aligned to 8 if OFFSET is, or NULL if the file has fewer or
 * LEN exceeds the window.  Valid until the next call.
 */
static inline const void *perf_window_at(struct perf_window *w, uint64_t offset,
					 size_t len)
{
	return perf_window_has(w, offset, len) ? w->bytes + (offset - w->start)
					       : perf_window_move(w, offset, len);
}

#endif
