/* SPDX-License-Identifier: Apache-2.0 */
#include "model/frame_map.h"

#include <stdlib.h>

#include "base/xalloc.h"

void frame_map_init(struct frame_map *map, const struct model *model)
{
	*map = (struct frame_map){ .source_count = model->sources.len };
	map->sources = xcalloc(map->source_count + 1, sizeof(*map->sources));
}

void frame_map_release(struct frame_map *map)
{
	for (size_t i = 0; i < map->source_count; i++) {
		vec_release(&map->sources[i].first);
		vec_release(&map->sources[i].ids);
		free(map->sources[i].of_node);
	}
	free(map->sources);
	free(map->folds);
	*map = (struct frame_map){ 0 };
}

/* Keeps the outermost id of each frame that has an object.  False: none has one. */
static bool keep_outermost(struct frame_ids *frames, const uint32_t *object)
{
	struct frame_ids kept = { 0 };
	bool any = false;

	for (size_t f = 0; f + 1 < frames->first.len; f++) {
		uint32_t i = frames->first.data[f], end = frames->first.data[f + 1];
		bool is_one = object[frames->ids.data[i]];

		frame_ids_begin(&kept);
		for (; i < end; i = is_one ? end : i + 1)
			*vec_push(&kept.ids) = frames->ids.data[i];
		any |= is_one;
	}
	frame_ids_begin(&kept);
	vec_release(&frames->first);
	vec_release(&frames->ids);
	*frames = kept;
	return any;
}

static uint32_t object_of(const struct frame_ids *frames, uint32_t frame,
			  const uint32_t *object)
{
	return object[frames->ids.data[frames->first.data[frame + 1] - 1]];
}

void frame_ids_merge_calls(struct frame_ids *frames, const struct experiment *exp,
			   const uint32_t *object)
{
	uint32_t *of_node;

	if (!keep_outermost(frames, object))
		return;
	of_node = xcalloc(exp->nodes.len + 1, sizeof(*of_node));
	for (size_t n = 1; n < exp->nodes.len; n++) {
		const struct exp_node *node = &exp->nodes.data[n];
		uint32_t own = object_of(frames, node->frame, object);
		uint32_t above = of_node[node->parent];
		bool is_within = node->parent && own &&
				 own == object_of(frames, above, object);

		of_node[n] = is_within ? above : node->frame;
	}
	frames->of_node = of_node;
}

/* They have a name of their own: there was no user stack. */
uint32_t frame_map_no_stack(struct model *model)
{
	return model_artificial(model, "<Truncated> (no user stack)");
}

void frame_map_functions(struct frame_map *out, struct model *model)
{
	frame_map_init(out, model);
	for (size_t s = 0; s < model->sources.len; s++) {
		const struct source *source = &model->sources.data[s];
		struct frame_ids *frames = &out->sources[s];

		for (size_t f = 0; f < source->exp->frames.len; f++) {
			frame_ids_begin(frames);
			*vec_push(&frames->ids) = source->function[f];
		}
		frame_ids_begin(frames);
	}
	out->empty = frame_map_no_stack(model);
	out->groups = model->functions.len;
}
