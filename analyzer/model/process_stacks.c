/* SPDX-License-Identifier: Apache-2.0 */
#include "model/process_stacks.h"

#include "model/sample_walk.h"
#include "model/value.h"

static uint64_t *weights_of(struct process_stacks *out, const struct model *model,
			    struct process_stack stack)
{
	uint32_t next = (uint32_t)out->stacks.len;
	uint32_t id = idmap_intern(&out->ids, stack.node, stack.process, next);

	if (id == next) {
		*vec_push(&out->stacks) = stack;
		for (size_t m = 0; m < model->metrics.len; m++)
			*vec_push(&out->weights) = 0;
	}
	return out->weights.data + id * model->metrics.len;
}

static void read_samples(struct process_stacks *out, const struct model *model,
			 size_t index, const struct frame_map *frames)
{
	const struct source *source = &model->sources.data[index];
	struct sample_walk walk;

	sample_walk_init(&walk, model, index, frames);
	while (sample_walk_next(&walk)) {
		const struct exp_samples *s = &walk.block;
		const size_t i = walk.at;
		struct process_stack stack = {
			source->exp->threads.data[s->thread[i]].process,
			(uint32_t)s->node[i],
		};

		uint64_t *weights = weights_of(out, model, stack);
		struct value v = { s->weight[i], 1 };
		struct division_part part;
		size_t at = 0;

		weight_add(&weights[source->metric[s->event[i]]], v.weight);
		while (division_next(&source->division, s->event[i], s->node[i], &at,
				     &part))
			weight_add(&weights[source->metric[part.column]],
				   division_value(&part, v).weight);
	}
	sample_walk_release(&walk);
}

/* A long recording of one process has its sums already. */
static void take_totals(struct process_stacks *out, const struct model *model,
			const struct source *source)
{
	const struct totals *totals = source_totals(model, source);

	for (uint32_t n = 0; n < totals->nodes; n++)
		for (size_t e = 0; e < totals->columns; e++) {
			struct value v = totals->node[e * totals->nodes + n];

			if (value_is_any(v))
				weight_add(&weights_of(out, model,
						       (struct process_stack){
							       0, n })[source->metric[e]],
					   v.weight);
		}
}

void process_stacks_read(struct process_stacks *out, const struct model *model,
			 size_t source, const struct frame_map *frames)
{
	*out = (struct process_stacks){ 0 };
	if (model->sources.data[source].exp->processes.len == 1)
		take_totals(out, model, &model->sources.data[source]);
	else
		read_samples(out, model, source, frames);
}

void process_stacks_release(struct process_stacks *stacks)
{
	vec_release(&stacks->stacks);
	vec_release(&stacks->weights);
	idmap_release(&stacks->ids);
}
