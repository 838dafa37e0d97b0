/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rank_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strtab.h"
#include "base/xalloc.h"
#include "model/sums.h"

/* ---- which experiments are a rank ---- */

static const char *rank_label(const struct experiment *exp)
{
	vec_for_each(const struct exp_label, label, &exp->log.labels)
		if (!strcmp(label->key, "rank"))
			return label->value;
	return NULL;
}

/* The rank of each source, by its label if all have one.  The caller frees it. */
static uint32_t *find_ranks(struct rank_sums *out, const struct model *model)
{
	uint32_t *rank = xcalloc(model->sources.len + 1, sizeof(*rank));
	struct idmap ids = { 0 };
	struct strtab names;
	bool labelled = true;

	strtab_init(&names);
	vec_for_each(const struct source, source, &model->sources)
		labelled &= rank_label(source->exp) != NULL;
	for (uint32_t s = 0; s < model->sources.len; s++) {
		const char *label = rank_label(model->sources.data[s].exp);
		uint32_t next = (uint32_t)out->ranks.len;
		uint32_t key = labelled ? strtab_intern(&names, label) : s;

		rank[s] = idmap_intern(&ids, key, 0, next);
		if (rank[s] == next)
			*vec_push(&out->ranks) = labelled ? xstrdup(label)
							  : xasprintf("%" PRIu32, s + 1);
	}
	idmap_release(&ids);
	strtab_release(&names);
	return rank;
}

/* ---- the sums of one rank ---- */

struct one_rank {
	struct sums sums;
	struct value *total; /* by metric */
	bool *counted;       /* by metric */
};

static void add_source(struct one_rank *one, const struct model *model, size_t index,
		       const struct frame_map *frames)
{
	const struct source *source = &model->sources.data[index];
	const struct totals *totals = source_totals(model, source);

	sums_add_source(&one->sums, model, index, frames);
	for (size_t c = 0; c < totals->columns; c++) {
		value_add(&one->total[source->metric[c]], totals->whole[c]);
		one->counted[source->metric[c]] = true;
	}
}

static struct value value_in(const struct one_rank *one, enum flavor flavor,
			     size_t metric, size_t group)
{
	return group == one->sums.groups ? one->total[metric]
					 : sums_value(&one->sums, flavor, metric, group);
}

/* ---- all ranks ---- */

static void spread(struct rank_value *to, struct value v, uint32_t rank, bool first)
{
	value_add(&to->sum, v);
	if (first || v.weight < to->least.weight)
		to->least = v;
	if (first || v.weight > to->most.weight) {
		to->most = v;
		to->most_of = rank;
	}
}

static void add_rank(struct rank_sums *out, const struct one_rank *one, uint32_t rank,
		     size_t metrics)
{
	size_t rows = out->groups + 1;

	for (size_t m = 0; m < metrics; m++) {
		bool first = !out->counted[m];

		if (!one->counted[m])
			continue;
		for (size_t g = 0; g < rows; g++) {
			spread(&out->of[EXCLUSIVE][m * rows + g],
			       value_in(one, EXCLUSIVE, m, g), rank, first);
			spread(&out->of[INCLUSIVE][m * rows + g],
			       value_in(one, INCLUSIVE, m, g), rank, first);
		}
		out->counted[m]++;
	}
}

/* The sources in the order of their ranks, each a head and the next of the same. */
struct order {
	uint32_t *head, *next; /* MODEL_NONE: none */
};

static void order_init(struct order *order, const uint32_t *rank, size_t sources,
		       size_t ranks)
{
	order->head = xcalloc(ranks + 1, sizeof(*order->head));
	order->next = xcalloc(sources + 1, sizeof(*order->next));
	for (size_t r = 0; r < ranks; r++)
		order->head[r] = MODEL_NONE;
	for (size_t s = sources; s; s--) {
		order->next[s - 1] = order->head[rank[s - 1]];
		order->head[rank[s - 1]] = (uint32_t)(s - 1);
	}
}

static void add_all(struct rank_sums *out, const struct model *model,
		    const struct frame_map *frames, const struct order *order)
{
	size_t metrics = model->metrics.len;
	struct one_rank one = {
		.total = xcalloc(metrics + 1, sizeof(*one.total)),
		.counted = xcalloc(metrics + 1, sizeof(*one.counted)),
	};

	sums_init(&one.sums, model, frames);
	for (uint32_t r = 0; r < out->ranks.len; r++) {
		sums_clear(&one.sums, metrics);
		memset(one.total, 0, metrics * sizeof(*one.total));
		memset(one.counted, 0, metrics * sizeof(*one.counted));
		for (uint32_t s = order->head[r]; s != MODEL_NONE; s = order->next[s])
			add_source(&one, model, s, frames);
		add_rank(out, &one, r, metrics);
	}
	sums_release(&one.sums);
	free(one.total);
	free(one.counted);
}

void rank_sums_build(struct rank_sums *out, const struct model *model,
		     const struct frame_map *frames)
{
	size_t metrics = model->metrics.len, rows = frames->groups + 1;
	struct order order;
	uint32_t *rank;

	*out = (struct rank_sums){
		.groups = frames->groups,
		.counted = xcalloc(metrics + 1, sizeof(*out->counted)),
		.of = {
			[EXCLUSIVE] = xcalloc(metrics * rows + 1, sizeof(**out->of)),
			[INCLUSIVE] = xcalloc(metrics * rows + 1, sizeof(**out->of)),
		},
	};
	rank = find_ranks(out, model);
	order_init(&order, rank, model->sources.len, out->ranks.len);
	add_all(out, model, frames, &order);
	free(order.head);
	free(order.next);
	free(rank);
}

void rank_sums_release(struct rank_sums *sums)
{
	vec_for_each(char *, name, &sums->ranks)
		free(*name);
	vec_release(&sums->ranks);
	free(sums->counted);
	for (int f = 0; f < FLAVORS; f++)
		free(sums->of[f]);
	*sums = (struct rank_sums){ 0 };
}
