/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/wakers.h"

#include <string.h>

enum { CPUS_MAX = 1 << 16 };

void wakers_init(struct wakers *w, const struct waking *waking,
		 const uint32_t events[WAKING_KINDS], struct exp_writer *writer)
{
	*w = (struct wakers){ .waking = waking, .writer = writer };
	memcpy(w->events, events, sizeof(w->events));
}

void wakers_release(struct wakers *w)
{
	idmap_release(&w->ids);
	vec_release(&w->samples);
}

bool wakers_read(struct wakers *w, const struct record *r, enum waking_kind kind,
		 struct waking_said *said)
{
	const size_t i = (size_t)r->at.cpu * WAKING_KINDS + kind;

	if (r->at.cpu < CPUS_MAX) {
		while (w->samples.len <= i)
			*vec_push(&w->samples) = 0;
		w->samples.data[i]++;
	}
	return waking_read(w->waking, &r->sample, said);
}

uint64_t wakers_samples(const struct wakers *w, uint32_t cpu, enum waking_kind kind)
{
	const size_t i = (size_t)cpu * WAKING_KINDS + kind;

	return i < w->samples.len ? w->samples.data[i] : 0;
}

uint32_t wakers_id(struct wakers *w, enum exp_waker_kind kind, uint32_t thread,
		   uint32_t node)
{
	const uint32_t next = 1 + (uint32_t)w->ids.len;
	const uint64_t who = (uint64_t)kind << 32 | thread;
	const uint32_t id = idmap_intern(&w->ids, who, node, next);

	if (id == next)
		exp_write_row(w->writer, EXP_WAKERS,
			      (uint64_t[EXP_WAKER_COLUMNS]){ kind, thread, node });
	return id;
}
