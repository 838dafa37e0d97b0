/* SPDX-License-Identifier: Apache-2.0 */
#include "model/region_functions.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "model/open_regions.h"
#include "model/region_stacks.h"

/* A region may be called <Outside>, too: what is in none has a key of its own. */
static uint32_t row_of(struct region_functions *out, uint32_t function, uint32_t path,
		       uint32_t branch)
{
	const uint32_t next = (uint32_t)out->rows.len;
	const uint32_t row = idmap_intern(&out->ids, path ? branch : MODEL_NONE, function,
					  next);

	if (row == next)
		*vec_push(&out->rows) = (struct region_function){ function, branch };
	return row;
}

/* By path: its names, in the model's strings.  The caller frees them. */
static uint32_t *branches_of(struct model *model, const struct experiment *exp)
{
	uint32_t *branches = xcalloc(exp->region_paths.len, sizeof(*branches));
	struct strbuf name = { 0 };

	branches[0] = strtab_intern(&model->strings, "<Outside>");
	for (uint32_t p = 1; p < exp->region_paths.len; p++) {
		strbuf_clear(&name);
		region_path_put(exp, p, &name);
		branches[p] = strtab_intern(&model->strings, strbuf_str(&name));
	}
	strbuf_release(&name);
	return branches;
}

/* Of a source: its nodes' frames, one for each branch and frame of theirs. */
struct divided {
	struct region_functions *out;
	const struct frame_ids *shown;
	struct frame_ids *frames;
	struct idmap made; /* path and shown frame → frame */
};

static uint32_t frame_in(struct divided *d, uint32_t frame, uint32_t path,
			 uint32_t branch)
{
	const uint32_t *first = d->shown->first.data + frame;
	const uint32_t next = (uint32_t)d->frames->first.len;
	const uint32_t made = idmap_intern(&d->made, path, frame, next);

	if (made != next)
		return made;
	frame_ids_begin(d->frames);
	for (uint32_t i = first[0]; i < first[1]; i++)
		*vec_push(&d->frames->ids) = row_of(d->out, d->shown->ids.data[i], path,
						    branch);
	return made;
}

static void divide(struct region_functions *out, struct model *model, size_t index,
		   const struct frame_ids *shown)
{
	const struct source *source = &model->sources.data[index];
	const struct experiment *exp = source->exp;
	uint32_t *branches = branches_of(model, exp);
	struct divided d = { .out = out,
			     .shown = shown,
			     .frames = &out->map.sources[index] };

	frame_ids_begin(d.frames); /* frame 0: regions */
	*vec_push(&d.frames->ids) = 0;
	d.frames->of_node = xcalloc(exp->nodes.len + 1, sizeof(*d.frames->of_node));
	for (uint32_t n = 1; n < exp->nodes.len; n++) {
		const uint32_t path = region_stacks_branch(source->region_stacks, n);

		if (path != MODEL_NONE)
			d.frames->of_node[n] = frame_in(
				&d, frame_of_node(shown, exp->nodes.data, n), path,
				branches[path]);
	}
	frame_ids_begin(d.frames);
	idmap_release(&d.made);
	free(branches);
}

void region_functions_make(struct region_functions *out, struct model *model,
			   const struct frame_map *shown)
{
	*out = (struct region_functions){ 0 };
	*vec_push(&out->rows) = (struct region_function){ MODEL_NONE, 0 };
	frame_map_init(&out->map, model);
	for (size_t i = 0; i < model->sources.len; i++)
		divide(out, model, i, &shown->sources[i]);
	out->map.groups = out->rows.len;
}

void region_functions_release(struct region_functions *functions)
{
	vec_release(&functions->rows);
	idmap_release(&functions->ids);
	frame_map_release(&functions->map);
}
