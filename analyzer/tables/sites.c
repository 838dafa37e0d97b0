/* SPDX-License-Identifier: Apache-2.0 */
#include "tables/sites.h"

#include <stdlib.h>

#include "model/frame_lines.h"
#include "base/xalloc.h"

/* All that is needed to make sites of one source's frames. */
struct maker {
	struct sites *sites;
	struct model *model;
	const struct source *source;
	const struct exp_lines *lines;
};

static uint32_t site_id(struct sites *sites, const struct site *site)
{
	uint64_t where = (uint64_t)site->file << 32 | site->line;
	uint32_t next = (uint32_t)sites->sites.len;
	uint32_t id = idmap_intern(&sites->ids, where, site->function, next);

	if (id == next)
		*vec_push(&sites->sites) = *site;
	return id;
}

static uint32_t text_of(const struct maker *m, uint32_t id)
{
	return strtab_intern(&m->model->strings, strtab_get(&m->lines->texts, id));
}

/* OUTER: the function that the linker knows; MODEL_NONE: it was inlined into another. */
static uint32_t make_site(const struct maker *m, const struct exp_line *line,
			  uint32_t object, uint32_t outer)
{
	struct site site = {
		.function = outer,
		.file = text_of(m, line->file),
		.line = line->line,
	};

	if (outer == MODEL_NONE)
		site.function = model_function(m->model,
					       &(struct function){
						       .object = object,
						       .name = text_of(m, line->function),
					       },
					       0);
	return site_id(m->sites, &site);
}

/* The COUNT lines of a frame are innermost first, its ids outermost first. */
static void add_frame(const struct maker *m, uint32_t frame, const struct exp_line *lines,
		      size_t count, struct frame_ids *out)
{
	uint32_t module = m->source->exp->frames.data[frame].module;
	uint32_t outer = m->source->function[frame];

	frame_ids_begin(out);
	if (!count)
		*vec_push(&out->ids) = site_id(m->sites,
					       &(struct site){ .function = outer });
	for (size_t i = count; i-- > 0;) {
		bool named = i + 1 < count && lines[i].function;

		*vec_push(&out->ids) = make_site(m, &lines[i], m->source->object[module],
						 named ? MODEL_NONE : outer);
	}
}

static void add_frames(const struct maker *m, struct frame_ids *out)
{
	const struct exp_line *lines = m->lines->lines.data;
	size_t at = 0, len = m->lines->lines.len;

	for (uint32_t f = 0; f < m->source->exp->frames.len; f++) {
		size_t first = at;

		while (at < len && lines[at].frame == f)
			at++;
		add_frame(m, f, at > first ? lines + first : NULL, at - first, out);
	}
	frame_ids_begin(out);
}

/* What is known of how, by object; several modules may be one. */
static void add_objects(const struct maker *m, const struct frame_lines *found)
{
	const struct experiment *exp = m->source->exp;

	for (size_t i = 0; i < found->module_count; i++) {
		const struct module_lines *how = &found->modules[i];
		struct object_lines *object =
			&m->sites->objects.data[m->source->object[i]];

		object->build_id = strtab_intern(
			&m->model->strings,
			experiment_string(exp, exp->modules.data[i].build_id));
		object->asked |= how->asked;
		object->debug_file |= how->debug_file;
		object->error = how->error ? how->error : object->error;
		if (how->missing && !object->missing)
			object->missing = xstrdup(how->missing);
	}
}

static void build_source(struct sites *sites, struct model *model, size_t index)
{
	const struct source *source = &model->sources.data[index];
	struct frame_lines found;
	struct maker m = { sites, model, source, &found.lines };

	frame_lines_find(&found, source->exp, &model->search, model->progress);
	add_frames(&m, &sites->map.sources[index]);
	add_objects(&m, &found);
	frame_lines_release(&found);
}

void sites_build(struct sites *out, struct model *model)
{
	*out = (struct sites){ 0 };
	frame_map_init(&out->map, model);
	for (size_t i = 0; i < model->objects.len; i++)
		*vec_push(&out->objects) = (struct object_lines){ 0 };
	for (size_t i = 0; i < model->sources.len; i++)
		build_source(out, model, i);
	out->map.empty = site_id(out,
				 &(struct site){ .function = frame_map_no_stack(model) });
	out->map.groups = out->sites.len;
	while (out->objects.len < model->objects.len)
		*vec_push(&out->objects) = (struct object_lines){ 0 };
}

void sites_release(struct sites *sites)
{
	vec_for_each(struct object_lines, lines, &sites->objects)
		free(lines->missing);
	vec_release(&sites->objects);
	vec_release(&sites->sites);
	idmap_release(&sites->ids);
	frame_map_release(&sites->map);
}

void sites_functions(const struct sites *sites, const struct model *model,
		     struct frame_map *out)
{
	frame_map_init(out, model);
	for (size_t s = 0; s < sites->map.source_count; s++) {
		const struct frame_ids *from = &sites->map.sources[s];
		struct frame_ids *to = &out->sources[s];

		vec_for_each(const uint32_t, first, &from->first)
			*vec_push(&to->first) = *first;
		vec_for_each(const uint32_t, id, &from->ids)
			*vec_push(&to->ids) = sites->sites.data[*id].function;
	}
	out->empty = sites->sites.data[sites->map.empty].function;
	out->groups = model->functions.len;
}
