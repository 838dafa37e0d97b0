/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_read.h"

#include <errno.h>
#include <string.h>

#include "import/perf_folder.h"
#include "import/perf_header.h"
#include "import/perf_walk.h"

int perf_file_open(struct perf_file *f, int fd, struct strbuf *err)
{
	int error;

	*f = (struct perf_file){ 0 };
	perf_info_init(&f->info);
	error = perf_stream_init(&f->own, fd, PERF_WINDOW_SIZE);
	if (error) {
		strbuf_addf(err, "it cannot be read: %s", strerror(-error));
		return error;
	}
	return perf_header_read(f, err);
}

static int read_alone(struct perf_file *f, const struct perf_file_sink *sink,
		      struct strbuf *err)
{
	struct perf_walk w = { .f = f, .stream = &f->own, .sink = sink, .err = err };
	int more;

	do
		more = perf_walk_step(&w);
	while (more > 0);
	if (!more)
		perf_stream_end(&f->own);
	return more;
}

int perf_file_read(struct perf_file *f, const struct perf_file_sink *sink,
		   struct strbuf *err)
{
	int error = f->parts.len ? perf_folder_read(f, sink, err)
				 : read_alone(f, sink, err);

	if (error || f->events.len)
		return error;
	strbuf_addstr(err, "it ends before its first event");
	return -EBADMSG;
}
