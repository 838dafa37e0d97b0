/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_run.h"

#include <stdlib.h>

#include "model/filter_match.h"
#include "filter/operators.h"
#include "model/filter_words.h"
#include "model/model.h"
#include "base/xalloc.h"

static int64_t value_of(const struct filter_run *run, uint32_t id,
			const struct filter_subject *of);

/* ---- the value of a node of the filter ---- */

/* Numbers in numbers; frames in functions were decided before. */
static int64_t is_member(const struct filter_run *run, const struct filter_node *n,
			 const struct filter_subject *of)
{
	uint32_t lefts, rights, found = 0;
	const uint32_t *left = filter_elements(run->filter, &n->arg[0], &lefts);
	const uint32_t *right = filter_elements(run->filter, &n->arg[1], &rights);

	for (uint32_t l = 0; l < lefts; l++) {
		int64_t value = value_of(run, left[l], of);

		for (uint32_t r = 0; r < rights; r++)
			if (value_of(run, right[r], of) == value) {
				found++;
				break;
			}
	}
	return n->op == OP_IN ? found == lefts : found > 0;
}

static int64_t label_of(const struct filter_run *run, uint32_t id,
			const struct filter_node *n, const struct filter_subject *of)
{
	const struct exp_samples *samples = of->samples;
	const uint8_t *labels = run->labels[id];
	size_t i = of->index;

	switch (n->word) {
	case WORD_EVENT:
	case WORD_STATE:
		return labels[samples->event[i]];
	case WORD_CGROUP:
		return labels[filter_cgroup_of(&run->from, of)];
	case WORD_REGION:
	case WORD_DOMAIN:
		return labels[filter_regions_path(run->from.regions, samples, i)];
	case WORD_MEMORY:
		return filter_data_fits(run->from.data, id, n->regex,
					samples->data_source[i]);
	default:
		return labels[samples->thread[i]];
	}
}

/* A comparison with a share that the sample does not have does not hold. */
static int64_t compare(const struct filter_run *run, const struct filter_node *n,
		       const struct filter_subject *of)
{
	const int64_t a = value_of(run, n->arg[0], of), b = value_of(run, n->arg[1], of);

	if (n->of_shares && (a < 0 || b < 0))
		return 0;
	return filter_operators[n->op](a, b);
}

static int64_t work_out(const struct filter_run *run, uint32_t id,
			const struct filter_node *n, const struct filter_subject *of)
{
	switch (n->op) {
	case OP_NUMBER:
		return n->number;
	case OP_WORD:
		return filter_words[n->word](&run->from, of);
	case OP_LABEL:
		return label_of(run, id, n, of);
	case OP_CHOICE:
		return value_of(run, n->arg[value_of(run, n->arg[0], of) ? 1 : 2], of);
	case OP_NOT:
		return !value_of(run, n->arg[0], of);
	case OP_COMPLEMENT:
		return ~value_of(run, n->arg[0], of);
	case OP_NEGATE:
		return filter_operators[OP_SUBTRACT](0, value_of(run, n->arg[0], of));
	case OP_OR:
		return value_of(run, n->arg[0], of) || value_of(run, n->arg[1], of);
	case OP_AND:
		return value_of(run, n->arg[0], of) && value_of(run, n->arg[1], of);
	case OP_IN:
	case OP_SOME_IN:
		return is_member(run, n, of);
	default:
		return compare(run, n, of);
	}
}

static int64_t value_of(const struct filter_run *run, uint32_t id,
			const struct filter_subject *of)
{
	if (run->truths[id])
		return run->truths[id][of->node];
	return work_out(run, id, &run->filter->nodes.data[id], of);
}

/* ---- before the samples ---- */

static bool compares_frames(const struct filter *filter, const struct filter_node *n)
{
	return n->op >= OP_IN && n->op <= OP_ORDERED_IN &&
	       (filter->nodes.data[n->arg[0]].type == TYPE_FRAMES ||
		filter->nodes.data[n->arg[1]].type == TYPE_FRAMES);
}

static bool is_truth(enum filter_op op)
{
	return op == OP_NOT || op == OP_OR || op == OP_AND ||
	       (op >= OP_EQUAL && op <= OP_ORDERED_IN);
}

static uint8_t *truth_by_stack(const struct filter_run *run, uint32_t id)
{
	size_t nodes = run->from.exp->nodes.len;
	uint8_t *truth = xcalloc(nodes, sizeof(*truth));
	struct filter_subject of = { 0 };

	for (of.node = 0; of.node < nodes; of.node++)
		truth[of.node] = value_of(run, id, &of) != 0;
	return truth;
}

/* Drops data that was needed only to decide the nodes from FIRST to END. */
static void forget(struct filter_run *run, size_t first, size_t end)
{
	for (size_t id = first; id < end; id++) {
		free(run->truths[id]);
		run->truths[id] = NULL;
	}
}

/* The first node of ID's operands, which directly precede their users. */
static uint32_t first_below(const struct filter *filter, uint32_t id)
{
	const struct filter_node *n = &filter->nodes.data[id];

	for (;;) {
		if (n->op == OP_NUMBER || n->op == OP_WORD || n->op == OP_LABEL ||
		    n->op == OP_FUNCTIONS)
			return id;
		id = n->op == OP_LIST ? filter->items.data[n->arg[0]] : n->arg[0];
		n = &filter->nodes.data[id];
	}
}

static uint32_t *depths_of(const struct experiment *exp)
{
	uint32_t *depths = xcalloc(exp->nodes.len, sizeof(*depths));

	for (size_t n = 1; n < exp->nodes.len; n++)
		depths[n] = depths[exp->nodes.data[n].parent] + 1;
	return depths;
}

void filter_run_init(struct filter_run *out, const struct filter *filter,
		     const struct model *model, uint32_t source,
		     const struct frame_map *frames)
{
	const struct source *from = &model->sources.data[source];
	size_t count = filter->nodes.len;

	*out = (struct filter_run){
		.filter = filter,
		.from = { .exp = from->exp,
			  .number = source + 1,
			  .group = from->group + 1,
			  .depths = depths_of(from->exp),
			  .data = xcalloc(1, sizeof(*out->from.data)) },
		.truths = xcalloc(count, sizeof(*out->truths)),
		.labels = xcalloc(count, sizeof(*out->labels)),
	};
	out->from.data->exp = from->exp;
	out->from.regions = filter_regions_new(filter, from->exp);
	for (uint32_t id = 0; id < count; id++) {
		const struct filter_node *n = &filter->nodes.data[id];

		if (n->op == OP_LABEL && n->word != WORD_MEMORY)
			out->labels[id] = filter_match_labels(n, model, source);
		if (!n->of_stack || !is_truth(n->op))
			continue;
		out->truths[id] = compares_frames(filter, n)
					  ? filter_match_stacks(filter, n, model, source,
								frames)
					  : truth_by_stack(out, id);
		forget(out, first_below(filter, id), id);
	}
}

void filter_run_release(struct filter_run *run)
{
	for (size_t id = 0; id < run->filter->nodes.len; id++) {
		free(run->truths[id]);
		free(run->labels[id]);
	}
	free(run->truths);
	free(run->labels);
	free(run->from.depths);
	filter_data_release(run->from.data);
	free(run->from.data);
	filter_regions_free(run->from.regions);
	*run = (struct filter_run){ 0 };
}

int64_t filter_value(const struct filter_run *run, const struct exp_samples *samples,
		     size_t index)
{
	struct filter_subject of = { samples, index, samples->node[index] };

	return value_of(run, (uint32_t)run->filter->nodes.len - 1, &of);
}

bool filter_admits(const struct filter_run *run, const struct exp_samples *samples,
		   size_t index)
{
	return filter_value(run, samples, index) != 0;
}
