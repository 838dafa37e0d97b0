/* SPDX-License-Identifier: Apache-2.0 */
#include "perf_window.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xalloc.h"

int perf_window_init(struct perf_window *w, int fd)
{
	struct stat st;

	*w = (struct perf_window){ .fd = fd };
	if (fstat(fd, &st) < 0)
		return -errno;
	w->size = (uint64_t)st.st_size;
	w->changed = st.st_mtime;
	w->bytes = xmalloc(PERF_WINDOW_SIZE);
	return 0;
}

void perf_window_release(struct perf_window *w)
{
	free(w->bytes);
	*w = (struct perf_window){ .fd = -1 };
}

static void move(struct perf_window *w, uint64_t start)
{
	w->start = start;
	w->len = 0;
	while (w->len < PERF_WINDOW_SIZE) {
		ssize_t n = pread(w->fd, w->bytes + w->len, PERF_WINDOW_SIZE - w->len,
				  (off_t)(start + w->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		w->len += (size_t)n;
	}
}

const void *perf_window_at(struct perf_window *w, uint64_t offset, size_t len)
{
	if (offset > w->size || len > w->size - offset || len > PERF_WINDOW_SIZE - 8)
		return NULL;
	if (offset < w->start || offset - w->start > w->len ||
	    len > w->len - (size_t)(offset - w->start))
		move(w, offset & ~UINT64_C(7));
	if (offset - w->start > w->len || len > w->len - (size_t)(offset - w->start))
		return NULL;
	return w->bytes + (offset - w->start);
}
