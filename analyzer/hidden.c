/* SPDX-License-Identifier: Apache-2.0 */
#include "hidden.h"

#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "xalloc.h"

void hidden_release(struct hidden *hidden)
{
	vec_release(&hidden->objects);
}

bool hidden_is(const struct hidden *hidden, uint32_t object)
{
	return object < hidden->objects.len && hidden->objects.data[object];
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

/* Marks those that NAME means in CHOSEN. */
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
	       bool hide, struct strbuf *err)
{
	bool *chosen = xcalloc(model->objects.len + 1, sizeof(*chosen));
	char *names = xstrdup(list), *save = NULL;
	int status = 0;

	for (char *name = strtok_r(names, ",", &save); name && !status;
	     name = strtok_r(NULL, ",", &save))
		status = choose(model, name, chosen, err);
	while (!status && hidden->objects.len < model->objects.len)
		*vec_push(&hidden->objects) = false;
	for (size_t o = 0; o < model->objects.len && !status; o++)
		if (chosen[o])
			hidden->objects.data[o] = hide;
	free(names);
	free(chosen);
	return status;
}

/* Whether an object of that path and kind is hidden. */
static bool is_hidden_path(const struct hidden *hidden, const struct model *model,
			   const char *path, enum exp_module_kind kind)
{
	for (uint32_t o = 0; o < model->objects.len; o++)
		if (hidden_is(hidden, o) && model->objects.data[o].kind == kind &&
		    !strcmp(object_path(model, o), path))
			return true;
	return false;
}

void hidden_carry(struct hidden *hidden, const struct model *before,
		  const struct model *after)
{
	struct hidden carried = { 0 };

	for (uint32_t o = 0; o < after->objects.len && hidden->objects.len; o++)
		*vec_push(&carried.objects) = is_hidden_path(hidden, before,
							     object_path(after, o),
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
	return model_function(model, &f, 0);
}

void hidden_apply(const struct hidden *hidden, struct model *model, struct frame_map *map)
{
	uint32_t *instead = xcalloc(hidden->objects.len + 1, sizeof(*instead));

	for (uint32_t o = 0; o < hidden->objects.len; o++)
		instead[o] = hidden_is(hidden, o) ? stand_in(model, o) : MODEL_NONE;
	for (size_t s = 0; s < map->source_count; s++)
		vec_for_each(uint32_t, id, &map->sources[s].ids) {
			uint32_t object = model->functions.data[*id].object;

			if (hidden_is(hidden, object))
				*id = instead[object];
		}
	map->groups = model->functions.len;
	map->folds = xcalloc(map->groups + 1, sizeof(*map->folds));
	for (uint32_t o = 0; o < hidden->objects.len; o++)
		if (hidden_is(hidden, o))
			map->folds[instead[o]] = true;
	free(instead);
}
