/* SPDX-License-Identifier: Apache-2.0 */
#include "model/open_regions.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"

void region_path_put(const struct experiment *exp, uint32_t path, struct strbuf *out)
{
	VEC(uint32_t) names = { 0 };

	for (; path; path = exp->region_paths.data[path].parent)
		*vec_push(&names) = exp->region_paths.data[path].name;
	for (size_t i = names.len; i--;)
		strbuf_addf(out, "%s%s", experiment_string(exp, names.data[i]),
			    i ? " " : "");
	vec_release(&names);
}

static bool nests(const struct experiment *exp, const struct exp_region *region)
{
	return !exp->region_paths.data[region->path].apart;
}

static uint32_t number_of(const struct experiment *exp, const struct exp_region *region)
{
	return exp->threads.data[region->thread].number;
}

/* Leaves in first[n] where the instances of thread n end. */
static void count(struct open_regions *open)
{
	const struct experiment *exp = open->exp;

	vec_for_each(const struct exp_region, region, &exp->regions)
		if (nests(exp, region))
			open->first[number_of(exp, region)]++;
	for (size_t n = 1; n < exp->threads.len + 2; n++)
		open->first[n] += open->first[n - 1];
}

/*
 * The nearest of INNER and those around it that REGION can be in: it has fewer names, and
 * began before.
 */
static uint32_t find_outer(const struct open_regions *open, uint32_t inner,
			   const struct exp_region *region)
{
	const struct exp_region *regions = open->exp->regions.data;
	const struct exp_region_path *paths = open->exp->region_paths.data;
	const unsigned depth = paths[region->path].depth;

	while (inner != NO_REGION && (paths[regions[inner].path].depth >= depth ||
				      regions[inner].begin_ns > region->begin_ns))
		inner = open->outer[inner];
	return inner;
}

/*
 * From the last end back to the first: an instance comes before those in it.  Moves
 * first[n] from the end of thread n to its begin.
 */
static void place(struct open_regions *open)
{
	const struct experiment *exp = open->exp;
	uint32_t *later = xcalloc(exp->threads.len + 1, sizeof(*later)); /* by thread */

	for (size_t n = 0; n <= exp->threads.len; n++)
		later[n] = NO_REGION;
	for (uint32_t i = (uint32_t)exp->regions.len; i-- > 0;) {
		const struct exp_region *region = &exp->regions.data[i];
		const uint32_t thread = number_of(exp, region);

		open->outer[i] = NO_REGION;
		if (!nests(exp, region))
			continue;
		open->outer[i] = find_outer(open, later[thread], region);
		later[thread] = i;
		open->list[--open->first[thread]] = i;
	}
	free(later);
}

void open_regions_init(struct open_regions *out, const struct experiment *exp)
{
	*out = (struct open_regions){ .exp = exp };
	out->first = xcalloc(exp->threads.len + 2, sizeof(*out->first)); /* from 1 */
	out->list = xcalloc(exp->regions.len + 1, sizeof(*out->list));
	out->outer = xcalloc(exp->regions.len + 1, sizeof(*out->outer));
	count(out);
	place(out);
}

void open_regions_release(struct open_regions *open)
{
	free(open->list);
	free(open->first);
	free(open->outer);
	*open = (struct open_regions){ 0 };
}

uint32_t open_regions_at(const struct open_regions *open, uint32_t thread,
			 uint64_t time_ns)
{
	const struct exp_region *regions = open->exp->regions.data;
	size_t low = open->first[thread];
	const size_t end = open->first[thread + 1];
	uint32_t at;

	for (size_t high = end; low < high;) { /* those before low end by the time */
		const size_t middle = low + (high - low) / 2;

		if (regions[open->list[middle]].end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	at = low < end ? open->list[low] : NO_REGION;
	while (at != NO_REGION && regions[at].begin_ns > time_ns)
		at = open->outer[at];
	return at;
}

uint32_t open_regions_path(const struct open_regions *open, uint32_t thread,
			   uint64_t time_ns)
{
	const uint32_t instance = open_regions_at(open, thread, time_ns);

	return instance == NO_REGION ? 0 : open->exp->regions.data[instance].path;
}
