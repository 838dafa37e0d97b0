/* SPDX-License-Identifier: Apache-2.0 */
#include "model/moments.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/sample_walk.h"
#include "base/xalloc.h"

static void add_sample(struct moments *out, const struct model *model,
		       const struct source *source, const struct exp_samples *s, size_t i)
{
	size_t metric = source->metric[s->event[i]];
	uint32_t thread = source->exp->threads.data[s->thread[i]].last;
	struct timeline *line = &out->lines[thread * model->metrics.len + metric];
	const uint32_t number = (uint32_t)line->moments.len;

	*vec_push(&line->moments) = (struct moment){ .time_ns = s->time_ns[i],
						     .weight = s->weight[i],
						     .node = (uint32_t)s->node[i],
						     .number = number };
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
	struct sample_walk walk;

	out->count = source->exp->threads.len * model->metrics.len;
	out->lines = xcalloc(out->count + 1, sizeof(*out->lines));
	sample_walk_init(&walk, model, index, frames);
	while (sample_walk_next(&walk))
		add_sample(out, model, source, &walk.block, walk.at);
	sample_walk_release(&walk);
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
