/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sample_walk.h"

void sample_walk_init(struct sample_walk *walk, const struct model *model, size_t source,
		      const struct frame_map *frames)
{
	*walk = (struct sample_walk){
		.exp = model->sources.data[source].exp,
		.filtered = filter_is_set(&model->filter),
		.at = SIZE_MAX, /* the next one is the first */
	};
	if (walk->filtered)
		filter_run_init(&walk->filter, &model->filter, model, (uint32_t)source,
				frames);
}

/* To the next block that has samples. */
static bool next_block(struct sample_walk *walk)
{
	int more;

	walk->at = 0;
	do {
		more = experiment_next(walk->exp, &walk->blocks, &walk->block);
	} while (more < 0 || (more > 0 && !walk->block.count));
	return more > 0;
}

bool sample_walk_find(struct sample_walk *walk)
{
	do {
		if (walk->at >= walk->block.count && !next_block(walk))
			return false;
		if (!walk->filtered ||
		    filter_admits(&walk->filter, &walk->block, walk->at))
			return true;
		walk->at++;
	} while (true);
}

void sample_walk_release(struct sample_walk *walk)
{
	if (walk->filtered)
		filter_run_release(&walk->filter);
	exp_walk_release(&walk->blocks);
}
