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
	}
	free(map->sources);
	free(map->folds);
	*map = (struct frame_map){ 0 };
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
