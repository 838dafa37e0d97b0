/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tree_fold.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"

/* The cells that decide whether a function ends a round: two rounds without it. */
enum { WINDOW = 2 * FOLD_PERIOD_MAX - 1 };

/* The top of a stack: its cells, and their functions, from the top down. */
struct window {
	uint32_t cells[WINDOW], functions[WINDOW];
	unsigned len;
};

struct fold {
	struct folding *out;
	struct idmap ids;
	unsigned period;
};

static uint32_t function_of(const struct fold *f, uint32_t cell)
{
	return f->out->tree.nodes.data[f->out->cells.data[cell].node].function;
}

static void look(const struct fold *f, uint32_t top, struct window *w)
{
	unsigned most = f->period ? 2 * f->period - 1 : 0;

	for (w->len = 0; top && w->len < most; w->len++) {
		w->cells[w->len] = top;
		w->functions[w->len] = function_of(f, top);
		top = f->out->cells.data[top].below;
	}
}

/* Whether FUNCTION on top of W ends the second of two equal rounds. */
static bool ends_round(const struct window *w, uint32_t function, unsigned period)
{
	if (w->len < 2 * period - 1 || w->functions[period - 1] != function)
		return false;
	for (unsigned i = 0; i + 1 < period; i++)
		if (w->functions[i] != w->functions[i + period])
			return false;
	return true;
}

/* The functions of the round that FUNCTION ends, at most MOST; 0: it ends none. */
static unsigned find_round(const struct window *w, uint32_t function, unsigned most)
{
	for (unsigned period = 1; period <= most; period++)
		if (ends_round(w, function, period))
			return period;
	return 0;
}

static uint32_t add_cell(struct fold *f, struct fold_cell cell)
{
	*vec_push(&f->out->cells) = cell;
	return (uint32_t)(f->out->cells.len - 1);
}

static void note_longest(uint16_t *longest, unsigned period)
{
	if (*longest < period)
		*longest = (uint16_t)period;
}

/* The first round with the frames of the second, which ends in the function to add. */
static uint32_t join_rounds(struct fold *f, const struct window *w, unsigned period)
{
	uint32_t top = f->out->cells.data[w->cells[2 * period - 2]].below;

	for (unsigned i = period; i-- > 0;) {
		struct fold_cell cell = f->out->cells.data[w->cells[i + period - 1]];
		const struct fold_cell *again = i ? &f->out->cells.data[w->cells[i - 1]]
						  : NULL;

		cell.below = top;
		cell.frames += again ? again->frames : 1;
		if (again) {
			note_longest(&cell.last_of, again->last_of);
			note_longest(&cell.first_of, again->first_of);
		}
		if (period > 1 && i == 0)
			note_longest(&cell.last_of, period);
		if (period > 1 && i + 1 == period)
			note_longest(&cell.first_of, period);
		top = add_cell(f, cell);
	}
	return top;
}

/* The top of the stack with FUNCTION on TOP. */
static uint32_t push_function(struct fold *f, uint32_t top, uint32_t function)
{
	uint32_t node = f->out->cells.data[top].node;
	struct window w;
	unsigned period;

	look(f, top, &w);
	period = find_round(&w, function, f->period);
	if (period)
		return join_rounds(f, &w, period);
	node = tree_intern(&f->out->tree, &f->ids, node, function);
	return add_cell(f, (struct fold_cell){ .node = node, .below = top, .frames = 1 });
}

/* The nodes of samples know how much was folded: those without make no claims. */
static void add_repeats(struct folding *out, const struct tree *whole)
{
	struct tree_repeat *repeats = tree_repeats(&out->tree);
	bool *seen = xcalloc(out->cells.len, sizeof(*seen));

	for (size_t n = 0; n < whole->nodes.len; n++)
		if (tree_has_own(whole, n))
			seen[out->top[n]] = true;
	for (size_t c = out->cells.len - 1; c > 0; c--) {
		const struct fold_cell *cell = &out->cells.data[c];

		if (!seen[c])
			continue;
		seen[cell->below] = true;
		tree_repeat_add(&repeats[cell->node], cell->frames, cell->last_of);
	}
	free(seen);
}

void tree_fold(struct folding *out, const struct tree *whole, unsigned period)
{
	struct fold f = { .out = out, .period = period };
	uint32_t *map = xreallocarray(NULL, whole->nodes.len, sizeof(*map));

	*out = (struct folding){ 0 };
	tree_init(&out->tree);
	*vec_push(&out->cells) = (struct fold_cell){ .node = TREE_ROOT };
	out->top = xcalloc(whole->nodes.len, sizeof(*out->top));
	map[TREE_ROOT] = TREE_ROOT;
	for (size_t n = 1; n < whole->nodes.len; n++) {
		const struct tree_node *node = &whole->nodes.data[n];

		out->top[n] = push_function(&f, out->top[node->parent], node->function);
		map[n] = out->cells.data[out->top[n]].node;
	}
	idmap_release(&f.ids);
	tree_complete(&out->tree, whole, map);
	add_repeats(out, whole);
	free(map);
}

bool tree_has_rounds(const struct tree *whole, unsigned period)
{
	const struct tree_node *nodes = whole->nodes.data;

	for (size_t n = 1; period && n < whole->nodes.len; n++) {
		struct window w = { .len = 0 };

		for (uint32_t at = nodes[n].parent; at && w.len < 2 * period - 1;
		     at = nodes[at].parent)
			w.functions[w.len++] = nodes[at].function;
		if (find_round(&w, nodes[n].function, period))
			return true;
	}
	return false;
}

void folding_release(struct folding *folding)
{
	tree_release(&folding->tree);
	vec_release(&folding->cells);
	free(folding->top);
	*folding = (struct folding){ 0 };
}
