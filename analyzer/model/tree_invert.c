/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tree_invert.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"

/*
 * Steps from callee to caller, which bound the time and memory that a crafted recording
 * takes: a million stacks of 60 callers each need as many.
 */
#define STEPS_MAX (UINT64_C(1) << 26)

/* Sums in different order differ by less. */
#define ROUNDING 1e-9

/* A stack on its way from its leaf to its root. */
struct walker {
	uint32_t leaf; /* node of the whole tree */
	uint32_t cell; /* the next to add; 0: none is left */
};

struct invert {
	struct tree *out;
	const struct folding *folding;
	struct idmap ids;
	uint32_t *end;              /* by leaf: the last node on its way */
	VEC(struct walker) walkers; /* those that go on */
	VEC(double) weight;         /* by node of OUT */
	VEC(struct tree_repeat) repeats;
	struct tree_least least;
};

static void begin(struct invert *v, const struct tree *whole)
{
	tree_init(v->out);
	*vec_push(&v->weight) = 0;
	*vec_push(&v->repeats) = (struct tree_repeat){ 0 };
	for (uint32_t n = 1; n < whole->nodes.len; n++)
		if (tree_has_own(whole, n))
			*vec_push(&v->walkers) = (struct walker){ n, v->folding->top[n] };
}

static void step(struct invert *v, struct walker *w)
{
	const struct fold_cell *cell = &v->folding->cells.data[w->cell];
	uint32_t function = v->folding->tree.nodes.data[cell->node].function;
	uint32_t node = tree_intern(v->out, &v->ids, v->end[w->leaf], function);

	if (node == v->weight.len) {
		*vec_push(&v->weight) = 0;
		*vec_push(&v->repeats) = (struct tree_repeat){ 0 };
	}
	v->weight.data[node] += v->least.weight[w->leaf];
	tree_repeat_add(&v->repeats.data[node], cell->frames, cell->first_of);
	v->end[w->leaf] = node;
	w->cell = cell->below;
}

/* Those at their roots, and of nodes that are too small, stay where they are. */
static void end_walks(struct invert *v)
{
	double least = v->least.least * (1 - ROUNDING);
	size_t left = 0;

	vec_for_each(const struct walker, w, &v->walkers)
		if (w->cell && v->weight.data[v->end[w->leaf]] >= least)
			v->walkers.data[left++] = *w;
	v->walkers.len = left;
}

static void take_repeats(struct invert *v)
{
	struct tree_repeat *repeats = tree_repeats(v->out);

	for (size_t n = 0; n < v->out->nodes.len; n++)
		repeats[n] = v->repeats.data[n];
}

bool tree_invert(struct tree *out, const struct folding *folding,
		 const struct tree *whole, struct tree_least least)
{
	struct invert v = { .out = out, .folding = folding, .least = least };
	uint64_t steps = 0;
	bool all;

	v.end = xcalloc(whole->nodes.len, sizeof(*v.end));
	begin(&v, whole);
	while (v.walkers.len && (steps += v.walkers.len) <= STEPS_MAX) {
		vec_for_each(struct walker, w, &v.walkers)
			step(&v, w);
		end_walks(&v);
	}
	all = !v.walkers.len;
	tree_complete(out, whole, v.end);
	take_repeats(&v);
	idmap_release(&v.ids);
	free(v.end);
	vec_release(&v.walkers);
	vec_release(&v.weight);
	vec_release(&v.repeats);
	return all;
}
