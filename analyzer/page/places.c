/* SPDX-License-Identifier: Apache-2.0 */
#include "page/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "base/strtab.h"
#include "base/xalloc.h"

/* ---- what the page has ---- */

static void number_lines(struct page_places *out, const struct page_code *code)
{
	uint32_t number = 0;

	out->line_number = xcalloc(code->lines.groups + 1, sizeof(*out->line_number));
	vec_for_each(const struct page_file, file, &code->files)
		for (size_t n = 0; n < file->text.lines.len; n++)
			if (file->kept[n])
				out->line_number[file->first + n] = ++number;
}

static void number_instructions(struct page_places *out, const struct page_code *code)
{
	uint32_t number = 0;

	out->instruction_number = xcalloc(code->instructions.groups + 1,
					  sizeof(*out->instruction_number));
	vec_for_each(const struct page_code_object, object, &code->objects)
		for (size_t i = 0; i < object->code.list.len; i++)
			if (object->kept[i])
				out->instruction_number[object->first + i] = ++number;
}

/* ---- places ---- */

struct maker {
	struct page_places *out;
	const struct page_code *code;
	VEC(uint32_t) lines; /* of the frame */
	struct strtab known; /* by their bytes */
};

/* The numbers of frame F's lines, none if all of them are 0. */
static void find_lines(struct maker *m, const struct frame_ids *sites, size_t f)
{
	bool any = false;

	vec_clear(&m->lines);
	for (uint32_t i = sites->first.data[f]; i < sites->first.data[f + 1]; i++) {
		uint32_t line = m->code->line_of[sites->ids.data[i]];

		*vec_push(&m->lines) = m->out->line_number[line];
		any |= m->out->line_number[line];
	}
	if (!any)
		vec_clear(&m->lines);
}

static uint32_t place_id(struct maker *m, uint32_t instruction)
{
	struct strbuf key = { 0 };
	uint32_t id;

	if (!instruction && !m->lines.len)
		return 0;
	strbuf_addf(&key, "%x", (unsigned)instruction);
	vec_for_each(const uint32_t, line, &m->lines)
		strbuf_addf(&key, " %x", (unsigned)*line);
	id = strtab_intern(&m->known, strbuf_str(&key));
	strbuf_release(&key);
	if (id < m->out->rows.len)
		return id;
	*vec_push(&m->out->rows) = (struct page_place){
		.instruction = instruction,
		.first = (uint32_t)m->out->lines.len,
		.end = (uint32_t)(m->out->lines.len + m->lines.len),
	};
	vec_for_each(const uint32_t, line, &m->lines)
		*vec_push(&m->out->lines) = *line;
	return id;
}

static uint32_t *places_of(struct maker *m, const struct frame_ids *sites,
			   const struct frame_ids *pcs)
{
	size_t count = sites->first.len ? sites->first.len - 1 : 0;
	uint32_t *out = xcalloc(count + 1, sizeof(*out));

	for (size_t f = 0; f < count; f++) {
		uint32_t pc = pcs->ids.data[pcs->first.data[f]];

		find_lines(m, sites, f);
		out[f] = place_id(
			m, m->out->instruction_number[m->code->instruction_of[pc]]);
	}
	return out;
}

void page_places_read(struct page_places *out, struct session *s,
		      const struct page_code *code)
{
	const struct frame_map *sites = &session_analysis(s, ANALYSIS_SITES)->sites.map;
	struct maker m = { .out = out, .code = code };

	*out = (struct page_places){ 0 };
	if (!code->line_of)
		return;
	number_lines(out, code);
	number_instructions(out, code);
	*vec_push(&out->rows) = (struct page_place){ 0 };
	strtab_init(&m.known);
	out->sources = s->model.sources.len;
	out->of_frame = xcalloc(out->sources + 1, sizeof(*out->of_frame));
	for (size_t i = 0; i < out->sources; i++)
		out->of_frame[i] = places_of(&m, &sites->sources[i],
					     &code->pcs.map.sources[i]);
	strtab_release(&m.known);
	vec_release(&m.lines);
}

static void free_frames(struct page_places *places)
{
	for (size_t i = 0; i < places->sources; i++)
		free(places->of_frame[i]);
	free(places->of_frame);
	places->of_frame = NULL;
	places->sources = 0;
}

void page_places_clear(struct page_places *places)
{
	free_frames(places);
	places->rows.len = 0;
	vec_clear(&places->lines);
	vec_clear(&places->pairs);
}

void page_places_release(struct page_places *places)
{
	free_frames(places);
	free(places->line_number);
	free(places->instruction_number);
	vec_release(&places->rows);
	vec_release(&places->lines);
	vec_release(&places->pairs);
}

/* ---- frames ---- */

static uint32_t pair_id(struct page_places *places, struct idmap *ids, uint32_t function,
			uint32_t place)
{
	uint32_t next = (uint32_t)places->pairs.len;
	uint32_t id = idmap_intern(ids, function, place, next);

	if (id == next)
		*vec_push(&places->pairs) = (struct page_pair){ function, place };
	return id;
}

static bool can_apply(const struct page_places *places, const struct frame_map *frames)
{
	if (!places->of_frame || frames->folds)
		return false;
	for (size_t s = 0; s < places->sources; s++)
		if (frames->sources[s].of_node)
			return false;
	return true;
}

bool page_places_apply(struct page_places *places, struct frame_map *frames)
{
	struct idmap ids = { 0 };

	if (!can_apply(places, frames))
		return false;
	frames->empty = pair_id(places, &ids, frames->empty, 0);
	for (size_t s = 0; s < places->sources; s++) {
		struct frame_ids *of = &frames->sources[s];

		for (size_t f = 0; f + 1 < of->first.len; f++) {
			uint32_t end = of->first.data[f + 1];

			for (uint32_t i = of->first.data[f]; i < end; i++)
				of->ids.data[i] = pair_id(
					places, &ids, of->ids.data[i],
					i + 1 < end ? 0 : places->of_frame[s][f]);
		}
	}
	frames->groups = places->pairs.len;
	idmap_release(&ids);
	return true;
}
