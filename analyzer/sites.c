/* SPDX-License-Identifier: Apache-2.0 */
#include "sites.h"

#include <errno.h>
#include <stdlib.h>

#include "lineinfo.h"
#include "pcs.h"
#include "source_text.h"
#include "xalloc.h"

/* ---- what the files say ---- */

/* The frames of one module. */
struct asked {
	VEC(uint32_t) frames;
	VEC(uint64_t) offsets;
};

/* By module; the caller releases and frees them. */
static struct asked *sort_frames(const struct experiment *exp)
{
	struct asked *asked = xcalloc(exp->modules.len + 1, sizeof(*asked));

	for (uint32_t f = 0; f < exp->frames.len; f++) {
		const struct exp_frame *frame = &exp->frames.data[f];
		struct asked *of = &asked[frame->module];

		if (exp->modules.data[frame->module].kind != EXP_KIND_FILE)
			continue;
		*vec_push(&of->frames) = f;
		*vec_push(&of->offsets) = pc_of_frame(frame);
	}
	return asked;
}

/* Where the recording knows no build-id, a file that was made later is another one. */
static int open_lines(const struct experiment *exp, const struct lineinfo_place *place,
		      struct lineinfo **out)
{
	if (*place->path != '/')
		return -ENOENT;
	if (!*place->build_id && source_is_newer(place->path, &exp->log))
		return -ESTALE;
	return lineinfo_open(place, out);
}

static int ask_module(const struct experiment *exp, const struct exp_module *module,
		      const struct asked *asked, struct object_lines *lines,
		      struct line_answers *out)
{
	struct lineinfo_place place = {
		.path = experiment_string(exp, module->path),
		.build_id = experiment_string(exp, module->build_id),
	};
	struct lineinfo *info;

	lines->asked = true;
	lines->error = open_lines(exp, &place, &info);
	if (lines->error)
		return lines->error;
	lineinfo_find(info, asked->offsets.data, asked->offsets.len, out);
	lines->debug_file = lineinfo_has_debug_file(info);
	if (lineinfo_missing(info) && !lines->missing)
		lines->missing = xstrdup(lineinfo_missing(info));
	lineinfo_free(info);
	return 0;
}

/* ---- from answers to sites ---- */

/* All that is needed to make sites of one source's frames. */
struct maker {
	struct sites *sites;
	struct model *model;
	const struct source *source;
	struct line_answers *answers;        /* by module */
	const struct line_answer **of_frame; /* NULL: nothing is known */
};

static uint32_t site_id(struct sites *sites, const struct site *site)
{
	uint64_t where = (uint64_t)site->file << 32 | site->line;
	uint32_t next = (uint32_t)sites->sites.len;
	uint32_t id = idmap_intern(&sites->ids, site->function, where, next);

	if (id == next)
		*vec_push(&sites->sites) = *site;
	return id;
}

static uint32_t text_of(struct model *model, const struct line_answers *answers,
			uint32_t id)
{
	return strtab_intern(&model->strings, strtab_get(&answers->texts, id));
}

/* OUTER: what the linker calls the function that the frame lies in. */
static uint32_t make_site(struct maker *m, const struct line_answers *answers,
			  const struct line_frame *frame, uint32_t object, bool outermost,
			  uint32_t outer)
{
	struct site site = {
		.function = outer,
		.file = text_of(m->model, answers, frame->file),
		.line = frame->line,
	};

	if (!outermost && frame->function)
		site.function = model_function(
			m->model,
			&(struct function){
				.object = object,
				.name = text_of(m->model, answers, frame->function),
			},
			0);
	return site_id(m->sites, &site);
}

static void add_frame(struct maker *m, uint32_t f, struct frame_ids *out)
{
	uint32_t module = m->source->exp->frames.data[f].module;
	const struct line_answers *answers = &m->answers[module];
	const struct line_answer *answer = m->of_frame[f];
	uint32_t outer = m->source->function[f];

	frame_ids_begin(out);
	if (!answer || !answer->count) {
		*vec_push(&out->ids) = site_id(m->sites,
					       &(struct site){ .function = outer });
		return;
	}
	for (uint32_t i = answer->count; i-- > 0;)
		*vec_push(&out->ids) = make_site(
			m, answers, &answers->frames.data[answer->first + i],
			m->source->object[module], i + 1 == answer->count, outer);
}

/* Asks the modules of the source; what comes out is put by frame. */
static void ask_source(struct maker *m)
{
	const struct experiment *exp = m->source->exp;
	struct asked *asked = sort_frames(exp);

	for (size_t i = 0; i < exp->modules.len; i++) {
		const struct exp_module *module = &exp->modules.data[i];
		struct object_lines *lines =
			&m->sites->objects.data[m->source->object[i]];

		lines->build_id = strtab_intern(&m->model->strings,
						experiment_string(exp, module->build_id));
		if (asked[i].frames.len &&
		    !ask_module(exp, module, &asked[i], lines, &m->answers[i]))
			for (size_t f = 0; f < asked[i].frames.len; f++)
				m->of_frame[asked[i].frames.data[f]] =
					&m->answers[i].places.data[f];
		vec_release(&asked[i].frames);
		vec_release(&asked[i].offsets);
	}
	free(asked);
}

static void build_source(struct sites *sites, struct model *model, size_t index)
{
	const struct source *source = &model->sources.data[index];
	const struct experiment *exp = source->exp;
	struct maker m = {
		.sites = sites,
		.model = model,
		.source = source,
		.answers = xcalloc(exp->modules.len + 1, sizeof(*m.answers)),
		.of_frame = xcalloc(exp->frames.len + 1, sizeof(*m.of_frame)),
	};

	ask_source(&m);
	for (uint32_t f = 0; f < exp->frames.len; f++)
		add_frame(&m, f, &sites->map.sources[index]);
	frame_ids_begin(&sites->map.sources[index]);
	for (size_t i = 0; i < exp->modules.len; i++)
		line_answers_release(&m.answers[i]);
	free(m.answers);
	free(m.of_frame);
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
