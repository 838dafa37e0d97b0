/* SPDX-License-Identifier: Apache-2.0 */
#include "model/filter_match.h"

#include <stdlib.h>
#include <string.h>

#include "elf/demangle.h"
#include "filter/regex.h"
#include "model/filter_regions.h"
#include "model/names.h"
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

/* The names of functions. */
struct naming {
	const struct model *model;
	struct twins twins;
	struct represented represented; /* while two sides are compared */
};

static void naming_init(struct naming *n, const struct model *model)
{
	const struct twins_style style = { .style = DEMANGLE_LONG };

	*n = (struct naming){ .model = model };
	twins_refresh(&n->twins, model, &style);
	if (model->names && model->names->represent)
		model->names->represent(model, &n->represented);
}

static void naming_release(struct naming *n)
{
	twins_release(&n->twins);
	free(n->represented.functions);
	free(n->represented.objects);
}

/* As views show it, with its object behind it or without. */
static bool fits_shown(const regex_t *regex, const struct naming *n, uint32_t function)
{
	uint32_t object = n->model->functions.data[function].object;
	const char *name = names_function(n->model->names, n->model, function);
	size_t behind = strlen(" []") + strlen(object_name(n->model, object));
	bool fits = filter_regex_fits(regex, name);
	char *bare;

	if (fits || !n->model->names->soname || strlen(name) <= behind)
		return fits;
	bare = xstrndup(name, strlen(name) - behind);
	fits = filter_regex_fits(regex, bare);
	free(bare);
	return fits;
}

/* A function by any of its names, as commands find it, and as views show it. */
static bool fits_function(const regex_t *regex, const struct naming *n, uint32_t function)
{
	const struct function *f = &n->model->functions.data[function];
	const char *tell = twins_tell(&n->twins, function);
	const char *raw = model_string(n->model, f->name);

	if (filter_regex_fits(regex, raw))
		return true;
	if (!f->label && (fits_styled(regex, raw, DEMANGLE_LONG, tell) ||
			  fits_styled(regex, raw, DEMANGLE_SHORT, tell)))
		return true;
	return n->model->names && fits_shown(regex, n, function);
}

static bool fits_path(const regex_t *regex, const struct model *model, uint32_t object)
{
	return filter_regex_fits(regex, object_name(model, object)) ||
	       filter_regex_fits(regex, object_path(model, object));
}

/* By object: whether it fits, or a counterpart of it does.  The caller frees it. */
static bool *fitting_objects(const regex_t *regex, const struct naming *n)
{
	size_t count = n->model->objects.len;
	const uint32_t *as = n->represented.objects;
	bool *fits = xcalloc(count + 1, sizeof(*fits));

	for (uint32_t o = 0; o < count; o++)
		fits[o] = fits_path(regex, n->model, o);
	for (size_t o = 0; as && o < count; o++)
		fits[as[o]] |= fits[o];
	for (size_t o = 0; as && o < count; o++)
		fits[o] = fits[as[o]];
	return fits;
}

/* Adds BIT to the functions that NODE matches. */
static void match_node(const struct filter_node *node, const struct naming *n,
		       uint64_t bit, uint64_t *bits)
{
	bool *objects = node->word == WORD_OBJNAME ? fitting_objects(node->regex, n)
						   : NULL;

	for (uint32_t f = 0; f < n->model->functions.len; f++)
		if (objects ? objects[n->model->functions.data[f].object]
			    : fits_function(node->regex, n, f))
			bits[f] |= bit;
	free(objects);
}

/* Counterparts are one row: what matches one of them matches all. */
static void share_bits(const struct naming *n, uint64_t *bits)
{
	const uint32_t *as = n->represented.functions;

	for (size_t f = 0; as && f < n->model->functions.len; f++)
		bits[as[f]] |= bits[f];
	for (size_t f = 0; as && f < n->model->functions.len; f++)
		bits[f] = bits[as[f]];
}

/* By function: a bit for each element of the list SET that it matches. */
static uint64_t *function_bits(const struct filter *filter, const uint32_t *set,
			       const struct model *model, uint32_t *count)
{
	const uint32_t *elements = filter_elements(filter, set, count);
	uint64_t *bits = xcalloc(model->functions.len + 1, sizeof(*bits));
	struct naming naming;

	naming_init(&naming, model);
	for (uint32_t e = 0; e < *count; e++)
		match_node(&filter->nodes.data[elements[e]], &naming, (uint64_t)1 << e,
			   bits);
	share_bits(&naming, bits);
	naming_release(&naming);
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
	if (node->word == WORD_STATE)
		return *exp->log.events.data[row].state ? exp->log.events.data[row].state
							: "cpu";
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
	if (node->word == WORD_EVENT || node->word == WORD_STATE)
		return exp->log.events.len;
	return node->word == WORD_CGROUP ? exp->strings.len : exp->threads.len;
}

uint8_t *filter_match_labels(const struct filter_node *node, const struct model *model,
			     uint32_t source)
{
	const struct source *from = &model->sources.data[source];
	size_t rows = label_rows(node, from->exp);
	uint8_t *labels;

	if (node->word == WORD_REGION || node->word == WORD_DOMAIN)
		return filter_regions_labels(node, from->exp);
	labels = xcalloc(rows + 1, sizeof(*labels));
	for (size_t r = 0; r < rows; r++)
		labels[r] = filter_regex_fits(node->regex,
					      label_of(node, model, from, r));
	return labels;
}
