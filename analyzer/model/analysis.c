/* SPDX-License-Identifier: Apache-2.0 */
#include "model/analysis.h"

#include <stdlib.h>

#include "base/xalloc.h"

void sums_build(struct sums *out, const struct lineage *lineage, const struct tree *tree)
{
	size_t groups = lineage->groups;

	*out = (struct sums){
		.groups = groups,
		.exclusive = xcalloc(tree->metrics * groups + 1, sizeof(struct value)),
		.inclusive = xcalloc(tree->metrics * groups + 1, sizeof(struct value)),
	};
	for (size_t m = 0; m < tree->metrics; m++)
		lineage_sums(lineage, tree, m, out->exclusive + m * groups,
			     out->inclusive + m * groups);
}

void sums_release(struct sums *sums)
{
	free(sums->exclusive);
	free(sums->inclusive);
	*sums = (struct sums){ 0 };
}

void analysis_build(struct analysis *out, const struct model *model,
		    const struct frame_map *frames)
{
	tree_build(&out->tree, model, frames);
	lineage_build(&out->lineage, &out->tree, NULL, frames->groups);
	sums_build(&out->sums, &out->lineage, &out->tree);
}

void analysis_build_apart(struct analysis *out, const struct model *model,
			  const struct frame_map *frames)
{
	tree_build_apart(&out->tree, model, frames);
	lineage_build(&out->lineage, &out->tree, NULL, frames->groups);
	sums_build(&out->sums, &out->lineage, &out->tree);
}

void analysis_release(struct analysis *analysis)
{
	tree_release(&analysis->tree);
	lineage_release(&analysis->lineage);
	sums_release(&analysis->sums);
}
