/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sites.h"

#include <stdlib.h>
#include <string.h>

#include "model/declared.h"
#include "model/frame_lines.h"
#include "base/xalloc.h"

/* The state for making the sites of one source's frames. */
struct maker {
	struct sites *sites;
	struct model *model;
	const struct source *source;
	struct frame_lines found;
	uint32_t *texts; /* of the lines' ids, in the model */
};

/* FOUND becomes its own. */
static void maker_init(struct maker *m, struct sites *sites, struct model *model,
		       size_t index, const struct frame_lines *found)
{
	const struct strtab *texts = &m->found.lines.texts;

	*m = (struct maker){ .sites = sites,
			     .model = model,
			     .source = &model->sources.data[index],
			     .found = *found };
	m->texts = xcalloc(strtab_count(texts) + 1, sizeof(*m->texts));
	for (uint32_t i = 0; i < strtab_count(texts); i++)
		m->texts[i] = strtab_intern(&model->strings, strtab_get(texts, i));
}

static void maker_release(struct maker *m)
{
	frame_lines_release(&m->found);
	free(m->texts);
}

/* Calls FN with the lines of each frame; COUNT may be 0. */
typedef void frame_fn(const struct maker *m, uint32_t frame, const struct exp_line *lines,
		      size_t count, void *ctx);

static void for_each_frame(const struct maker *m, frame_fn *fn, void *ctx)
{
	const struct exp_line *lines = m->found.lines.lines.data;
	size_t at = 0, len = m->found.lines.lines.len;

	for (uint32_t f = 0; f < m->source->exp->frames.len; f++) {
		size_t first = at;

		while (at < len && lines[at].frame == f)
			at++;
		fn(m, f, at > first ? lines + first : NULL, at - first, ctx);
	}
}

/* ---- functions ---- */

static struct declaration declaration_of(const struct maker *m, uint32_t frame,
					 const struct exp_line *line)
{
	uint32_t module = m->source->exp->frames.data[frame].module;

	return (struct declaration){
		.object = m->source->object[module],
		.name = m->texts[line->function],
		.build = m->source->build[module],
		.file = m->texts[line->decl_file],
		.line = line->decl_line,
	};
}

static bool is_declared(const struct exp_line *line)
{
	return line->function && line->decl_file && line->decl_line;
}

/*
 * Whether F is the whole function that the debug information calls NAME.  Static C++
 * functions have no linkage name there; parts made by the compiler have a dot: f.part.0.
 */
static bool is_whole(const struct model *model, const struct function *f, uint32_t name)
{
	const char *linked = model_string(model, f->name);

	return f->name == name || (!strncmp(linked, "_Z", 2) && !strchr(linked, '.') &&
				   strncmp(model_string(model, name), "_Z", 2) != 0);
}

/* The outermost one is the linker's function, or was made from it. */
static void add_outermost(const struct maker *m, uint32_t outer,
			  const struct declaration *d, struct declared *declared)
{
	struct function *f = &m->model->functions.data[outer];

	if (f->label)
		return;
	if (is_whole(m->model, f, d->name)) {
		declared_add(declared, d, outer);
	} else if (!f->decl_line) {
		f->decl_file = d->file;
		f->decl_line = d->line;
		m->model->changes++;
	}
}

static void add_declarations(const struct maker *m, uint32_t frame,
			     const struct exp_line *lines, size_t count, void *declared)
{
	for (size_t i = 0; i < count; i++) {
		struct declaration d = declaration_of(m, frame, &lines[i]);

		if (!is_declared(&lines[i]))
			continue;
		if (i + 1 < count)
			declared_add(declared, &d, MODEL_NONE);
		else
			add_outermost(m, m->source->function[frame], &d, declared);
	}
}

/* ---- sites ---- */

static uint32_t site_id(struct sites *sites, const struct site *site)
{
	uint64_t where = (uint64_t)site->file << 32 | site->line;
	uint32_t next = (uint32_t)sites->sites.len;
	uint32_t id = idmap_intern(&sites->ids, where, site->function, next);

	if (id == next)
		*vec_push(&sites->sites) = *site;
	return id;
}

static uint32_t inlined_function(const struct maker *m, uint32_t frame,
				 const struct exp_line *line,
				 const struct declared *declared)
{
	struct declaration d = declaration_of(m, frame, line);
	struct function f = { .object = d.object, .name = d.name, .inlined = true };

	return is_declared(line) ? declared_function(declared, &d)
				 : model_function(m->model, &f);
}

/* The COUNT lines of a frame are innermost first, its ids outermost first. */
static void add_frame(const struct maker *m, uint32_t frame, const struct exp_line *lines,
		      size_t count, void *declared)
{
	struct frame_ids *out =
		&m->sites->map.sources[m->source - m->model->sources.data];
	uint32_t outer = m->source->function[frame];

	frame_ids_begin(out);
	if (!count)
		*vec_push(&out->ids) = site_id(m->sites,
					       &(struct site){ .function = outer });
	for (size_t i = count; i-- > 0;) {
		bool inlined = i + 1 < count && lines[i].function;
		struct site site = {
			.function = inlined ? inlined_function(m, frame, &lines[i],
							       declared)
					    : outer,
			.file = m->texts[lines[i].file],
			.line = lines[i].line,
		};

		*vec_push(&out->ids) = site_id(m->sites, &site);
	}
}

/* Adds the sources of lines by object; several modules may be one. */
static void add_objects(const struct maker *m)
{
	const struct frame_lines *found = &m->found;
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

/* The lines of all sources; the caller frees them. */
static struct frame_lines *find_lines(const struct model *model)
{
	size_t count = model->sources.len;
	struct frame_lines *found = xcalloc(count + 1, sizeof(*found));
	const struct experiment **exps = xcalloc(count + 1, sizeof(*exps));

	for (size_t i = 0; i < count; i++)
		exps[i] = model->sources.data[i].exp;
	frame_lines_find(found, exps, count, &model->search, model->progress);
	free(exps);
	return found;
}

/* Functions of all sources are known before the first site is made. */
static void build_sources(struct sites *sites, struct model *model)
{
	size_t count = model->sources.len;
	struct maker *makers = xcalloc(count + 1, sizeof(*makers));
	struct frame_lines *found = find_lines(model);
	struct declared declared = { 0 };

	for (size_t i = 0; i < count; i++) {
		maker_init(&makers[i], sites, model, i, &found[i]);
		for_each_frame(&makers[i], add_declarations, &declared);
	}
	declared_settle(&declared, model);
	for (size_t i = 0; i < count; i++) {
		for_each_frame(&makers[i], add_frame, &declared);
		frame_ids_begin(&sites->map.sources[i]);
		add_objects(&makers[i]);
		maker_release(&makers[i]);
	}
	declared_release(&declared);
	free(found);
	free(makers);
}

void sites_build(struct sites *out, struct model *model)
{
	*out = (struct sites){ 0 };
	frame_map_init(&out->map, model);
	for (size_t i = 0; i < model->objects.len; i++)
		*vec_push(&out->objects) = (struct object_lines){ 0 };
	build_sources(out, model);
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
