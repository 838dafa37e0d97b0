/* SPDX-License-Identifier: Apache-2.0 */
#include "perf_stream.h"

int perf_stream_init(struct perf_stream *s, int fd, size_t window)
{
	int error;

	*s = (struct perf_stream){ 0 };
	error = perf_window_init(&s->window, fd, window);
	s->end = s->window.size;
	return error;
}

void perf_stream_release(struct perf_stream *s)
{
	perf_unzip_release(&s->unzip);
	perf_window_release(&s->window);
}

void perf_stream_end(struct perf_stream *s)
{
	if (s->window.stream)
		s->end = s->window.size;
	if (s->at != s->end)
		s->truncated = true;
}
