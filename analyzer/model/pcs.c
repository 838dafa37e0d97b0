/* SPDX-License-Identifier: Apache-2.0 */
#include "model/pcs.h"

/* Known pcs: by offset and the number of its function in its object. */
struct known {
	struct idmap places, pcs;
};

static uint32_t pc_id(struct pcs *pcs, struct known *known, const struct pc *pc)
{
	uint64_t code = (uint64_t)pc->object << 32 | pc->function;
	uint32_t place = idmap_intern(&known->places, code, 0,
				      (uint32_t)known->places.len);
	uint32_t next = (uint32_t)pcs->pcs.len;
	uint32_t id = idmap_intern(&known->pcs, pc->offset, place, next);

	if (id == next)
		*vec_push(&pcs->pcs) = *pc;
	return id;
}

void pcs_build(struct pcs *out, struct model *model)
{
	uint32_t no_stack = frame_map_no_stack(model);
	struct known known = { 0 };

	*out = (struct pcs){ 0 };
	frame_map_init(&out->map, model);
	for (size_t s = 0; s < model->sources.len; s++) {
		const struct source *source = &model->sources.data[s];
		struct frame_ids *frames = &out->map.sources[s];

		for (size_t f = 0; f < source->exp->frames.len; f++) {
			const struct exp_frame *frame = &source->exp->frames.data[f];
			uint32_t function = source->function[f];
			struct pc pc = { model->functions.data[function].object, function,
					 pc_of_frame(frame) };

			frame_ids_begin(frames);
			*vec_push(&frames->ids) = pc_id(out, &known, &pc);
		}
		frame_ids_begin(frames);
	}
	out->map.empty = pc_id(out, &known,
			       &(struct pc){
				       model->functions.data[no_stack].object,
				       no_stack,
				       0,
			       });
	out->map.groups = out->pcs.len;
	idmap_release(&known.places);
	idmap_release(&known.pcs);
}

void pcs_release(struct pcs *pcs)
{
	vec_release(&pcs->pcs);
	frame_map_release(&pcs->map);
}
