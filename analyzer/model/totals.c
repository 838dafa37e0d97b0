/* SPDX-License-Identifier: Apache-2.0 */
#include "model/totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* calloc's memory is not touched: a file may claim more events than it has samples of. */
static struct value *zeroed(size_t rows, size_t columns)
{
	return xcalloc(rows, columns * sizeof(struct value));
}

void totals_init(struct totals *out, const struct experiment *exp, size_t parts,
		 size_t cpus, size_t seconds)
{
	*out = (struct totals){
		.events = exp->log.events.len,
		.columns = exp->log.events.len + parts,
		.nodes = exp->nodes.len,
		.threads = exp->threads.len,
		.cpus = cpus,
		.seconds = seconds,
	};
	out->node = zeroed(out->columns, out->nodes);
	out->thread = zeroed(out->columns, out->threads);
	out->cpu = zeroed(out->columns, cpus);
	out->second = zeroed(out->columns, seconds);
	out->whole = zeroed(out->columns, 1);
}

void totals_resize(size_t columns, struct value **rows, size_t *count, size_t to)
{
	const size_t kept = *count < to ? *count : to;
	struct value *sized;

	if (to == *count)
		return;
	sized = zeroed(columns, to);
	for (size_t c = 0; c < columns && kept; c++)
		memcpy(sized + c * to, *rows + c * *count, kept * sizeof(*sized));
	free(*rows);
	*rows = sized;
	*count = to;
}

void totals_widen(size_t columns, struct value **rows, size_t *count, size_t need)
{
	if (need > *count)
		totals_resize(columns, rows, count, need);
}

uint64_t totals_sampled(const struct totals *totals, size_t column)
{
	const struct value *node = totals->node + column * totals->nodes;
	uint64_t weight = 0;

	for (size_t n = 0; n < totals->nodes; n++)
		if (node[n].samples)
			weight_add(&weight, node[n].weight);
	return weight;
}

bool totals_has_empty_stacks(const struct totals *totals)
{
	for (size_t e = 0; e < totals->events; e++)
		if (totals->node[e * totals->nodes].samples)
			return true;
	return false;
}

void totals_scale(struct totals *totals, size_t column, double factor)
{
	const struct {
		struct value *rows;
		size_t count;
	} sums[] = {
		{ totals->node, totals->nodes },
		{ totals->thread, totals->threads },
		{ totals->cpu, totals->cpus },
		{ totals->second, totals->seconds },
		{ totals->whole, 1 },
	};

	for (size_t s = 0; s < sizeof(sums) / sizeof(sums[0]); s++)
		for (size_t i = 0; i < sums[s].count; i++) {
			struct value *v = &sums[s].rows[column * sums[s].count + i];

			v->weight = weight_scaled(v->weight, factor);
		}
}

void totals_release(struct totals *totals)
{
	free(totals->node);
	free(totals->thread);
	free(totals->cpu);
	free(totals->second);
	free(totals->whole);
	*totals = (struct totals){ 0 };
}

void division_release(struct division *division)
{
	free(division->of_node);
	free(division->column);
	free(division->event);
	free(division->sums);
	free(division->sum_first);
	*division = (struct division){ 0 };
}
