/* SPDX-License-Identifier: Apache-2.0 */
#include "page/outline.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "model/foreign.h"

enum {
	ROWS_MOST = 400,
	DEPTH_MOST = 48, /* put_level is recursive */
};

#define LEAST_SHARE 0.01

struct branch {
	uint32_t node, parent;
	uint64_t weight; /* with all below it */
};

struct outline {
	const struct page_data *data;
	struct strbuf *out;
	VEC(struct branch) branches; /* the heaviest first */
	uint64_t whole;
};

static int by_weight(const void *va, const void *vb)
{
	const struct branch *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Parents come before their children. */
static void find_branches(struct outline *o)
{
	const struct page_stacks *stacks = &o->data->stacks;
	size_t count = stacks->nodes.len;
	const struct value *own = stacks->own + o->data->metric * count;
	uint64_t *weight = xcalloc(count, sizeof(*weight));
	uint32_t *first = page_stacks_first_alike(stacks);

	for (size_t n = count; n-- > 0;) {
		weight_add(&weight[first[n]], own[n].weight);
		if (n && first[n] == n)
			weight_add(&weight[first[stacks->nodes.data[n].parent]],
				   weight[n]);
	}
	o->whole = weight[0];
	for (uint32_t n = 1; n < count; n++)
		if (weight[n] && (double)weight[n] >= LEAST_SHARE * (double)o->whole)
			*vec_push(&o->branches) = (struct branch){
				n, first[stacks->nodes.data[n].parent], weight[n]
			};
	if (o->branches.len)
		qsort(o->branches.data, o->branches.len, sizeof(*o->branches.data),
		      by_weight);
	/* a child is never heavier than its parent, so none loses its parent */
	if (o->branches.len > ROWS_MOST)
		o->branches.len = ROWS_MOST;
	free(first);
	free(weight);
}

static bool has_children(const struct outline *o, uint32_t node)
{
	vec_for_each(const struct branch, b, &o->branches)
		if (b->parent == node)
			return true;
	return false;
}

static void put_level(struct outline *o, uint32_t parent, unsigned depth)
{
	const struct page_stacks *stacks = &o->data->stacks;

	if (!has_children(o, parent))
		return;
	if (depth == DEPTH_MOST) {
		strbuf_addstr(o->out, "<ul><li>deeper calls are left out</li></ul>");
		return;
	}
	strbuf_addstr(o->out, "<ul>\n");
	vec_for_each(const struct branch, b, &o->branches) {
		uint32_t function = stacks->nodes.data[b->node].function;

		if (b->parent != parent)
			continue;
		strbuf_addf(o->out, "<li>%.1f %% ",
			    100 * (double)b->weight / (double)o->whole);
		foreign_put_html(o->out, foreign(page_function_name(
						 o->data->session, stacks->strip,
						 stacks->functions.data[function])));
		put_level(o, b->node, depth + 1);
		strbuf_addstr(o->out, "</li>\n");
	}
	strbuf_addstr(o->out, "</ul>");
}

void page_outline(const struct page_data *data, struct strbuf *out)
{
	struct outline o = { .data = data, .out = out };

	if (data->metric >= data->session->model.metrics.len)
		return;
	find_branches(&o);
	if (o.branches.len) {
		strbuf_addstr(out, "<div class=\"outline\">\n<h2>Call tree, from 1 % "
				   "on</h2>\n");
		put_level(&o, 0, 0);
		strbuf_addstr(out, "</div>\n");
	}
	vec_release(&o.branches);
}
