/* SPDX-License-Identifier: Apache-2.0 */
#include "model/heavy_path.h"

#include <stdlib.h>

#include "model/children.h"
#include "base/xalloc.h"

/* A source's nodes, each with the weight that ends in it and below. */
struct stacks {
	const struct source *source;
	struct children children;
	uint64_t *total;
};

/* The AT-th id of a node's frame; NODE 0: the function of empty stacks. */
struct place {
	uint32_t source, node, at;
};

struct places {
	struct place *data;
	size_t len, cap;
};

/* All places of one node of the merged tree, and those right below it. */
struct descent {
	const struct model *model;
	const struct frame_map *frames;
	struct stacks *stacks; /* by source */
	struct places here, below;
	uint64_t *weight; /* by id: of the places below */
};

static void add_totals(struct stacks *s, const struct totals *totals, uint32_t metric)
{
	const struct experiment *exp = s->source->exp;
	size_t count = exp->nodes.len;

	s->total = xcalloc(count, sizeof(*s->total));
	for (size_t e = 0; e < totals->events; e++)
		for (size_t n = 0; n < count && s->source->metric[e] == metric; n++)
			weight_add(&s->total[n], totals->node[e * count + n].weight);
}

/* The total of the root is that of the source; the weight of empty stacks stays. */
static uint64_t sum_up(struct stacks *s, uint64_t *empty)
{
	const struct experiment *exp = s->source->exp;

	*empty = s->total[0];
	for (size_t n = exp->nodes.len - 1; n > 0; n--)
		weight_add(&s->total[exp->nodes.data[n].parent], s->total[n]);
	return s->total[0];
}

static uint32_t id_at(const struct descent *d, const struct place *p)
{
	const struct frame_ids *frames = &d->frames->sources[p->source];
	const struct experiment *exp = d->stacks[p->source].source->exp;

	if (!p->node)
		return d->frames->empty;
	return frames->ids
		.data[frames->first.data[exp->nodes.data[p->node].frame] + p->at];
}

static bool is_last_id(const struct descent *d, const struct place *p)
{
	const uint32_t *first = d->frames->sources[p->source].first.data;
	uint32_t frame = d->stacks[p->source].source->exp->nodes.data[p->node].frame;

	return first[frame] + p->at + 1 == first[frame + 1];
}

/* ID is right above P: calls within a hidden object are one with it. */
static void add_place(struct descent *d, struct place p, uint32_t id)
{
	uint32_t own = id_at(d, &p);

	if (own == id && d->frames->folds && d->frames->folds[id]) {
		*vec_push(&d->here) = p;
		return;
	}
	weight_add(&d->weight[own], d->stacks[p.source].total[p.node]);
	*vec_push(&d->below) = p;
}

static void add_children(struct descent *d, uint32_t source, uint32_t node, uint32_t id)
{
	const struct children *children = &d->stacks[source].children;

	for (uint32_t n = children->first[node]; n; n = children->next[n])
		add_place(d, (struct place){ source, n, 0 }, id);
}

/* Adds the places below those of ID here; more may follow. */
static void look_below(struct descent *d, uint32_t id)
{
	for (size_t i = 0; i < d->here.len; i++) {
		struct place p = d->here.data[i];

		if (!p.node)
			continue;
		if (is_last_id(d, &p))
			add_children(d, p.source, p.node, id);
		else
			add_place(d, (struct place){ p.source, p.node, p.at + 1 }, id);
	}
}

/*
 * Goes to the id below with more than half of WHOLE: there is at most one.  False: none.
 */
static bool step(struct descent *d, struct heavy_path *path)
{
	uint32_t best = MODEL_NONE;

	vec_for_each(const struct place, p, &d->below) {
		uint32_t id = id_at(d, p);

		if (d->weight[id] > path->whole / 2) {
			best = id;
			path->weight = d->weight[id];
		}
	}
	vec_clear(&d->here);
	vec_for_each(const struct place, p, &d->below) {
		uint32_t id = id_at(d, p);

		d->weight[id] = 0;
		if (id == best)
			*vec_push(&d->here) = *p;
	}
	vec_clear(&d->below);
	if (best != MODEL_NONE)
		*vec_push(&path->ids) = best;
	return best != MODEL_NONE;
}

/* All sources at their roots. */
static void begin(struct descent *d, struct heavy_path *path, uint32_t metric)
{
	d->stacks = xcalloc(d->model->sources.len + 1, sizeof(*d->stacks));
	d->weight = xcalloc(d->frames->groups + 1, sizeof(*d->weight));
	for (uint32_t i = 0; i < d->model->sources.len; i++) {
		const struct source *source = &d->model->sources.data[i];
		const struct totals *totals = source_totals(d->model, source);
		uint64_t empty;

		d->stacks[i].source = source;
		children_build(&d->stacks[i].children, source->exp);
		add_totals(&d->stacks[i], totals, metric);
		weight_add(&path->whole, sum_up(&d->stacks[i], &empty));
		d->stacks[i].total[0] = empty;
		if (totals_has_empty_stacks(totals))
			add_place(d, (struct place){ i, 0, 0 }, MODEL_NONE);
		add_children(d, i, 0, MODEL_NONE);
	}
}

void heavy_path_find(struct heavy_path *out, const struct model *model,
		     const struct frame_map *frames, uint32_t metric)
{
	struct descent d = { .model = model, .frames = frames };

	*out = (struct heavy_path){ 0 };
	begin(&d, out, metric);
	while (step(&d, out))
		look_below(&d, out->ids.data[out->ids.len - 1]);
	for (size_t i = 0; i < model->sources.len; i++) {
		children_release(&d.stacks[i].children);
		free(d.stacks[i].total);
	}
	free(d.stacks);
	free(d.weight);
	vec_release(&d.here);
	vec_release(&d.below);
}

void heavy_path_release(struct heavy_path *path)
{
	vec_release(&path->ids);
}
