/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every view of functions starts from: the tree, and each function's sums.  The same
 * serves lines and addresses, which then stand in the place of functions.
 */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include <stdbool.h>

#include "model/lineage.h"
#include "model/metric.h"
#include "model/model.h"
#include "model/tree.h"
#include "model/value.h"

/* Sums by group: that of metric M and group G is exclusive[M × groups + G]. */
struct sums {
	size_t groups;
	struct value *exclusive, *inclusive;
	/* by group: the machine's own work, not the program's; NULL: none is */
	bool *machine;
};

void sums_build(struct sums *out, const struct lineage *lineage, const struct tree *tree);
void sums_release(struct sums *sums);

struct analysis;

/* The groups of FROM whose numbers are in GROUPS, in that order. */
void sums_select(struct sums *out, const struct sums *from, size_t metrics,
		 const uint32_t *groups, size_t count);

/* Adds ANALYSIS's groups together: each into that in OF_GROUP, below GROUPS. */
void sums_build_grouped(struct sums *out, const struct analysis *analysis,
			const uint32_t *of_group, size_t groups);

struct analysis {
	struct tree tree;
	struct lineage lineage; /* of the groups that the tree's nodes are */
	struct sums sums;       /* the same */
};

/* GROUPS and what they are in the frames comes from FRAMES, which is not kept. */
void analysis_build(struct analysis *out, const struct model *model,
		    const struct frame_map *frames);
/* The same, with the values of sources apart: see tree_build_apart. */
void analysis_build_apart(struct analysis *out, const struct model *model,
			  const struct frame_map *frames);
/* Either of these: the latter if COMPARE. */
void analysis_build_for(struct analysis *out, const struct model *model,
			const struct frame_map *frames, bool compare);
void analysis_release(struct analysis *analysis);

/* A group's value; the flavor is exclusive or inclusive. */
static inline struct value sums_value(const struct sums *sums, enum flavor flavor,
				      size_t metric, size_t group)
{
	return (flavor == EXCLUSIVE ? sums->exclusive
				    : sums->inclusive)[metric * sums->groups + group];
}

#endif
