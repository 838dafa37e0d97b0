/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data for views, computed from the model at the first use: source lines, the sums of
 * functions, and all stacks as one tree.
 *
 * One table (analysis.c) has the inputs of each part.  After changing an input, call
 * analysis_changed, which invalidates the parts made from it.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include <stdbool.h>

#include "model/frame_map.h"
#include "model/hidden.h"
#include "model/model.h"
#include "model/sites.h"
#include "model/sums.h"
#include "model/tree.h"

enum analysis_part {
	ANALYSIS_SITES = 1 << 0,
	ANALYSIS_SUMS = 1 << 1,
	ANALYSIS_TREE = 1 << 2, /* only views of stacks need it */
};

enum analysis_input {
	INPUT_EXPERIMENTS = 1 << 0,
	INPUT_FUNCTIONS = 1 << 1, /* of the model: reading lines adds inlined ones */
	INPUT_FILTER = 1 << 2,
	INPUT_HIDDEN = 1 << 3,
	INPUT_INLINES = 1 << 4,
	INPUT_NAMES = 1 << 5, /* as answers show them: only filters depend on it */
};

/* All-zero: nothing is computed yet. */
struct analysis {
	struct sites sites;
	struct sums sums;
	struct tree tree;
	unsigned known; /* parts; the others are undefined */
};

/* Its inputs.  All borrowed. */
struct analysis_of {
	struct model *model; /* its sums are those of the filter */
	const struct hidden *hidden;
	bool no_inlines; /* inlined functions belong to those with symbols */
};

void analysis_release(struct analysis *a);

/* INPUTS, a bit each, have changed since A was computed. */
void analysis_changed(struct analysis *a, unsigned inputs);

/* Computes PARTS, a bit each, if necessary. */
void analysis_make(struct analysis *a, const struct analysis_of *of, unsigned parts);

/* The functions of frames, whatever is hidden.  The caller releases OUT. */
void analysis_frames(struct analysis *a, const struct analysis_of *of,
		     struct frame_map *out);

/* The same as displayed: those of hidden objects as their stand-ins. */
void analysis_shown(struct analysis *a, const struct analysis_of *of,
		    struct frame_map *out);

#endif
