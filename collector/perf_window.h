/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of any size seen through a window of memory.  The file is read, not mapped: one
 * that is cut while we read it must not end us by SIGBUS.
 */
#ifndef PERF_WINDOW_H
#define PERF_WINDOW_H

#include <stddef.h>
#include <stdint.h>

enum { PERF_WINDOW_SIZE = 1 << 20 };

struct perf_window {
	int fd;          /* borrowed */
	uint64_t size;   /* of the file, when it was opened */
	int64_t changed; /* when it last was, in seconds */
	unsigned char *bytes;
	uint64_t start;
	size_t len;
};

/* 0 or a negative errno. */
int perf_window_init(struct perf_window *w, int fd) __attribute__((warn_unused_result));
void perf_window_release(struct perf_window *w);

/*
 * The LEN bytes at OFFSET, aligned to 8 if OFFSET is, or NULL where the file has not so
 * many or LEN exceeds the window.  Good until the next call.
 */
const void *perf_window_at(struct perf_window *w, uint64_t offset, size_t len);

#endif
