/* SPDX-License-Identifier: Apache-2.0 */
#include "model/open_regions.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"

uint32_t *region_path_depths(const struct experiment *exp)
{
	uint32_t *depths = xcalloc(exp->region_paths.len, sizeof(*depths));

	for (size_t p = 1; p < exp->region_paths.len; p++)
		depths[p] = depths[exp->region_paths.data[p].parent] + 1;
	return depths;
}

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

/*
 * Instances by thread, each thread's in the order of their ends, as they are in the file.
 * While it is made, first[n + 1] is where the next one of thread n goes.
 */
struct by_thread {
	uint32_t *list;
	size_t *first; /* by number; of the one after too */
};

static void sort_by_thread(struct by_thread *out, const struct experiment *exp)
{
	const size_t threads = exp->threads.len + 1; /* numbers begin at 1 */

	out->first = xcalloc(threads + 2, sizeof(*out->first));
	out->list = xcalloc(exp->regions.len + 1, sizeof(*out->list));
	vec_for_each(const struct exp_region, region, &exp->regions)
		if (nests(exp, region))
			out->first[number_of(exp, region) + 2]++;
	for (size_t t = 1; t < threads + 2; t++)
		out->first[t] += out->first[t - 1];
	for (uint32_t i = 0; i < exp->regions.len; i++) {
		const struct exp_region *region = &exp->regions.data[i];

		if (nests(exp, region))
			out->list[out->first[number_of(exp, region) + 1]++] = i;
	}
}

struct stack {
	uint32_t *data;
	size_t len, cap;
};

/*
 * Who is around whom: an instance is around those before it, with more names, that no
 * other is around.
 */
static void find_outer(struct open_regions *open, const uint32_t *list, size_t count,
		       const uint32_t *depths)
{
	const struct exp_region *regions = open->exp->regions.data;
	struct stack waiting = { 0 };

	for (size_t i = 0; i < count; i++) {
		const uint32_t depth = depths[regions[list[i]].path];

		while (waiting.len &&
		       depths[regions[waiting.data[waiting.len - 1]].path] > depth)
			open->outer[waiting.data[--waiting.len]] = list[i];
		*vec_push(&waiting) = list[i];
	}
	vec_release(&waiting);
}

/* Times come from the last to the first; of a crafted recording they may not. */
static void add(struct open_regions *open, size_t first, uint64_t time_ns,
		uint32_t innermost)
{
	if (open->times.len > first && open->times.data[open->times.len - 1] < time_ns)
		time_ns = open->times.data[open->times.len - 1];
	*vec_push(&open->times) = time_ns;
	*vec_push(&open->innermost) = innermost;
}

static void turn_round(struct open_regions *open, size_t first)
{
	for (size_t low = first, high = open->times.len; low + 1 < high; low++) {
		const uint64_t time = open->times.data[low];
		const uint32_t innermost = open->innermost.data[low];

		high--;
		open->times.data[low] = open->times.data[high];
		open->innermost.data[low] = open->innermost.data[high];
		open->times.data[high] = time;
		open->innermost.data[high] = innermost;
	}
}

/* From the last end back to the first begin: an instance comes before those in it. */
static void find_changes(struct open_regions *open, const uint32_t *list, size_t count)
{
	const struct exp_region *regions = open->exp->regions.data;
	const size_t first = open->times.len;
	struct stack begins = { 0 }; /* of which are still to come */

	for (size_t i = count; i--;) {
		const uint32_t outer = open->outer[list[i]];

		while (begins.len && begins.data[begins.len - 1] != outer) {
			const uint32_t begun = begins.data[--begins.len];

			add(open, first, regions[begun].begin_ns, begun);
		}
		add(open, first, regions[list[i]].end_ns, outer);
		*vec_push(&begins) = list[i];
	}
	while (begins.len) {
		const uint32_t begun = begins.data[--begins.len];

		add(open, first, regions[begun].begin_ns, begun);
	}
	turn_round(open, first);
	vec_release(&begins);
}

void open_regions_init(struct open_regions *out, const struct experiment *exp)
{
	const size_t threads = exp->threads.len + 1;
	uint32_t *depths = region_path_depths(exp);
	struct by_thread by;

	*out = (struct open_regions){ .exp = exp };
	out->first = xcalloc(threads + 1, sizeof(*out->first));
	out->outer = xcalloc(exp->regions.len + 1, sizeof(*out->outer));
	for (size_t i = 0; i < exp->regions.len; i++)
		out->outer[i] = NO_REGION;
	sort_by_thread(&by, exp);
	vec_reserve(&out->times, 2 * exp->regions.len);
	vec_reserve(&out->innermost, 2 * exp->regions.len);
	for (size_t t = 0; t < threads; t++) {
		const uint32_t *list = by.list + by.first[t];
		const size_t count = by.first[t + 1] - by.first[t];

		out->first[t] = out->times.len;
		find_outer(out, list, count, depths);
		find_changes(out, list, count);
	}
	out->first[threads] = out->times.len;
	free(by.list);
	free(by.first);
	free(depths);
}

void open_regions_release(struct open_regions *open)
{
	vec_release(&open->times);
	vec_release(&open->innermost);
	free(open->first);
	free(open->outer);
	*open = (struct open_regions){ 0 };
}

uint32_t open_regions_at(const struct open_regions *open, uint32_t thread,
			 uint64_t time_ns)
{
	size_t low = open->first[thread], high = open->first[thread + 1];

	if (low == high || open->times.data[low] > time_ns)
		return NO_REGION;
	while (high - low > 1) { /* low is at or before the time, high after it */
		size_t middle = low + (high - low) / 2;

		if (open->times.data[middle] <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return open->innermost.data[low];
}

uint32_t open_regions_path(const struct open_regions *open, uint32_t thread,
			   uint64_t time_ns)
{
	const uint32_t instance = open_regions_at(open, thread, time_ns);

	return instance == NO_REGION ? 0 : open->exp->regions.data[instance].path;
}
