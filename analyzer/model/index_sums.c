/* SPDX-License-Identifier: Apache-2.0 */
#include "model/index_sums.h"

#include <errno.h>
#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"
#include "model/aggregate.h"
#include "model/unsampled.h"
#include "model/filter_run.h"
#include "model/sample_walk.h"

struct reader {
	const struct model *model;
	size_t metrics;           /* of all sources if they are apart */
	struct idmap ids;         /* value → row */
	VEC(int64_t) values;      /* by row */
	VEC(struct value) amount; /* [row × metrics + metric] */
};

static struct value *row_of(struct reader *r, int64_t value)
{
	uint32_t next = (uint32_t)r->values.len;
	uint32_t row = idmap_intern(&r->ids, (uint64_t)value, 0, next);

	if (row == next) {
		*vec_push(&r->values) = value;
		for (size_t m = 0; m < r->metrics; m++)
			*vec_push(&r->amount) = (struct value){ 0 };
	}
	return r->amount.data + (size_t)row * r->metrics;
}

/* FIRST: the metric of the source. */
static void add_sample(struct reader *r, const struct source *source, size_t first,
		       const struct sample_walk *walk, int64_t value,
		       const bool *unsampled)
{
	aggregate_sample(row_of(r, value) + first, source, unsampled, &walk->block,
			 walk->at);
}

static void read_source(struct reader *r, const struct filter *expression, uint32_t index,
			const struct frame_map *frames, bool apart)
{
	const struct source *source = &r->model->sources.data[index];
	size_t first = apart ? index * r->model->metrics.len : 0;
	bool *unsampled = unsampled_nodes(source->exp);
	struct sample_walk walk;
	struct filter_run run;

	filter_run_init(&run, expression, r->model, index, frames);
	sample_walk_init(&walk, r->model, index, frames);
	while (sample_walk_next(&walk) && r->values.len <= INDEX_VALUES_MAX)
		add_sample(r, source, first, &walk,
			   filter_value(&run, &walk.block, walk.at), unsampled);
	sample_walk_release(&walk);
	filter_run_release(&run);
	free(unsampled);
}

static int by_value(const void *va, const void *vb)
{
	const int64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static void take(struct index_sums *out, const struct reader *r)
{
	size_t groups = r->values.len;

	vec_for_each(const int64_t, value, &r->values)
		*vec_push(&out->values) = *value;
	if (groups)
		qsort(out->values.data, groups, sizeof(*out->values.data), by_value);
	out->sums = (struct sums){
		.groups = groups,
		.exclusive = xcalloc(r->metrics * groups + 1, sizeof(struct value)),
	};
	for (size_t g = 0; g < groups; g++) {
		size_t row = idmap_get(&r->ids, (uint64_t)out->values.data[g], 0);

		for (size_t m = 0; m < r->metrics; m++)
			out->sums.exclusive[m * groups + g] =
				r->amount.data[row * r->metrics + m];
	}
}

int index_sums_read(struct index_sums *out, const struct model *model,
		    const struct filter *expression, const struct frame_map *frames,
		    bool apart)
{
	struct reader r = {
		.model = model,
		.metrics = model->metrics.len * (apart ? model->sources.len : 1),
	};
	int error = 0;

	*out = (struct index_sums){ 0 };
	for (uint32_t i = 0; i < model->sources.len; i++)
		read_source(&r, expression, i, frames, apart);
	if (r.values.len > INDEX_VALUES_MAX)
		error = -E2BIG;
	else
		take(out, &r);
	idmap_release(&r.ids);
	vec_release(&r.values);
	vec_release(&r.amount);
	return error;
}

void index_sums_release(struct index_sums *sums)
{
	vec_release(&sums->values);
	sums_release(&sums->sums);
}
