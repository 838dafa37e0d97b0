/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stack_folds.h"

#include <stdlib.h>

#include "base/xalloc.h"

static const struct place root = { 0, 0 };

/* ---- the folded stack of a place ---- */

static bool has_joined(const struct stack_folds *f, uint32_t node)
{
	return f->joins && f->joins[node / 64] >> node % 64 & 1;
}

static bool same_place(struct place a, struct place b)
{
	return a.node == b.node && a.at == b.at;
}

/* The top of the stack that ends with PLACE. */
static struct place top_of(const struct stack_folds *f, struct place place)
{
	uint32_t id;

	if (!has_joined(f, place.node))
		return place;
	id = idmap_get(&f->ids, place.node, place.at);
	return id == IDMAP_NONE ? place : f->joined.data[id].cell;
}

/* The top of the stack that a place of NODE is put on first. */
static struct place top_below(const struct stack_folds *f, uint32_t node)
{
	uint32_t parent = f->nodes[node].parent;

	if (!parent)
		return root;
	return top_of(f, (struct place){ parent, stack_folds_last(f, parent) });
}

static struct place cell_below(const struct stack_folds *f, struct place cell)
{
	if (!cell.at)
		return top_below(f, cell.node);
	return top_of(f, (struct place){ cell.node, cell.at - 1 });
}

/* ---- rounds ---- */

/* Whether the PERIOD - 1 ids from A on down are those from B on. */
static bool is_round(const struct stack_folds *f, struct place a, struct place b,
		     unsigned period)
{
	for (unsigned i = 1; i < period; i++) {
		if (!b.node || stack_folds_id(f, a) != stack_folds_id(f, b))
			return false;
		a = cell_below(f, a);
		b = cell_below(f, b);
	}
	return true;
}

/* The cell that ends a round of up to MOST that ID on TOP ends again; or the root. */
static struct place find_round(const struct stack_folds *f, struct place top, uint32_t id,
			       unsigned most)
{
	struct place cell = top;

	for (unsigned period = 1; cell.node && period <= most; period++) {
		struct place below = cell_below(f, cell);

		if (stack_folds_id(f, cell) == id && is_round(f, top, below, period))
			return cell;
		cell = below;
	}
	return root;
}

static uint64_t *left_by(struct stack_folds *f, struct place cell)
{
	uint32_t next = (uint32_t)f->left.len;
	uint32_t id = idmap_intern(&f->left_ids, cell.node, cell.at, next);

	if (id == next)
		*vec_push(&f->left) = 0;
	return &f->left.data[id];
}

/* PLACE joins CELL: those above, down from TOP, lose its weight. */
static void join(struct stack_folds *f, struct place place, struct place top,
		 struct place cell)
{
	if (!f->joins)
		f->joins = xcalloc(f->totals->nodes / 64 + 1, sizeof(*f->joins));
	f->joins[place.node / 64] |= (uint64_t)1 << place.node % 64;
	idmap_set(&f->ids, place.node, place.at, (uint32_t)f->joined.len);
	*vec_push(&f->joined) = (struct joined){ place, cell };
	for (; !same_place(top, cell); top = cell_below(f, top))
		weight_add(left_by(f, top), f->total[place.node]);
}

static void fold_node(struct stack_folds *f, uint32_t node, unsigned most)
{
	struct place place = { node, 0 }, top = top_below(f, node);

	for (uint32_t last = stack_folds_last(f, node); place.at <= last; place.at++) {
		struct place cell = find_round(f, top, stack_folds_id(f, place), most);

		if (cell.node)
			join(f, place, top, cell);
		top = cell.node ? cell : place;
	}
}

/* ---- all of them ---- */

uint64_t stack_folds_own(const struct stack_folds *f, uint32_t node)
{
	uint64_t own = 0;

	for (size_t e = 0; e < f->totals->columns; e++)
		if (f->source->metric[e] == f->metric)
			weight_add(&own,
				   f->totals->node[e * f->totals->nodes + node].weight);
	return own;
}

static void add_up(struct stack_folds *f)
{
	size_t count = f->totals->nodes;

	f->total = xcalloc(count, sizeof(*f->total));
	for (uint32_t n = 0; n < count; n++)
		f->total[n] = stack_folds_own(f, n);
	for (size_t n = count - 1; n > 0; n--)
		weight_add(&f->total[f->nodes[n].parent], f->total[n]);
}

static int by_cell(const void *a, const void *b)
{
	const struct joined *x = a, *y = b;
	uint64_t cx = (uint64_t)x->cell.node << 32 | x->cell.at;
	uint64_t cy = (uint64_t)y->cell.node << 32 | y->cell.at;

	return (cx > cy) - (cx < cy);
}

void stack_folds_init(struct stack_folds *out, const struct model *model, size_t index,
		      const struct frame_map *frames, uint32_t metric, unsigned period)
{
	const struct source *source = &model->sources.data[index];

	*out = (struct stack_folds){
		.source = source,
		.totals = source_totals(model, source),
		.frames = &frames->sources[index],
		.nodes = source->exp->nodes.data,
		.metric = metric,
	};
	children_build(&out->children, source->exp);
	add_up(out);
	for (uint32_t n = 1; n < out->totals->nodes; n++)
		fold_node(out, n, period);
	if (out->joined.len)
		qsort(out->joined.data, out->joined.len, sizeof(*out->joined.data),
		      by_cell);
}

void stack_folds_release(struct stack_folds *f)
{
	children_release(&f->children);
	free(f->total);
	free(f->joins);
	idmap_release(&f->ids);
	vec_release(&f->joined);
	idmap_release(&f->left_ids);
	vec_release(&f->left);
}

uint64_t stack_folds_weight(const struct stack_folds *f, struct place cell)
{
	uint32_t id = idmap_get(&f->left_ids, cell.node, cell.at);
	uint64_t left = id == IDMAP_NONE ? 0 : f->left.data[id];
	uint64_t total = f->total[cell.node];

	return left < total ? total - left : 0;
}

bool stack_folds_is_cell(const struct stack_folds *f, struct place place)
{
	return !has_joined(f, place.node) ||
	       idmap_get(&f->ids, place.node, place.at) == IDMAP_NONE;
}

const struct joined *stack_folds_joined(const struct stack_folds *f, struct place cell,
					size_t *count)
{
	const struct joined key = { .cell = cell };
	size_t low = 0, high = f->joined.len, end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_cell(&f->joined.data[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < f->joined.len && !by_cell(&f->joined.data[end], &key);
	     end++)
		continue;
	*count = end - low;
	return *count ? f->joined.data + low : NULL;
}
