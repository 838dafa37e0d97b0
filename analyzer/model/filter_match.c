/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_match.h"

#include <stdlib.h>
#include <string.h>

#include "elf/demangle.h"
#include "filter/regex.h"
#include "model/twins.h"
#include "base/xalloc.h"

/* ---- functions ---- */

/* TELL: its distinction from others of its name, or NULL. */
static bool fits_styled(const regex_t *regex, const char *raw, enum demangle_style style,
			const char *tell)
{
	struct strbuf name = { 0 };
	bool fits;

	demangle(raw, &name, style);
	fits = filter_regex_fits(regex, strbuf_str(&name));
	if (!fits && tell) {
		strbuf_addf(&name, " (%s)", tell);
		fits = filter_regex_fits(regex, name.data);
	}
	strbuf_release(&name);
	return fits;
}

/* A function by any of its names, as commands find it. */
static bool fits_function(const regex_t *regex, const struct model *model,
			  const struct function *f, const char *tell)
{
	const char *raw = model_string(model, f->name);

	if (filter_regex_fits(regex, raw))
		return true;
	return !f->label && (fits_styled(regex, raw, DEMANGLE_LONG, tell) ||
			     fits_styled(regex, raw, DEMANGLE_SHORT, tell));
}

static bool fits_object(const regex_t *regex, const struct model *model,
			const struct function *f)
{
	return filter_regex_fits(regex, object_name(model, f->object)) ||
	       filter_regex_fits(regex, object_path(model, f->object));
}

static bool fits(const struct filter_node *node, const struct model *model,
		 const struct function *f, const char *tell)
{
	return node->word == WORD_OBJNAME ? fits_object(node->regex, model, f)
					  : fits_function(node->regex, model, f, tell);
}

/* By function: a bit for each element of the list SET that it matches. */
static uint64_t *function_bits(const struct filter *filter, const uint32_t *set,
			       const struct model *model, uint32_t *count)
{
	const uint32_t *elements = filter_elements(filter, set, count);
	uint64_t *bits = xcalloc(model->functions.len + 1, sizeof(*bits));
	const struct twins_style style = { .style = DEMANGLE_LONG };
	struct twins twins = { 0 };

	twins_refresh(&twins, model, &style);
	for (uint32_t e = 0; e < *count; e++)
		for (size_t f = 0; f < model->functions.len; f++)
			if (fits(&filter->nodes.data[elements[e]], model,
				 &model->functions.data[f],
				 twins_tell(&twins, (uint32_t)f)))
				bits[f] |= (uint64_t)1 << e;
	twins_release(&twins);
	return bits;
}

/* ---- stacks ---- */

/*
 * A stack's state follows from that of the stack without its leaf, and the leaf's bits;
 * so each node is visited once, however deep stacks are.
 */
struct stack_test {
	uint64_t start;
	uint64_t (*step)(uint64_t above, uint64_t bits);
	bool (*holds)(uint64_t state, uint32_t count);
};

static uint64_t step_any(uint64_t above, uint64_t bits)
{
	return above | bits;
}

static uint64_t step_every(uint64_t above, uint64_t bits)
{
	return above && bits;
}

/* The number of elements found in their order. */
static uint64_t step_order(uint64_t above, uint64_t bits)
{
	return above < FILTER_LIST_MAX ? above + (bits >> above & 1) : above;
}

static uint64_t step_leaf(uint64_t above, uint64_t bits)
{
	(void)above;
	return bits;
}

static bool holds_some(uint64_t state, uint32_t count)
{
	(void)count;
	return state != 0;
}

static bool holds_all(uint64_t state, uint32_t count)
{
	return state == UINT64_MAX >> (64 - count);
}

static bool holds_number(uint64_t state, uint32_t count)
{
	return state == count;
}

/* By operator, whether the frames are on the left, and whether they are LEAF. */
static const struct stack_test stack_tests[3][2][2] = {
	[OP_IN - OP_IN] = {
		{ { 0, step_any, holds_all }, { 0, step_leaf, holds_all } },
		{ { 1, step_every, holds_some }, { 0, step_leaf, holds_some } },
	},
	[OP_SOME_IN - OP_IN] = {
		{ { 0, step_any, holds_some }, { 0, step_leaf, holds_some } },
		{ { 0, step_any, holds_some }, { 0, step_leaf, holds_some } },
	},
	[OP_ORDERED_IN - OP_IN] = {
		{ { 0, step_order, holds_number }, { 0, step_leaf, holds_all } },
		{ { 0, step_order, holds_number }, { 0, step_leaf, holds_all } },
	},
};

/* A frame is several functions if some were inlined at its place. */
static uint64_t step_frame(const struct stack_test *test, uint64_t state,
			   const uint64_t *bits, const struct frame_ids *frames,
			   uint32_t frame)
{
	for (uint32_t i = frames->first.data[frame]; i < frames->first.data[frame + 1];
	     i++)
		state = test->step(state, bits[frames->ids.data[i]]);
	return state;
}

uint8_t *filter_match_stacks(const struct filter *filter, const struct filter_node *node,
			     const struct model *model, uint32_t source,
			     const struct frame_map *frames)
{
	const struct source *from = &model->sources.data[source];
	bool left = filter->nodes.data[node->arg[0]].type == TYPE_FRAMES;
	const struct filter_node *of = &filter->nodes.data[node->arg[left ? 0 : 1]];
	const struct stack_test *test =
		&stack_tests[node->op - OP_IN][left][of->word == WORD_LEAF];
	size_t nodes = from->exp->nodes.len;
	uint64_t *state = xcalloc(nodes, sizeof(*state)), *bits;
	uint8_t *truth = xcalloc(nodes, sizeof(*truth));
	uint32_t count;

	bits = function_bits(filter, &node->arg[left ? 1 : 0], model, &count);
	state[0] = test->start;
	truth[0] = test->holds(state[0], count);
	for (size_t n = 1; n < nodes; n++) {
		const struct exp_node *at = &from->exp->nodes.data[n];

		state[n] = step_frame(test, state[at->parent], bits,
				      &frames->sources[source], at->frame);
		truth[n] = test->holds(state[n], count);
	}
	free(state);
	free(bits);
	return truth;
}

/* ---- threads, events and control groups ---- */

static const char *label_of(const struct filter_node *node, const struct model *model,
			    const struct source *from, size_t row)
{
	const struct experiment *exp = from->exp;
	const struct exp_thread *thread;

	if (node->word == WORD_EVENT)
		return model_string(model, model->metrics.data[from->metric[row]].id);
	if (node->word == WORD_CGROUP)
		return experiment_string(exp, (uint32_t)row);
	thread = &exp->threads.data[row];
	return experiment_string(exp,
				 node->word == WORD_TNAME
					 ? thread->name
					 : exp->processes.data[thread->process].name);
}

static size_t label_rows(const struct filter_node *node, const struct experiment *exp)
{
	if (node->word == WORD_EVENT)
		return exp->log.events.len;
	return node->word == WORD_CGROUP ? exp->strings.len : exp->threads.len;
}

uint8_t *filter_match_labels(const struct filter_node *node, const struct model *model,
			     uint32_t source)
{
	const struct source *from = &model->sources.data[source];
	size_t rows = label_rows(node, from->exp);
	uint8_t *labels = xcalloc(rows + 1, sizeof(*labels));

	for (size_t r = 0; r < rows; r++)
		labels[r] = filter_regex_fits(node->regex,
					      label_of(node, model, from, r));
	return labels;
}
