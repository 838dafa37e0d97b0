/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_file.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct perf_event *perf_file_add_event(struct perf_file *f, const struct perf_attr *attr)
{
	struct perf_event *e = vec_push(&f->events);

	*e = (struct perf_event){ .attr = *attr };
	return e;
}

void perf_file_add_id(struct perf_file *f, uint64_t id)
{
	uint32_t index = (uint32_t)f->events.len - 1;
	struct perf_event *e = &f->events.data[index];

	idmap_set(&f->ids, id, 0, index);
	if (!e->has_id)
		e->id = id;
	e->has_id = true;
	e->ids++;
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

/* The name by id; without one by the place in the list, if the event is the same. */
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
