/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What views are made of, computed from the model when it is first asked for: the lines
 * of the source, the sums of functions, and all stacks as one tree.
 *
 * What each part depends on is in one table (analysis.c).  Whoever changes an input says
 * so by analysis_changed, which ends the parts that were made of it.
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
};

/* All-zero: nothing is known yet. */
struct analysis {
	struct sites sites;
	struct sums sums;
	struct tree tree;
	unsigned known; /* parts; the others mean nothing */
};

/* What it is of.  All borrowed. */
struct analysis_of {
	struct model *model; /* its sums are those of the filter */
	const struct hidden *hidden;
	bool no_inlines; /* inlined functions are part of those that the linker knows */
};

void analysis_release(struct analysis *a);

/* INPUTS, a bit each, are others than those that A was made of. */
void analysis_changed(struct analysis *a, unsigned inputs);

/* Makes PARTS, a bit each, as far as they are not known. */
void analysis_make(struct analysis *a, const struct analysis_of *of, unsigned parts);

/* What functions frames are, whatever is hidden.  OUT is the caller's to release. */
void analysis_frames(struct analysis *a, const struct analysis_of *of,
		     struct frame_map *out);

/* What they are shown as: those of hidden objects as what stands for them. */
void analysis_shown(struct analysis *a, const struct analysis_of *of,
		    struct frame_map *out);

#endif
