/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, frames and the tree of stacks. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/rows.h"
#include "model/children.h"

/* ---- code ---- */

static int64_t module_id(struct row_export *e, uint32_t module)
{
	uint32_t object = rows_model(e)->sources.data[0].object[module];
	const char *build = experiment_string(e->exp,
					      e->exp->modules.data[module].build_id);
	uint64_t hash = fnv_number(FNV_EMPTY, (uint64_t)rows_object(e, object));

	return row_id(e->sink, e->first_module + module, fnv_text(hash, build));
}

static void put_modules(struct row_export *e)
{
	const struct source *source = &rows_model(e)->sources.data[0];

	for (uint32_t i = 0; i < e->exp->modules.len; i++) {
		const struct exp_module *m = &e->exp->modules.data[i];

		row_add(e->sink, ROWS_MODULES, row_signed(module_id(e, i)),
			row_signed(e->id), row_signed(rows_object(e, source->object[i])),
			row_text_if(experiment_string(e->exp, m->build_id)));
	}
}

static void put_frame(struct row_export *e, uint32_t frame)
{
	const struct exp_frame *f = &e->exp->frames.data[frame];
	const struct frame_ids *ids = &e->lines->sources[0];
	uint32_t first = ids->first.data[frame];
	int64_t module = module_id(e, f->module);
	bool is_return = f->flags & EXP_FRAME_RETURN;
	uint64_t hash = fnv_number(fnv_number(FNV_EMPTY, (uint64_t)module), f->offset);
	int64_t id = row_id(e->sink, e->first_frame + frame, fnv_number(hash, is_return));

	e->frame[frame] = id;
	/* two's complement: anonymous code may be at any address */
	row_add(e->sink, ROWS_FRAMES, row_signed(id), row_signed(module),
		row_signed((int64_t)f->offset), row_number(is_return));
	for (uint32_t i = first; i < ids->first.data[frame + 1]; i++)
		row_add(e->sink, ROWS_FRAME_LINES, row_signed(id), row_number(i - first),
			row_signed(rows_line(e, ids->ids.data[i])));
}

void rows_put_code(struct row_export *e)
{
	e->first_module = row_next(e->sink, ROWS_MODULES);
	e->first_frame = row_next(e->sink, ROWS_FRAMES);
	put_modules(e);
	for (uint32_t f = 0; f < e->exp->frames.len && !row_failed(e->sink); f++)
		put_frame(e, f);
}

/* ---- stacks ---- */

/*
 * A walk down and up the experiment's tree.  A frame with inlined functions is as many
 * rows, one below the other.
 */
struct walk {
	struct row_export *e;
	const struct exp_node *nodes;
	const struct frame_ids *frames;
	struct children children;
	uint64_t *size; /* by node: its rows and those below it */
	int64_t next;   /* id of a row */
	/* by function, object and line: their occurrences on the way down to here */
	uint32_t *functions, *objects, *lines;
};

static void count_sizes(struct walk *w, size_t count)
{
	const uint32_t *first = w->frames->first.data;

	for (size_t n = count; n-- > 1;) {
		uint32_t frame = w->nodes[n].frame;

		w->size[n] += first[frame + 1] - first[frame];
		if (w->nodes[n].parent)
			w->size[w->nodes[n].parent] += w->size[n];
	}
}

/* Its id. */
static int64_t put_row(struct walk *w, int64_t parent, int64_t last, int64_t frame,
		       uint32_t site)
{
	struct row_export *e = w->e;
	uint32_t function = e->sites[site].function;
	uint32_t object = rows_model(e)->functions.data[function].object;
	int64_t line = rows_line(e, site);
	uint64_t hash = fnv_number(FNV_EMPTY, (uint64_t)parent);
	int64_t id;

	hash = fnv_number(fnv_number(hash, (uint64_t)frame), (uint64_t)line);
	id = row_id(e->sink, w->next++, hash);
	row_add(e->sink, ROWS_NODES, row_signed(id),
		parent ? row_signed(parent) : row_null(), row_signed(last),
		frame ? row_signed(frame) : row_null(), row_signed(line),
		row_number(!w->functions[function]++), row_number(!w->objects[object]++),
		row_number(!w->lines[site]++));
	return id;
}

static void enter(void *ctx, uint32_t n)
{
	struct walk *w = ctx;
	struct row_export *e = w->e;
	const struct exp_node *node = &w->nodes[n];
	const uint32_t *first = w->frames->first.data + node->frame;
	int64_t last = w->next + (int64_t)w->size[n] - 1;
	int64_t parent = node->parent ? e->leaf[node->parent] : 0;

	for (uint32_t i = first[0]; i < first[1]; i++)
		parent = put_row(w, parent, last, e->frame[node->frame],
				 w->frames->ids.data[i]);
	e->leaf[n] = parent;
}

static void leave(void *ctx, uint32_t n)
{
	const struct walk *w = ctx;
	const uint32_t *first = w->frames->first.data + w->nodes[n].frame;

	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t site = w->frames->ids.data[i];
		uint32_t function = w->e->sites[site].function;

		w->lines[site]--;
		w->functions[function]--;
		w->objects[rows_model(w->e)->functions.data[function].object]--;
	}
}

/* The row of samples without a stack comes first. */
static void put_empty(struct walk *w)
{
	struct row_export *e = w->e;
	uint32_t site = e->lines->empty, function = e->sites[site].function;

	e->leaf[0] = put_row(w, 0, w->next, 0, site);
	w->lines[site]--;
	w->functions[function]--;
	w->objects[rows_model(e)->functions.data[function].object]--;
}

void rows_put_nodes(struct row_export *e)
{
	const struct model *model = rows_model(e);
	size_t count = e->exp->nodes.len;
	struct walk w = {
		.e = e,
		.nodes = e->exp->nodes.data,
		.frames = &e->lines->sources[0],
		.size = xcalloc(count + 1, sizeof(*w.size)),
		.next = e->first_node,
		.functions = xcalloc(model->functions.len + 1, sizeof(*w.functions)),
		.objects = xcalloc(model->objects.len + 1, sizeof(*w.objects)),
		.lines = xcalloc(e->lines->groups + 1, sizeof(*w.lines)),
	};

	count_sizes(&w, count);
	children_build(&w.children, e->exp);
	put_empty(&w);
	children_walk(&w.children, w.nodes, enter, leave, &w);
	children_release(&w.children);
	free(w.size);
	free(w.functions);
	free(w.objects);
	free(w.lines);
}
