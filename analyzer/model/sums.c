/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sums.h"

#include <stdlib.h>
#include <string.h>

#include "model/children.h"
#include "base/xalloc.h"

/*
 * A walk down and up all stacks of a source.  The inclusive value of a group is the value
 * passed between entering its outermost node and leaving it.
 */
struct walk {
	struct sums *sums;
	const uint32_t *of_id;
	const struct exp_node *nodes;
	struct children children;
	const struct frame_ids *frames;
	const struct totals *totals;
	const uint32_t *metric; /* event → metric */
	size_t first;           /* metric of the source */
	uint32_t *open;         /* by group: its occurrences on the way down to here */
	struct value *passed;   /* by event: of all nodes that were entered */
	struct value *before; /* [group × events + event]: PASSED when it was entered */
};

static struct value *place_of(const struct walk *w, struct value *values, size_t event,
			      uint32_t group)
{
	return &values[(w->first + w->metric[event]) * w->sums->groups + group];
}

static uint32_t group_of(const struct walk *w, uint32_t id)
{
	return w->of_id ? w->of_id[id] : id;
}

/* The ids of node N: *BEGIN, and the end as the result. */
static const uint32_t *ids_of(const struct walk *w, uint32_t n, const uint32_t **begin)
{
	const uint32_t *first = w->frames->first.data +
				frame_of_node(w->frames, w->nodes, n);

	*begin = w->frames->ids.data + first[0];
	return w->frames->ids.data + first[1];
}

/* Adds the samples that end in node N, which is in GROUP. */
static void pass(const struct walk *w, uint32_t n, uint32_t group)
{
	for (size_t e = 0; e < w->totals->columns; e++) {
		struct value own = w->totals->node[e * w->totals->nodes + n];

		value_add(&w->passed[e], own);
		value_add(place_of(w, w->sums->exclusive, e, group), own);
	}
}

static void enter(void *ctx, uint32_t n)
{
	const struct walk *w = ctx;
	const uint32_t *id, *end = ids_of(w, n, &id);
	size_t events = w->totals->columns;
	uint32_t group = 0;

	for (; id < end; id++) {
		group = group_of(w, *id);
		if (!w->open[group]++)
			memcpy(w->before + group * events, w->passed,
			       events * sizeof(*w->passed));
	}
	pass(w, n, group);
}

static void leave(void *ctx, uint32_t n)
{
	const struct walk *w = ctx;
	const uint32_t *id, *end = ids_of(w, n, &id);
	size_t events = w->totals->columns;

	for (; id < end; id++) {
		uint32_t group = group_of(w, *id);

		if (--w->open[group])
			continue;
		for (size_t e = 0; e < events; e++) {
			struct value within = w->passed[e];

			value_subtract(&within, w->before[group * events + e]);
			value_add(place_of(w, w->sums->inclusive, e, group), within);
		}
	}
}

static void add_empty_stacks(const struct walk *w, uint32_t empty)
{
	if (!totals_has_empty_stacks(w->totals))
		return;
	for (size_t e = 0; e < w->totals->columns; e++) {
		struct value own = w->totals->node[e * w->totals->nodes];

		value_add(place_of(w, w->sums->exclusive, e, group_of(w, empty)), own);
		value_add(place_of(w, w->sums->inclusive, e, group_of(w, empty)), own);
	}
}

static void add_source(struct sums *out, const struct model *model, size_t index,
		       const struct frame_map *frames, const uint32_t *of_id, bool apart)
{
	const struct source *source = &model->sources.data[index];
	struct walk w = {
		.sums = out,
		.of_id = of_id,
		.nodes = source->exp->nodes.data,
		.frames = &frames->sources[index],
		.totals = source_totals(model, source),
		.metric = source->metric,
		.first = apart ? index * model->metrics.len : 0,
	};
	size_t events = w.totals->columns;

	children_build(&w.children, source->exp);
	w.open = xcalloc(out->groups + 1, sizeof(*w.open));
	w.passed = xcalloc(events + 1, sizeof(*w.passed));
	w.before = xcalloc(out->groups + 1, (events + 1) * sizeof(*w.before));
	add_empty_stacks(&w, frames->empty);
	children_walk(&w.children, w.nodes, enter, leave, &w);
	children_release(&w.children);
	free(w.open);
	free(w.passed);
	free(w.before);
}

static void init(struct sums *out, size_t metrics, size_t groups)
{
	*out = (struct sums){
		.groups = groups,
		.exclusive = xcalloc(metrics * groups + 1, sizeof(struct value)),
		.inclusive = xcalloc(metrics * groups + 1, sizeof(struct value)),
	};
}

void sums_init(struct sums *out, const struct model *model,
	       const struct frame_map *frames)
{
	init(out, model->metrics.len, frames->groups);
}

void sums_add_source(struct sums *sums, const struct model *model, size_t index,
		     const struct frame_map *frames)
{
	add_source(sums, model, index, frames, NULL, false);
}

void sums_clear(struct sums *sums, size_t metrics)
{
	memset(sums->exclusive, 0, metrics * sums->groups * sizeof(*sums->exclusive));
	memset(sums->inclusive, 0, metrics * sums->groups * sizeof(*sums->inclusive));
}

void sums_build_grouped(struct sums *out, const struct model *model,
			const struct frame_map *frames, const uint32_t *of_id,
			size_t groups, bool apart)
{
	init(out, model->metrics.len * (apart ? model->sources.len : 1), groups);
	for (size_t i = 0; i < model->sources.len; i++)
		add_source(out, model, i, frames, of_id, apart);
}

void sums_build(struct sums *out, const struct model *model,
		const struct frame_map *frames, bool apart)
{
	sums_build_grouped(out, model, frames, NULL, frames->groups, apart);
}

void sums_select(struct sums *out, const struct sums *from, size_t metrics,
		 const uint32_t *groups, size_t count)
{
	init(out, metrics, count);
	for (size_t m = 0; m < metrics; m++)
		for (size_t i = 0; i < count; i++) {
			size_t at = m * from->groups + groups[i];

			out->exclusive[m * count + i] = from->exclusive[at];
			out->inclusive[m * count + i] = from->inclusive[at];
		}
	if (!from->machine)
		return;
	out->machine = xcalloc(count + 1, sizeof(*out->machine));
	for (size_t i = 0; i < count; i++)
		out->machine[i] = from->machine[groups[i]];
}

void sums_release(struct sums *sums)
{
	free(sums->exclusive);
	free(sums->inclusive);
	free(sums->machine);
	*sums = (struct sums){ 0 };
}
