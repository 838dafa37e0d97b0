/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_stream.h"

#include <stdlib.h>

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
	free(s->name);
}

void perf_stream_see(struct perf_stream *s, uint64_t time)
{
	if (time <= s->newest)
		return;
	s->newest = time;
	if (!s->rounds)
		s->reached = time;
}

void perf_stream_round(struct perf_stream *s)
{
	s->rounds = true;
	s->reached = s->round;
	s->round = s->newest;
}

void perf_stream_end(struct perf_stream *s)
{
	if (s->window.stream)
		s->end = s->window.size;
	if (s->at != s->end)
		s->truncated = true;
	s->ended = true;
}
