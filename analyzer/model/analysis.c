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

void sums_select(struct sums *out, const struct sums *from, size_t metrics,
		 const uint32_t *groups, size_t count)
{
	*out = (struct sums){
		.groups = count,
		.exclusive = xcalloc(metrics * count + 1, sizeof(struct value)),
		.inclusive = xcalloc(metrics * count + 1, sizeof(struct value)),
	};
	for (size_t m = 0; m < metrics; m++)
		for (size_t i = 0; i < count; i++) {
			size_t at = m * from->groups + groups[i];

			out->exclusive[m * count + i] = from->exclusive[at];
			out->inclusive[m * count + i] = from->inclusive[at];
		}
	if (!from->machine)
		return;
	out->machine = xcalloc(count + 1, sizeof(*out->machine));
	for (size_t i = 0; i < count; i++)
		out->machine[i] = from->machine[groups[i]];
}

void sums_build_grouped(struct sums *out, const struct analysis *analysis,
			const uint32_t *of_group, size_t groups)
{
	struct lineage lineage;

	lineage_build(&lineage, &analysis->tree, of_group, groups);
	sums_build(out, &lineage, &analysis->tree);
	lineage_release(&lineage);
}

void sums_release(struct sums *sums)
{
	free(sums->exclusive);
	free(sums->inclusive);
	free(sums->machine);
	*sums = (struct sums){ 0 };
}

void analysis_build_for(struct analysis *out, const struct model *model,
			const struct frame_map *frames, bool compare)
{
	if (compare)
		tree_build_apart(&out->tree, model, frames);
	else
		tree_build(&out->tree, model, frames);
	lineage_build(&out->lineage, &out->tree, NULL, frames->groups);
	sums_build(&out->sums, &out->lineage, &out->tree);
}

void analysis_build(struct analysis *out, const struct model *model,
		    const struct frame_map *frames)
{
	analysis_build_for(out, model, frames, false);
}

void analysis_build_apart(struct analysis *out, const struct model *model,
			  const struct frame_map *frames)
{
	analysis_build_for(out, model, frames, true);
}

void analysis_release(struct analysis *analysis)
{
	tree_release(&analysis->tree);
	lineage_release(&analysis->lineage);
	sums_release(&analysis->sums);
}
