/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks below the regions that they ran in: `group region`.
 *
 * Each stack of a recording becomes one for each branch of regions (regions.h) in which it
 * was sampled: the regions' names as its outermost frames, then its own.  So call trees,
 * callers and callees, flame graphs and exports have the regions as functions that call
 * the program's.  Samples in no region, and counts that no sample represents, are below
 * <Outside>.
 */
#ifndef REGION_STACKS_H
#define REGION_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct region_stacks;

/*
 * Divides the stacks of SOURCE, whose functions and object are known, when its samples are
 * read first.  The experiment frees the result.
 */
struct region_stacks *region_stacks_make(struct model *model, struct source *source);

/*
 * From now on no stack is added, even if the file changes: sums and functions have the size
 * of what was read first.
 */
void region_stacks_fix(struct region_stacks *stacks);

/*
 * The branch of a node that is a stack below regions, a path of the experiment or 0 for
 * <Outside>; MODEL_NONE: it is a region.
 */
uint32_t region_stacks_branch(const struct region_stacks *stacks, uint32_t node);

/* Whether stacks begin above NODE: it is none, or a region.  STACKS may be NULL. */
bool region_stacks_is_root(const struct region_stacks *stacks, uint32_t node);

#endif
