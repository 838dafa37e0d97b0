/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of any size seen through a window of memory.  The file is read, not mapped: one
 * that is cut while we read it must not end us by SIGBUS.  A pipe is seen so too, as far
 * as nobody looks back: offsets must not go back by more than what the window still has.
 */
#ifndef PERF_WINDOW_H
#define PERF_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a file is seen through, and what holds any record of it. */
enum { PERF_WINDOW_SIZE = 1 << 20, PERF_WINDOW_LEAST = 128 << 10 };

/* The size of a pipe that has not ended yet. */
#define PERF_WINDOW_ENDLESS UINT64_MAX

struct perf_window {
	int fd;          /* borrowed */
	bool stream;     /* no regular file */
	uint64_t size;   /* of the file, when it was opened */
	int64_t changed; /* when it last was, in seconds; a pipe until it ends */
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

/* What perf_window_at does where the window is elsewhere. */
const void *perf_window_move(struct perf_window *w, uint64_t offset, size_t len);

/*
 * The LEN bytes at OFFSET, aligned to 8 if OFFSET is, or NULL where the file has not so
 * many or LEN exceeds the window.  Good until the next call.
 */
static inline const void *perf_window_at(struct perf_window *w, uint64_t offset,
					 size_t len)
{
	return perf_window_has(w, offset, len) ? w->bytes + (offset - w->start)
					       : perf_window_move(w, offset, len);
}

#endif
