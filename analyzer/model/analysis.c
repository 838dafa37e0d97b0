/* SPDX-License-Identifier: Apache-2.0 */
#include "model/analysis.h"

static void make_sites(struct analysis *a, const struct analysis_of *of)
{
	sites_build(&a->sites, of->model);
	analysis_changed(a, INPUT_FUNCTIONS);
}

static void end_sites(struct analysis *a)
{
	sites_release(&a->sites);
}

static void make_sums(struct analysis *a, const struct analysis_of *of)
{
	struct frame_map map;

	analysis_shown(a, of, &map);
	sums_build(&a->sums, of->model, &map, false);
	frame_map_release(&map);
}

static void end_sums(struct analysis *a)
{
	sums_release(&a->sums);
}

static void make_tree(struct analysis *a, const struct analysis_of *of)
{
	struct frame_map map;

	analysis_shown(a, of, &map);
	tree_build(&a->tree, of->model, &map);
	frame_map_release(&map);
}

static void end_tree(struct analysis *a)
{
	tree_release(&a->tree);
}

#define ALL_INPUTS                                                                       \
	(INPUT_EXPERIMENTS | INPUT_FUNCTIONS | INPUT_FILTER | INPUT_HIDDEN |             \
	 INPUT_INLINES)

/* A part precedes those made from its additions to the model. */
static const struct {
	enum analysis_part part;
	unsigned inputs; /* any change of them invalidates it */
	void (*make)(struct analysis *a, const struct analysis_of *of);
	void (*end)(struct analysis *a);
} parts_of[] = {
	{ ANALYSIS_SITES, INPUT_EXPERIMENTS, make_sites, end_sites },
	{ ANALYSIS_SUMS, ALL_INPUTS, make_sums, end_sums },
	{ ANALYSIS_TREE, ALL_INPUTS, make_tree, end_tree },
};

#define PARTS (sizeof(parts_of) / sizeof(parts_of[0]))

void analysis_changed(struct analysis *a, unsigned inputs)
{
	for (size_t i = 0; i < PARTS; i++)
		if (a->known & parts_of[i].part && inputs & parts_of[i].inputs) {
			parts_of[i].end(a);
			a->known &= ~(unsigned)parts_of[i].part;
		}
}

void analysis_release(struct analysis *a)
{
	analysis_changed(a, ALL_INPUTS);
}

void analysis_make(struct analysis *a, const struct analysis_of *of, unsigned parts)
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts & parts_of[i].part & ~a->known) {
			parts_of[i].make(a, of);
			a->known |= parts_of[i].part;
		}
}

void analysis_frames(struct analysis *a, const struct analysis_of *of,
		     struct frame_map *out)
{
	if (of->no_inlines) {
		frame_map_functions(out, of->model);
		return;
	}
	analysis_make(a, of, ANALYSIS_SITES);
	sites_functions(&a->sites, of->model, out);
}

void analysis_shown(struct analysis *a, const struct analysis_of *of,
		    struct frame_map *out)
{
	analysis_frames(a, of, out);
	if (of->hidden->objects.len)
		hidden_apply(of->hidden, of->model, out);
}
