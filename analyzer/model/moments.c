/* SPDX-License-Identifier: Apache-2.0 */
#include "model/moments.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/aggregate.h"
#include "model/unsampled.h"
#include "model/sample_walk.h"
#include "base/xalloc.h"

/* V: its weight and, counted or not, its number in the metric of COLUMN. */
static void add_to(struct moments *out, const struct model *model,
		   const struct source *source, size_t column,
		   const struct exp_samples *s, size_t i, struct value v)
{
	size_t metric = source->metric[column];
	uint32_t thread = source->exp->threads.data[s->thread[i]].last;
	struct timeline *line = &out->lines[thread * model->metrics.len + metric];
	const uint32_t number = (uint32_t)line->moments.len & INT32_MAX;

	*vec_push(&line->moments) = (struct moment){ .time_ns = s->time_ns[i],
						     .weight = v.weight,
						     .node = (uint32_t)s->node[i],
						     .number = number,
						     .counted = v.samples > 0 };
}

static void add_sample(struct moments *out, const struct model *model,
		       const struct source *source, const bool *unsampled,
		       const struct exp_samples *s, size_t i)
{
	const struct value v = aggregate_value(source, unsampled, s, i);
	struct division_part part;
	size_t at = 0;

	add_to(out, model, source, s->event[i], s, i, v);
	while (division_next(&source->division, s->event[i], s->node[i], &at, &part))
		add_to(out, model, source, part.column, s, i, division_value(&part, v));
}

static int by_time(const void *va, const void *vb)
{
	const struct moment *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* A recording is in order except for late samples. */
static void sort_timeline(struct timeline *line)
{
	bool sorted = true;

	for (size_t i = 1; i < line->moments.len && sorted; i++)
		sorted = by_time(&line->moments.data[i - 1], &line->moments.data[i]) < 0;
	if (!sorted)
		qsort(line->moments.data, line->moments.len, sizeof(struct moment),
		      by_time);
}

void moments_read(struct moments *out, const struct model *model, size_t index,
		  const struct frame_map *frames)
{
	const struct source *source = &model->sources.data[index];
	bool *unsampled = unsampled_nodes(source->exp);
	struct sample_walk walk;

	out->count = source->exp->threads.len * model->metrics.len;
	out->lines = xcalloc(out->count + 1, sizeof(*out->lines));
	sample_walk_init(&walk, model, index, frames);
	while (sample_walk_next(&walk))
		add_sample(out, model, source, unsampled, &walk.block, walk.at);
	sample_walk_release(&walk);
	free(unsampled);
	for (size_t i = 0; i < out->count; i++)
		sort_timeline(&out->lines[i]);
}

void moments_release(struct moments *moments)
{
	for (size_t i = 0; i < moments->count; i++)
		vec_release(&moments->lines[i].moments);
	free(moments->lines);
	*moments = (struct moments){ 0 };
}
