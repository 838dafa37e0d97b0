/* SPDX-License-Identifier: Apache-2.0 */
#include "model/skid.h"

#define PAGE 4096

static bool is_skid(const struct experiment *exp, uint32_t node)
{
	const struct exp_frame *frame = &exp->frames.data[exp->nodes.data[node].frame];

	return node && frame->offset == EXP_SKID &&
	       exp->modules.data[frame->module].kind == EXP_KIND_ARTIFICIAL;
}

static uint64_t place_of(const struct exp_frame *frame)
{
	return frame->offset - (frame->flags & EXP_FRAME_RETURN && frame->offset);
}

static bool holds(const struct function *f, const struct exp_frame *frame)
{
	return place_of(frame) - f->start < f->size;
}

/*
 * Whether frames A and B are in the same function.  Several may share a name: if it has a
 * size, both frames are in it or neither is.
 */
static bool is_same(const struct model *model, const struct source *source, uint32_t a,
		    uint32_t b)
{
	const struct function *f = &model->functions.data[source->function[a]];
	const struct exp_frame *frames = source->exp->frames.data;

	if (a == b)
		return true;
	return !f->piece && source->function[a] == source->function[b] &&
	       holds(f, &frames[a]) == holds(f, &frames[b]);
}

/*
 * Whether frames A and B are in the same piece of code without a name.  All code without
 * a mapping is one row of the tables, wherever it is.
 */
static bool is_same_piece(const struct source *source, uint32_t a, uint32_t b)
{
	const struct experiment *exp = source->exp;
	const struct exp_frame *x = &exp->frames.data[a], *y = &exp->frames.data[b];

	if (exp->modules.data[x->module].kind == EXP_KIND_UNKNOWN &&
	    place_of(x) / PAGE != place_of(y) / PAGE)
		return false;
	return source->function[a] == source->function[b];
}

/* The frame of the chain that node N, beside it, was in; 0: unknown. */
static uint32_t find_frame(const struct model *model, const struct source *source,
			   uint32_t n)
{
	const struct exp_node *nodes = source->exp->nodes.data;
	const uint32_t frame = nodes[n].frame;
	const struct function *f = &model->functions.data[source->function[frame]];
	uint32_t at = nodes[nodes[n].parent].parent;

	if (at && f->piece && is_same_piece(source, frame, nodes[at].frame))
		return at;
	while (at && !is_same(model, source, frame, nodes[at].frame))
		at = nodes[at].parent;
	return at;
}

void skid_place(const struct model *model, struct source *source)
{
	struct experiment *exp = source->exp;
	struct exp_node *nodes = exp->nodes.data;

	for (uint32_t n = 1; n < exp->nodes.len; n++) {
		uint32_t at = 0;

		if (is_skid(exp, nodes[n].parent))
			at = find_frame(model, source, n);
		if (at)
			nodes[n].parent = nodes[at].parent;
	}
}
