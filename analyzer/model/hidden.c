/* SPDX-License-Identifier: Apache-2.0 */
#include "model/hidden.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"

void hidden_release(struct hidden *hidden)
{
	vec_release(&hidden->objects);
}

bool hidden_any(const struct hidden *hidden)
{
	vec_for_each(const uint8_t, view, &hidden->objects)
		if (*view != OBJECT_SHOWN)
			return true;
	return false;
}

enum object_view hidden_view(const struct hidden *hidden, uint32_t object)
{
	return object < hidden->objects.len
		       ? (enum object_view)hidden->objects.data[object]
		       : OBJECT_SHOWN;
}

static bool is_hidden(const struct hidden *hidden, uint32_t object)
{
	return hidden_view(hidden, object) == OBJECT_HIDDEN;
}

/* ---- lists ---- */

static int no_such_object(const struct model *model, const char *name, struct strbuf *err)
{
	struct nearest near;

	nearest_init(&near, name);
	for (uint32_t o = 0; o < model->objects.len; o++)
		nearest_offer(&near, object_name(model, o));
	strbuf_addf(err, "there is no object '%s'", name);
	if (near.count) {
		strbuf_addstr(err, "; did you mean ");
		nearest_join(&near, err);
		strbuf_addch(err, '?');
	} else {
		strbuf_addstr(err, "; 'objects' lists them all");
	}
	nearest_release(&near);
	return -1;
}

/* Marks in CHOSEN the objects that NAME means. */
static int choose(const struct model *model, const char *name, bool *chosen,
		  struct strbuf *err)
{
	bool all = !strcmp(name, "all"), any = all;

	for (uint32_t o = 0; o < model->objects.len; o++)
		if (all || !strcmp(name, object_path(model, o)) ||
		    !strcmp(name, object_name(model, o)))
			any = chosen[o] = true;
	return any ? 0 : no_such_object(model, name, err);
}

int hidden_set(struct hidden *hidden, const struct model *model, const char *list,
	       enum object_view view, struct strbuf *err)
{
	bool *chosen = xcalloc(model->objects.len + 1, sizeof(*chosen));
	char *names = xstrdup(list), *save = NULL;
	int status = 0;

	for (char *name = strtok_r(names, ",", &save); name && !status;
	     name = strtok_r(NULL, ",", &save))
		status = choose(model, name, chosen, err);
	while (!status && hidden->objects.len < model->objects.len)
		*vec_push(&hidden->objects) = OBJECT_SHOWN;
	for (size_t o = 0; o < model->objects.len && !status; o++)
		if (chosen[o])
			hidden->objects.data[o] = (uint8_t)view;
	free(names);
	free(chosen);
	return status;
}

/* The view of the first object of that path and kind that is not shown. */
static enum object_view view_of_path(const struct hidden *hidden,
				     const struct model *model, const char *path,
				     enum exp_module_kind kind)
{
	for (uint32_t o = 0; o < model->objects.len; o++)
		if (hidden_view(hidden, o) && model->objects.data[o].kind == kind &&
		    !strcmp(object_path(model, o), path))
			return hidden_view(hidden, o);
	return OBJECT_SHOWN;
}

void hidden_carry(struct hidden *hidden, const struct model *before,
		  const struct model *after)
{
	struct hidden carried = { 0 };

	for (uint32_t o = 0; o < after->objects.len && hidden->objects.len; o++)
		*vec_push(&carried.objects) = (uint8_t)view_of_path(
			hidden, before, object_path(after, o),
			after->objects.data[o].kind);
	hidden_release(hidden);
	*hidden = carried;
}

/* ---- stand-ins ---- */

static uint32_t stand_in(struct model *model, uint32_t object)
{
	struct strbuf name = { 0 };
	struct function f = { .object = object, .label = true };

	strbuf_addf(&name, "<%s>", object_name(model, object));
	f.name = strtab_intern(&model->strings, name.data);
	strbuf_release(&name);
	return model_function(model, &f);
}

/* ---- APIs ---- */

/* By id, a function's or one of SITES: its object + 1 if that is shown by its API, or 0. */
static uint32_t *find_apis(const struct hidden *hidden, const struct model *model,
			   const struct site *sites, size_t ids)
{
	uint32_t *api = xcalloc(ids + 1, sizeof(*api));

	for (size_t i = 0; i < ids; i++) {
		size_t function = sites ? sites[i].function : i;
		uint32_t object = model->functions.data[function].object;

		if (hidden_view(hidden, object) == OBJECT_API)
			api[i] = object + 1;
	}
	return api;
}

static void merge_apis(const struct hidden *hidden, const struct model *model,
		       const struct site *sites, struct frame_map *map)
{
	uint32_t *api = find_apis(hidden, model, sites, map->groups);

	for (size_t i = 0; i < map->groups; i++)
		map->folds[i] |= api[i] > 0;
	for (size_t s = 0; s < map->source_count; s++)
		frame_ids_merge_calls(&map->sources[s], model->sources.data[s].exp, api);
	free(api);
}

/* ---- functions ---- */

void hidden_apply(const struct hidden *hidden, struct model *model, struct frame_map *map)
{
	uint32_t *instead = xcalloc(hidden->objects.len + 1, sizeof(*instead));

	for (uint32_t o = 0; o < hidden->objects.len; o++)
		instead[o] = is_hidden(hidden, o) ? stand_in(model, o) : MODEL_NONE;
	for (size_t s = 0; s < map->source_count; s++)
		vec_for_each(uint32_t, id, &map->sources[s].ids) {
			uint32_t object = model->functions.data[*id].object;

			if (is_hidden(hidden, object))
				*id = instead[object];
		}
	map->groups = model->functions.len;
	map->folds = xcalloc(map->groups + 1, sizeof(*map->folds));
	for (uint32_t o = 0; o < hidden->objects.len; o++)
		if (is_hidden(hidden, o))
			map->folds[instead[o]] = true;
	free(instead);
	merge_apis(hidden, model, NULL, map);
}

/* ---- the same for lines ---- */

/* By object: its stand-in site, or MODEL_NONE. */
static uint32_t *add_stand_ins(const struct hidden *hidden, struct model *model,
			       struct sites *out)
{
	uint32_t *instead = xcalloc(hidden->objects.len + 1, sizeof(*instead));

	for (uint32_t o = 0; o < hidden->objects.len; o++) {
		instead[o] = MODEL_NONE;
		if (!is_hidden(hidden, o))
			continue;
		instead[o] = (uint32_t)out->sites.len;
		*vec_push(&out->sites) = (struct site){ .function = stand_in(model, o) };
	}
	return instead;
}

/* Copies each frame of FROM; functions inlined within a hidden object are one with it. */
static void copy_frames(const struct frame_ids *from, const uint32_t *shown,
			const bool *folds, struct frame_ids *to)
{
	for (size_t f = 0; f + 1 < from->first.len; f++) {
		uint32_t last = MODEL_NONE;

		frame_ids_begin(to);
		for (uint32_t i = from->first.data[f]; i < from->first.data[f + 1]; i++) {
			uint32_t id = shown[from->ids.data[i]];

			if (id != last || !folds[id])
				*vec_push(&to->ids) = id;
			last = id;
		}
	}
	frame_ids_begin(to);
}

void hidden_sites(const struct hidden *hidden, struct model *model,
		  const struct sites *from, struct sites *out)
{
	uint32_t *shown = xcalloc(from->sites.len + 1, sizeof(*shown)), *instead;

	*out = (struct sites){ 0 };
	vec_for_each(const struct site, site, &from->sites)
		*vec_push(&out->sites) = *site;
	instead = add_stand_ins(hidden, model, out);
	for (uint32_t i = 0; i < from->sites.len; i++) {
		uint32_t function = from->sites.data[i].function;
		uint32_t object = model->functions.data[function].object;

		shown[i] = is_hidden(hidden, object) ? instead[object] : i;
	}
	frame_map_init(&out->map, model);
	out->map.groups = out->sites.len;
	out->map.empty = from->map.empty;
	out->map.folds = xcalloc(out->map.groups + 1, sizeof(*out->map.folds));
	for (size_t i = from->sites.len; i < out->sites.len; i++)
		out->map.folds[i] = true;
	for (size_t s = 0; s < from->map.source_count; s++)
		copy_frames(&from->map.sources[s], shown, out->map.folds,
			    &out->map.sources[s]);
	free(instead);
	free(shown);
	merge_apis(hidden, model, out->sites.data, &out->map);
}
