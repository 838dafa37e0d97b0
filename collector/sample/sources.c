/* SPDX-License-Identifier: Apache-2.0 */
#include "sample/sources.h"

void sources_release(struct sources *s)
{
	idmap_release(&s->ids);
	idmap_release(&s->owners);
	vec_release(&s->v);
	vec_release(&s->events);
}

struct source *sources_add(struct sources *s, uint64_t id, uint32_t event, int32_t owner)
{
	while (s->events.len <= event)
		*vec_push(&s->events) = (struct source_event){ 0 };
	idmap_set(&s->ids, id, 0, (uint32_t)s->v.len);
	if (owner >= 0)
		idmap_set(&s->owners, (uint64_t)owner, 0, 0);
	*vec_push(&s->v) = (struct source){ .event = event, .owner = owner };
	return &s->v.data[s->v.len - 1];
}

void sources_set_format(struct sources *s, uint32_t event,
			const struct record_format *format)
{
	s->events.data[event].format = *format;
	s->events.data[event].has_format = true;
	s->mixed = true;
}

void sources_set_group(struct sources *s, uint32_t event, bool ticks_idle)
{
	s->events.data[event].leads = true;
	s->events.data[event].ticks_idle = ticks_idle;
}

struct source *sources_find(const struct sources *s, uint64_t id)
{
	uint32_t index = idmap_get(&s->ids, id, 0);

	return index == IDMAP_NONE ? NULL : &s->v.data[index];
}

bool sources_is_double(const struct sources *s, const struct source *source, uint32_t tid)
{
	return source->owner >= 0 && (uint32_t)source->owner != tid &&
	       idmap_get(&s->owners, tid, 0) != IDMAP_NONE;
}
