/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_regions.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "filter/regex.h"
#include "model/unsampled.h"

/* ---- what matches ---- */

/* By path: whether it matches itself, not those around it.  The caller frees it. */
static bool *own_matches(const struct filter_node *node, const struct experiment *exp)
{
	bool *match = xcalloc(exp->region_paths.len + 1, sizeof(*match));
	struct strbuf branch = { 0 };

	for (uint32_t p = 1; p < exp->region_paths.len; p++) {
		const struct exp_region_path *path = &exp->region_paths.data[p];
		const bool domain = node->word == WORD_DOMAIN;

		match[p] = filter_regex_fits(
			node->regex,
			experiment_string(exp, domain ? path->domain : path->name));
		if (domain || match[p] || !path->parent)
			continue;
		strbuf_clear(&branch);
		region_path_put(exp, p, &branch);
		match[p] = filter_regex_fits(node->regex, strbuf_str(&branch));
	}
	strbuf_release(&branch);
	return match;
}

uint8_t *filter_regions_labels(const struct filter_node *node,
			       const struct experiment *exp)
{
	uint8_t *labels = xcalloc(exp->region_paths.len + 1, sizeof(*labels));
	bool *own = own_matches(node, exp);

	for (size_t p = 1; p < exp->region_paths.len; p++)
		labels[p] = own[p] | labels[exp->region_paths.data[p].parent];
	free(own);
	return labels;
}

/* ---- instances of a branch ---- */

struct instance {
	uint64_t begin_ns, ns;
	uint32_t path, index;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_begin(const void *va, const void *vb)
{
	const struct instance *a = va, *b = vb;
	int order = compare(a->path, b->path);

	order = order ? order : compare(a->begin_ns, b->begin_ns);
	return order ? order : compare(a->index, b->index);
}

/* Of equal ones the earlier is the faster one. */
static int by_duration(const void *va, const void *vb)
{
	const struct instance *a = va, *b = vb;
	int order = compare(a->path, b->path);

	order = order ? order : compare(a->ns, b->ns);
	return order ? order : by_begin(va, vb);
}

struct instances {
	struct instance *data;
	size_t len;
};

/* Those that nest, in an order; ENDED alone. */
static struct instances sorted(const struct experiment *exp, bool ended,
			       int (*order)(const void *, const void *))
{
	struct instances list = { xcalloc(exp->regions.len + 1, sizeof(*list.data)), 0 };

	for (uint32_t i = 0; i < exp->regions.len; i++) {
		const struct exp_region *r = &exp->regions.data[i];

		if (exp->region_paths.data[r->path].apart ||
		    (ended && r->flags & EXP_REGION_UNENDED))
			continue;
		list.data[list.len++] = (struct instance){ r->begin_ns,
							   r->end_ns - r->begin_ns,
							   r->path, i };
	}
	qsort(list.data, list.len, sizeof(*list.data), order);
	return list;
}

/* Behind the last one of the path that FIRST has. */
static size_t end_of_path(const struct instances *list, size_t first)
{
	size_t end = first;

	while (end < list->len && list->data[end].path == list->data[first].path)
		end++;
	return end;
}

static void find_numbers(struct filter_regions *regions)
{
	struct instances list = sorted(regions->exp, false, by_begin);

	regions->numbers = xcalloc(regions->exp->regions.len + 1,
				   sizeof(*regions->numbers));
	for (size_t first = 0, end; first < list.len; first = end) {
		end = end_of_path(&list, first);
		for (size_t i = first; i < end; i++)
			regions->numbers[list.data[i].index] = (uint32_t)(i - first) + 1;
	}
	free(list.data);
}

/* The Kth slowest of N has the rank (N - K + 1) / N. */
static void find_ranks(struct filter_regions *regions)
{
	struct instances list = sorted(regions->exp, true, by_duration);

	regions->ranks = xcalloc(regions->exp->regions.len + 1, sizeof(*regions->ranks));
	for (size_t i = 0; i < regions->exp->regions.len; i++)
		regions->ranks[i] = -1;
	for (size_t first = 0, end; first < list.len; first = end) {
		end = end_of_path(&list, first);
		for (size_t i = first; i < end; i++)
			regions->ranks[list.data[i].index] =
				(int32_t)((i - first + 1) * FILTER_SHARE / (end - first));
	}
	free(list.data);
}

/* ---- for a filter ---- */

static void mean(struct filter_regions *regions, const struct filter_node *node)
{
	const size_t paths = regions->exp->region_paths.len;
	bool *own = own_matches(node, regions->exp);

	if (!regions->meant)
		regions->meant = xcalloc(paths + 1, sizeof(*regions->meant));
	for (size_t p = 0; p < paths; p++)
		regions->meant[p] |= own[p];
	free(own);
}

struct filter_regions *filter_regions_new(const struct filter *filter,
					  const struct experiment *exp)
{
	struct filter_regions *regions = NULL;

	vec_for_each(const struct filter_node, node, &filter->nodes) {
		const bool label = node->op == OP_LABEL, word = node->op == OP_WORD;
		const bool region = label && node->word == WORD_REGION;
		const bool number = word && node->word == WORD_INSTANCE;
		const bool rank = word && node->word == WORD_RANK;

		if (!region && !number && !rank && !(label && node->word == WORD_DOMAIN))
			continue;
		if (!regions) {
			regions = xcalloc(1, sizeof(*regions));
			regions->exp = exp;
			regions->unsampled = unsampled_nodes(exp);
			open_regions_init(&regions->open, exp);
		}
		if (region)
			mean(regions, node);
		if (number && !regions->numbers)
			find_numbers(regions);
		if (rank && !regions->ranks)
			find_ranks(regions);
	}
	return regions;
}

void filter_regions_free(struct filter_regions *regions)
{
	if (!regions)
		return;
	open_regions_release(&regions->open);
	free(regions->unsampled);
	free(regions->meant);
	free(regions->numbers);
	free(regions->ranks);
	free(regions);
}

static uint32_t innermost(const struct filter_regions *regions,
			  const struct exp_samples *samples, size_t i)
{
	const struct experiment *exp = regions->exp;

	if (!is_sample(exp, regions->unsampled, samples, i))
		return NO_REGION;
	return open_regions_at(&regions->open,
			       exp->threads.data[samples->thread[i]].number,
			       samples->time_ns[i]);
}

/* The one that INSTANCE and RANK mean. */
static uint32_t meant_at(const struct filter_regions *regions,
			 const struct exp_samples *samples, size_t i)
{
	uint32_t instance = innermost(regions, samples, i);

	while (regions->meant && instance != NO_REGION &&
	       !regions->meant[regions->exp->regions.data[instance].path])
		instance = regions->open.outer[instance];
	return instance;
}

uint32_t filter_regions_path(const struct filter_regions *regions,
			     const struct exp_samples *samples, size_t i)
{
	const uint32_t instance = innermost(regions, samples, i);

	return instance == NO_REGION ? 0 : regions->exp->regions.data[instance].path;
}

int64_t filter_regions_number(const struct filter_regions *regions,
			      const struct exp_samples *samples, size_t i)
{
	const uint32_t instance = meant_at(regions, samples, i);

	return instance == NO_REGION ? 0 : regions->numbers[instance];
}

int64_t filter_regions_rank(const struct filter_regions *regions,
			    const struct exp_samples *samples, size_t i)
{
	const uint32_t instance = meant_at(regions, samples, i);

	return instance == NO_REGION ? -1 : regions->ranks[instance];
}
