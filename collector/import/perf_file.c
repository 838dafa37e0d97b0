/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf_folder.h"
#include "import/perf_header.h"
#include "import/perf_walk.h"
#include "base/xalloc.h"

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

void perf_file_release(struct perf_file *f)
{
	vec_for_each(struct perf_event, e, &f->events) {
		free(e->name);
		free(e->unit);
	}
	vec_release(&f->events);
	idmap_release(&f->ids);
	perf_info_release(&f->info);
	vec_for_each(struct perf_stream, part, &f->parts)
		perf_stream_release(part);
	vec_release(&f->parts);
	perf_stream_release(&f->own);
}

/* The name by an id; without one by the place in the list, if the event is the same. */
const char *perf_file_event_name(const struct perf_file *f, size_t index)
{
	const struct perf_event *e = &f->events.data[index];
	const struct perf_event_name *names = f->info.names.data;
	uint32_t i = e->has_id ? idmap_get(&f->info.name_ids, e->id, 0) : IDMAP_NONE;

	if (e->name)
		return e->name;
	if (i == IDMAP_NONE && index < f->info.names.len &&
	    names[index].type == e->attr.type && names[index].config == e->attr.config)
		i = (uint32_t)index;
	return i == IDMAP_NONE ? NULL : names[i].name;
}

int perf_file_add_part(struct perf_file *f, int fd, const char *name)
{
	struct perf_stream *part = vec_push(&f->parts);
	int error = perf_stream_init(part, fd, PERF_WINDOW_LEAST);

	part->name = xstrdup(name);
	return error;
}

void perf_file_progress(const struct perf_file *f, uint64_t *at, uint64_t *end)
{
	*at = f->own.at;
	*end = f->own.end;
	vec_for_each(const struct perf_stream, part, &f->parts) {
		*at += part->at;
		*end += part->end;
	}
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
