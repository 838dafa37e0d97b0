/* SPDX-License-Identifier: Apache-2.0 */
#include "model/region_stacks.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "base/xalloc.h"
#include "experiment/read.h"
#include "model/frame_map.h"
#include "model/open_regions.h"
#include "model/unsampled.h"

struct region_stacks {
	struct exp_divider divider;
	struct experiment *exp;
	struct open_regions open;
	bool *unsampled;        /* by recorded node */
	uint32_t recorded;      /* nodes */
	bool all_made;          /* whatever is read */
	size_t frames, modules; /* recorded ones */
	uint32_t *region;       /* by path: the node of the innermost region */
	uint32_t no_stack;      /* the frame of samples without one */
	struct idmap ids;       /* recorded node and path → node */
	VEC(uint32_t) branch;   /* of the nodes behind the recorded ones: their path */
};

static uint32_t add_node(struct region_stacks *r, struct experiment *exp, uint32_t parent,
			 uint32_t frame, uint32_t branch)
{
	*vec_push(&exp->nodes) = (struct exp_node){ .parent = parent, .frame = frame };
	*vec_push(&r->branch) = branch;
	return (uint32_t)exp->nodes.len - 1;
}

/* ---- the regions ---- */

/* "region sort (domain)" */
static uint32_t function_of_path(struct model *model, const struct experiment *exp,
				 uint32_t path)
{
	const struct exp_region_path *p = &exp->region_paths.data[path];
	const char *domain = experiment_string(exp, p->domain);
	struct function f = { .label = true, .piece = true };
	struct strbuf name = { 0 };

	strbuf_addf(&name, "region %s", experiment_string(exp, p->name));
	if (*domain)
		strbuf_addf(&name, " (%s)", domain);
	f.object = model_object(model, strtab_intern(&model->strings, "<Regions>"),
				EXP_KIND_ARTIFICIAL);
	f.name = strtab_intern(&model->strings, path ? name.data : "<Outside>");
	strbuf_release(&name);
	return model_function(model, &f);
}

/* Adds the frames of all paths, and behind them the one of no stack. */
static uint32_t add_frames(struct model *model, struct source *source)
{
	struct experiment *exp = source->exp;
	const size_t first = exp->frames.len, paths = exp->region_paths.len;
	const uint32_t module = (uint32_t)exp->modules.len;

	*vec_push(&exp->modules) = (struct exp_module){ .kind = EXP_KIND_ARTIFICIAL };
	source->object = xreallocarray(source->object, module + 2,
				       sizeof(*source->object));
	source->build = xreallocarray(source->build, module + 2, sizeof(*source->build));
	source->function = xreallocarray(source->function, first + paths + 2,
					 sizeof(*source->function));
	source->build[module] = 0;
	for (uint32_t p = 0; p <= paths; p++) {
		*vec_push(&exp->frames) = (struct exp_frame){ .module = module };
		source->function[first + p] = p < paths ? function_of_path(model, exp, p)
							: frame_map_no_stack(model);
	}
	source->object[module] = model->functions.data[source->function[first]].object;
	return (uint32_t)first;
}

static void add_regions(struct region_stacks *r, struct experiment *exp, uint32_t frame)
{
	const size_t paths = exp->region_paths.len;

	r->region = xcalloc(paths, sizeof(*r->region));
	for (uint32_t p = 0; p < paths; p++) {
		const uint32_t around = p ? exp->region_paths.data[p].parent : 0;

		r->region[p] = add_node(r, exp, around ? r->region[around] : 0, frame + p,
					MODEL_NONE);
	}
	r->no_stack = frame + (uint32_t)paths;
}

/* ---- the stacks ---- */

static uint32_t branch_at(const struct region_stacks *r, const struct exp_samples *s,
			  size_t i)
{
	if (!is_sample(r->exp, r->unsampled, s, i))
		return 0;
	return open_regions_path(&r->open, r->exp->threads.data[s->thread[i]].number,
				 s->time_ns[i]);
}

/*
 * Makes NODE of a branch, and what of its stack is not there.  Beyond a number that no
 * memory has room for, none is made.
 */
static void make_stack(struct region_stacks *r, struct experiment *exp, uint32_t node,
		       uint32_t branch)
{
	enum { NODES_MAX = 1 << 27 };
	VEC(uint32_t) missing = { 0 };
	uint32_t at = node, made;

	do {
		*vec_push(&missing) = at;
		at = exp->nodes.data[at].parent;
	} while (at && idmap_get(&r->ids, at, branch) == IDMAP_NONE);
	made = at ? idmap_get(&r->ids, at, branch) : r->region[branch];
	for (size_t i = missing.len; i-- && exp->nodes.len < NODES_MAX;) {
		const uint32_t from = missing.data[i];

		made = add_node(r, exp, made,
				from ? exp->nodes.data[from].frame : r->no_stack, branch);
		idmap_intern(&r->ids, from, branch, made);
	}
	vec_release(&missing);
}

/* A stack that was not made ends in its region. */
static uint32_t divide(struct exp_divider *divider, const struct exp_samples *s, size_t i)
{
	struct region_stacks *r = (struct region_stacks *)divider;
	const uint32_t branch = branch_at(r, s, i), node = (uint32_t)s->node[i];
	uint32_t made = idmap_get(&r->ids, node, branch);

	if (made == IDMAP_NONE && !r->all_made) {
		make_stack(r, r->exp, node, branch);
		made = idmap_get(&r->ids, node, branch);
	}
	return made == IDMAP_NONE ? r->region[branch] : made;
}

static void release(struct exp_divider *divider)
{
	struct region_stacks *r = (struct region_stacks *)divider;

	r->exp->nodes.len = r->recorded;
	r->exp->frames.len = r->frames;
	r->exp->modules.len = r->modules;
	r->exp->divider = NULL;
	open_regions_release(&r->open);
	free(r->unsampled);
	free(r->region);
	idmap_release(&r->ids);
	vec_release(&r->branch);
	free(r);
}

struct region_stacks *region_stacks_make(struct model *model, struct source *source)
{
	struct region_stacks *r = xcalloc(1, sizeof(*r));
	struct experiment *exp = source->exp;

	*r = (struct region_stacks){
		.divider = { divide, release },
		.exp = exp,
		.unsampled = unsampled_nodes(exp),
		.recorded = (uint32_t)exp->nodes.len,
		.frames = exp->frames.len,
		.modules = exp->modules.len,
	};
	open_regions_init(&r->open, exp);
	add_regions(r, exp, add_frames(model, source));
	exp->divider = &r->divider;
	return r;
}

void region_stacks_fix(struct region_stacks *r)
{
	r->all_made = true;
}

uint32_t region_stacks_branch(const struct region_stacks *r, uint32_t node)
{
	return node < r->recorded ? MODEL_NONE : r->branch.data[node - r->recorded];
}

bool region_stacks_is_root(const struct region_stacks *r, uint32_t node)
{
	return !node || (r && region_stacks_branch(r, node) == MODEL_NONE);
}
