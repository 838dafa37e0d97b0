/* SPDX-License-Identifier: Apache-2.0 */
#include "model/heavy_path.h"

#include <stdlib.h>

#include "model/stack_folds.h"
#include "base/idmap.h"
#include "base/xalloc.h"

/* A node with this percentage of all does not distinguish stacks. */
#define TRUNK_SHARE 95

/* The least share (%) of a listed part, and how many to list. */
#define PART_SHARE 5
#define PARTS_MAX  3

/* ---- a step down ---- */

/* Node 0: the function of empty stacks. */
struct cell {
	uint32_t source;
	struct place place;
};

struct cells {
	struct cell *data;
	size_t len, cap;
};

/* All cells of one function on equal stacks. */
struct branch {
	struct heavy_node sum;
	struct cell first;
	struct cells cells;
};

/* What is right below some equal stacks. */
struct step {
	const struct frame_map *frames;
	const struct stack_folds *stacks; /* by source */
	uint64_t own;                     /* of the samples that end with these */
	struct idmap ids;
	VEC(struct branch) branches;
};

static void step_release(struct step *step)
{
	vec_for_each(struct branch, branch, &step->branches)
		vec_release(&branch->cells);
	vec_release(&step->branches);
	idmap_release(&step->ids);
}

static bool is_before(const struct cell *a, const struct cell *b)
{
	if (a->source != b->source)
		return a->source < b->source;
	if (a->place.node != b->place.node)
		return a->place.node < b->place.node;
	return a->place.at < b->place.at;
}

static void add_cell(struct step *step, struct cell cell)
{
	const struct stack_folds *stacks = &step->stacks[cell.source];
	bool empty = !cell.place.node;
	uint32_t function = empty ? step->frames->empty
				  : stack_folds_id(stacks, cell.place);
	uint32_t next = (uint32_t)step->branches.len;
	uint32_t id = idmap_intern(&step->ids, 0, function, next);
	struct branch *branch;

	if (id == next)
		*vec_push(&step->branches) = (struct branch){ .sum = { function, 0 },
							      .first = cell };
	branch = &step->branches.data[id];
	if (is_before(&cell, &branch->first))
		branch->first = cell;
	weight_add(&branch->sum.weight, empty ? stack_folds_own(stacks, 0)
					      : stack_folds_weight(stacks, cell.place));
	*vec_push(&branch->cells) = cell;
}

static void add_if_cell(struct step *step, struct cell cell)
{
	if (stack_folds_is_cell(&step->stacks[cell.source], cell.place))
		add_cell(step, cell);
}

static void add_children(struct step *step, uint32_t source, uint32_t node)
{
	const struct children *children = &step->stacks[source].children;

	for (uint32_t n = children->first[node]; n; n = children->next[n])
		add_if_cell(step, (struct cell){ source, { n, 0 } });
}

/* What is above PLACE on stacks. */
static void look_below(struct step *step, uint32_t source, struct place place)
{
	const struct stack_folds *stacks = &step->stacks[source];

	if (place.at < stack_folds_last(stacks, place.node)) {
		place.at++;
		add_if_cell(step, (struct cell){ source, place });
		return;
	}
	weight_add(&step->own, stack_folds_own(stacks, place.node));
	add_children(step, source, place.node);
}

static void look_below_cell(struct step *step, const struct cell *cell)
{
	const struct stack_folds *stacks = &step->stacks[cell->source];
	const struct joined *joined;
	size_t count;

	if (!cell->place.node) {
		weight_add(&step->own, stack_folds_own(stacks, 0));
		return;
	}
	look_below(step, cell->source, cell->place);
	joined = stack_folds_joined(stacks, cell->place, &count);
	for (size_t i = 0; i < count; i++)
		look_below(step, cell->source, joined[i].place);
}

/* From BRANCH of STEP, which becomes the next one. */
static void step_down(struct step *step, const struct branch *branch)
{
	struct step next = { .frames = step->frames, .stacks = step->stacks };

	vec_for_each(const struct cell, cell, &branch->cells)
		look_below_cell(&next, cell);
	step_release(step);
	*step = next;
}

/* ---- the path ---- */

static bool has_share(const struct heavy_path *path, uint64_t weight, double percent)
{
	return (double)weight >= percent / 100 * (double)path->whole;
}

/* The branch with more than half of all: there is at most one; NULL: none. */
static const struct branch *heavy_branch(const struct heavy_path *path,
					 const struct step *step)
{
	vec_for_each(const struct branch, branch, &step->branches)
		if (branch->sum.weight > path->whole / 2)
			return branch;
	return NULL;
}

/* Drops all but the last of the functions that almost all stacks have. */
static void leave_trunk(struct heavy_path *path)
{
	size_t trunk = 0;

	while (trunk < path->nodes.len &&
	       has_share(path, path->nodes.data[trunk].weight, TRUNK_SHARE))
		trunk++;
	path->has_trunk = trunk > 1;
	if (!path->has_trunk)
		return;
	for (size_t i = trunk - 1; i < path->nodes.len; i++)
		path->nodes.data[i - (trunk - 1)] = path->nodes.data[i];
	path->nodes.len -= trunk - 1;
}

/* From high to low; of equal ones the first in the stacks. */
static int by_weight(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	if (x->sum.weight != y->sum.weight)
		return x->sum.weight > y->sum.weight ? -1 : 1;
	return is_before(&y->first, &x->first) - is_before(&x->first, &y->first);
}

static void add_part(struct heavy_path *path, uint32_t id, uint64_t weight)
{
	if (path->parts.len < PARTS_MAX && has_share(path, weight, PART_SHARE))
		*vec_push(&path->parts) = (struct heavy_node){ id, weight };
}

/* STEP is from the last of PATH; of equal parts itself is the first. */
static void find_parts(struct heavy_path *path, struct step *step)
{
	bool told = false;

	if (step->branches.len)
		qsort(step->branches.data, step->branches.len,
		      sizeof(*step->branches.data), by_weight);
	vec_for_each(const struct branch, branch, &step->branches) {
		if (!told && step->own >= branch->sum.weight) {
			add_part(path, HEAVY_ITSELF, step->own);
			told = true;
		}
		add_part(path, branch->sum.id, branch->sum.weight);
	}
	if (!told)
		add_part(path, HEAVY_ITSELF, step->own);
	if (path->parts.len == 1 && path->parts.data[0].id == HEAVY_ITSELF)
		path->parts.len = 0;
}

/* All sources at their roots. */
static void begin(struct step *step, struct heavy_path *path, const struct model *model)
{
	for (uint32_t i = 0; i < model->sources.len; i++) {
		weight_add(&path->whole, step->stacks[i].total[0]);
		add_children(step, i, 0);
		if (totals_has_empty_stacks(step->stacks[i].totals))
			add_cell(step, (struct cell){ i, { 0, 0 } });
	}
}

void heavy_path_find(struct heavy_path *out, const struct model *model,
		     const struct frame_map *frames, uint32_t metric, unsigned period)
{
	struct stack_folds *stacks = xcalloc(model->sources.len + 1, sizeof(*stacks));
	struct step step = { .frames = frames, .stacks = stacks };
	const struct branch *branch;

	*out = (struct heavy_path){ 0 };
	for (size_t i = 0; i < model->sources.len; i++)
		stack_folds_init(&stacks[i], model, i, frames, metric, period);
	begin(&step, out, model);
	while ((branch = heavy_branch(out, &step))) {
		*vec_push(&out->nodes) = branch->sum;
		step_down(&step, branch);
	}
	leave_trunk(out);
	if (out->nodes.len)
		find_parts(out, &step);
	step_release(&step);
	for (size_t i = 0; i < model->sources.len; i++)
		stack_folds_release(&stacks[i]);
	free(stacks);
}

void heavy_path_release(struct heavy_path *path)
{
	vec_release(&path->nodes);
	vec_release(&path->parts);
}
