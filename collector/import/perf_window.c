/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Read at once: small enough to be in the CPU's cache when it is processed. */
enum { READ_AHEAD = 128 << 10 };

int perf_window_init(struct perf_window *w, int fd, size_t room)
{
	struct stat st;

	*w = (struct perf_window){ .fd = fd, .room = room };
	if (fstat(fd, &st) < 0)
		return -errno;
	w->stream = !S_ISREG(st.st_mode);
	w->size = w->stream ? PERF_WINDOW_ENDLESS : (uint64_t)st.st_size;
	w->changed = w->stream ? time(NULL) : st.st_mtime;
	w->bytes = xmalloc(room);
	return 0;
}

void perf_window_release(struct perf_window *w)
{
	free(w->bytes);
	*w = (struct perf_window){ .fd = -1 };
}

/* Reads behind the present bytes, up to MOST in all; from a pipe, what is available. */
static size_t read_on(const struct perf_window *w, size_t most)
{
	unsigned char *to = w->bytes + w->len;
	ssize_t n;

	do
		n = w->stream
			    ? read(w->fd, to, w->room - w->len)
			    : pread(w->fd, to, most - w->len, (off_t)(w->start + w->len));
	while (n < 0 && errno == EINTR);
	return n > 0 ? (size_t)n : 0;
}

/* Fills the window behind its first LEN bytes, up to LEAST or the end. */
static void fill(struct perf_window *w, size_t least)
{
	while (w->len < least) {
		size_t n = read_on(w, least);

		if (!n && w->stream) {
			w->size = w->start + w->len;
			w->changed = time(NULL);
		}
		if (!n)
			return;
		w->len += n;
	}
}

static void move(struct perf_window *w, uint64_t start, size_t len)
{
	w->start = start;
	w->len = 0;
	if (len < READ_AHEAD)
		len = READ_AHEAD < w->room ? READ_AHEAD : w->room;
	fill(w, len);
}

/* Drops the bytes before START; waits for no more than the LEN requested. */
static void advance(struct perf_window *w, uint64_t start, size_t len)
{
	while (start - w->start > w->len && w->size == PERF_WINDOW_ENDLESS) {
		w->start += w->len;
		w->len = 0;
		fill(w, 1);
	}
	if (start - w->start > w->len)
		return;
	w->len -= (size_t)(start - w->start);
	memmove(w->bytes, w->bytes + (start - w->start), w->len);
	w->start = start;
	fill(w, len);
}

const void *perf_window_move(struct perf_window *w, uint64_t offset, size_t len)
{
	uint64_t aligned = offset & ~UINT64_C(7);
	size_t wanted = len + (size_t)(offset - aligned);

	if (offset > w->size || len > w->size - offset || len > w->room - 8)
		return NULL;
	if (!w->stream)
		move(w, aligned, wanted);
	else if (aligned >= w->start)
		advance(w, aligned, wanted);
	return perf_window_has(w, offset, len) ? w->bytes + (offset - w->start) : NULL;
}
