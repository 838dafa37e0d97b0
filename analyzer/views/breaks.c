/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breaks: the stacks that were not followed to their root, by reason and by the object
 * where they ended.
 */
#include <stdlib.h>
#include <string.h>

#include "rows/view.h"
#include "model/region_stacks.h"
#include "views/views.h"
#include "base/xalloc.h"

/* Samples by reason and object: of[reason * objects + object]. */
struct breaks {
	size_t objects;
	uint64_t *of;
	uint64_t all; /* samples, broken or not */
};

/* For each node, the samples of all stacks through it.  The caller frees it. */
static uint64_t *samples_through(const struct source *source, const struct totals *t)
{
	uint64_t *through = xcalloc(t->nodes + 1, sizeof(*through));

	for (size_t e = 0; e < t->events; e++)
		for (size_t n = 0; n < t->nodes; n++)
			through[n] += t->node[e * t->nodes + n].samples;
	/* A node's children have higher numbers. */
	for (size_t n = t->nodes; n-- > 1;)
		through[source->exp->nodes.data[n].parent] += through[n];
	return through;
}

/* Why the stacks below NODE were cut; EXP_END_ROOT: it is not <Truncated>. */
static enum exp_stack_end reason_of(const struct source *source, uint32_t node)
{
	const struct experiment *exp = source->exp;
	const struct exp_node *n = &exp->nodes.data[node];
	const struct exp_frame *frame;
	uint64_t reason;

	if (!node || !region_stacks_is_root(source->region_stacks, n->parent))
		return EXP_END_ROOT;
	frame = &exp->frames.data[n->frame];
	reason = frame->offset - EXP_TRUNCATED;
	if (exp->modules.data[frame->module].kind != EXP_KIND_ARTIFICIAL ||
	    reason >= EXP_ENDS)
		return EXP_END_ROOT;
	return (enum exp_stack_end)reason;
}

static void add_source(const struct model *model, const struct source *source,
		       struct breaks *breaks)
{
	const struct experiment *exp = source->exp;
	const struct totals *totals = source_totals(model, source);
	uint64_t *through = samples_through(source, totals);

	breaks->all += through[0];
	for (uint32_t n = 1; n < totals->nodes; n++) {
		uint32_t parent = exp->nodes.data[n].parent;
		enum exp_stack_end reason = reason_of(source, parent);
		uint32_t module = exp->frames.data[exp->nodes.data[n].frame].module;

		if (reason != EXP_END_ROOT)
			breaks->of[reason * breaks->objects + source->object[module]] +=
				through[n];
	}
	free(through);
}

static void add_row(const struct session *s, const struct breaks *breaks, size_t index,
		    struct table *table)
{
	uint64_t samples = breaks->of[index];
	struct strbuf share = { 0 };

	strbuf_addf(&share, "%.2f %%", 100 * (double)samples / (double)breaks->all);
	table_add_number(table, samples);
	table_add_text(table, share.data);
	table_add_text(table, exp_stack_end_names[index / breaks->objects]);
	table_add_text(table,
		       object_path(&s->model, (uint32_t)(index % breaks->objects)));
	strbuf_release(&share);
}

static int run_breaks(struct session *s, int argc, char **argv, struct strbuf *err)
{
	struct breaks breaks = { .objects = s->model.objects.len };
	struct table table = { .key = "breaks" };
	struct ranks ranks = { 0 };

	(void)argc;
	(void)argv;
	breaks.of = xcalloc(EXP_ENDS * breaks.objects + 1, sizeof(*breaks.of));
	for (size_t i = 0; i < s->model.sources.len; i++)
		add_source(&s->model, &s->model.sources.data[i], &breaks);
	for (size_t i = 0; i < EXP_ENDS * breaks.objects; i++)
		if (breaks.of[i])
			*vec_push(&ranks) = (struct rank){
				.weight = breaks.of[i],
				.name = object_path(&s->model,
						    (uint32_t)(i % breaks.objects)),
				.id = (uint32_t)i,
			};
	ranks_sort(&ranks, false);
	table_set_title(
		&table,
		xstrdup("Stacks that do not reach their root, by the object of their "
			"outermost frame"));
	table_column(&table, "samples", "Samples", COLUMN_NUMBER);
	table_column(&table, "share", "Of all", COLUMN_TEXT);
	table_column(&table, "reason", "Reason", COLUMN_TEXT);
	table_column(&table, "object", "Object", COLUMN_TEXT);
	for (size_t i = 0; i < ranks.len && (!s->set.limit || i < s->set.limit); i++)
		add_row(s, &breaks, ranks.data[i].id, &table);
	vec_release(&ranks);
	free(breaks.of);
	return command_show(s, &table, err);
}

const struct cmd cmd_breaks = {
	.name = "breaks",
	.args = "",
	.help = "incomplete stacks, by reason and object",
	.run = run_breaks,
	.comparable = "functions",
};
