/* SPDX-License-Identifier: Apache-2.0 */
#include "model/wakers.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "experiment/read.h"
#include "model/wait_place.h"

void wakers_init(struct wakers *w, const struct model *model,
		 const struct frame_map *frames)
{
	*w = (struct wakers){ .model = model, .frames = frames };
	strtab_init(&w->names);
	w->places = xcalloc(model->sources.len + 1, sizeof(*w->places));
}

void wakers_settle(struct wakers *w)
{
	for (size_t i = 0; w->places && i < w->model->sources.len; i++)
		free(w->places[i]);
	free(w->places);
	w->places = NULL;
	idmap_release(&w->ids);
}

void wakers_release(struct wakers *w)
{
	wakers_settle(w);
	vec_release(&w->rows);
	strtab_release(&w->names);
}

static void describe_thread(struct wakers *w, size_t source,
			    const struct exp_waker *waker, struct waker_like *like)
{
	const struct experiment *exp = w->model->sources.data[source].exp;
	const struct exp_thread *thread = &exp->threads.data[waker->thread];
	const struct exp_thread *last = &exp->threads.data[thread->last];

	if (!w->places[source])
		w->places[source] = wait_places(w->model, source, w->frames);
	like->name = strtab_intern(&w->names, experiment_string(exp, last->name));
	like->place = w->places[source][waker->node];
}

uint32_t wakers_row(struct wakers *w, size_t source, uint64_t waker)
{
	const struct experiment *exp = w->model->sources.data[source].exp;
	const struct exp_waker *one = experiment_waker(exp, waker);
	struct waker_like like = { .kind = one->kind };
	uint32_t next = (uint32_t)w->rows.len, id;

	if (!one->kind)
		return WAKER_UNKNOWN;
	if (one->kind == EXP_WAKER_OF_RECORDING)
		describe_thread(w, source, one, &like);
	id = idmap_intern(&w->ids, (uint64_t)like.place << 32 | like.name, like.kind,
			  next);
	if (id == next)
		*vec_push(&w->rows) = like;
	return id;
}
