/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_folder.h"

#include "import/perf_walk.h"

/* An interrupt may take its time stamp before the record in front of it. */
enum { SLACK_NS = 1000000 };

static struct perf_stream *stream_at(struct perf_file *f, size_t i)
{
	return i ? &f->parts.data[i - 1] : &f->own;
}

/*
 * The stream that is furthest behind, NULL if all have ended; *NEXT: the position of the
 * one before it.
 */
static struct perf_stream *last_of(struct perf_file *f, uint64_t *next)
{
	struct perf_stream *last = NULL;

	*next = UINT64_MAX;
	for (size_t i = 0; i <= f->parts.len; i++) {
		struct perf_stream *s = stream_at(f, i);

		if (s->ended)
			continue;
		if (!last || s->reached < last->reached) {
			*next = last ? last->reached : UINT64_MAX;
			last = s;
		} else if (s->reached < *next) {
			*next = s->reached;
		}
	}
	return last;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* Reads W's stream up to a record of that time. */
static int go_on(struct perf_walk *w, uint64_t time)
{
	int more = 1;

	while (more > 0 && w->stream->reached <= time)
		more = perf_walk_step(w);
	if (!more)
		perf_stream_end(w->stream);
	return more < 0 ? more : 0;
}

int perf_folder_read(struct perf_file *f, const struct perf_file_sink *sink,
		     struct strbuf *err)
{
	struct perf_walk w = { .f = f, .sink = sink, .err = err };
	uint64_t next;
	int error;

	while ((w.stream = last_of(f, &next))) {
		uint64_t behind = w.stream->reached;

		if (behind > SLACK_NS)
			sink->until(sink->ctx, behind - SLACK_NS);
		error = go_on(
			&w, add(next < UINT64_MAX ? next : behind, PERF_FOLDER_STEP_NS));
		if (error)
			return error;
	}
	return 0;
}
