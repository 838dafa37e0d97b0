/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export.h"
#include "model/foreign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strtab.h"
#include "model/process_stacks.h"

/* A name without characters that separate frames. */
static void put_name(const char *name, struct strbuf *line)
{
	size_t start = line->len;

	foreign_put(line, foreign(name));
	export_end_frame(line, start);
}

/* PROCESS: its name; NULL: there is only one. */
static void put_line(struct session *s, const struct tree *tree, size_t node,
		     const char *process, uint64_t weight, struct stream *out)
{
	struct export_stack stack = { 0 };

	if (!weight)
		return;
	export_stack_of(tree, node, &stack);
	if (process) {
		put_name(*process ? process : "?", &out->text);
		strbuf_addch(&out->text, ';');
	}
	vec_for_each(const uint32_t, function, &stack) {
		if (function != stack.data)
			strbuf_addch(&out->text, ';');
		put_name(session_function(s, *function), &out->text);
	}
	strbuf_addf(&out->text, " %" PRIu64 "\n", weight);
	vec_release(&stack);
}

static void write_tree(struct session *s, uint32_t metric, struct stream *out)
{
	const struct tree *tree = &session_analysis(s, ANALYSIS_TREE)->tree;

	for (size_t n = 1; n < tree->nodes.len && stream_pass(out); n++)
		put_line(s, tree, n, NULL, export_weight(s, tree, metric, n), out);
}

/* ---- several processes ---- */

struct named_stack {
	uint32_t node, name;
	uint64_t weight;
};

/* Stacks of all sources, by the name of their process. */
struct by_process {
	struct session *session;
	uint32_t metric;
	struct tree tree;
	struct idmap nodes, ids; /* the tree's; of (node, name) */
	struct strtab names;
	VEC(struct named_stack) stacks;
};

static void add_stack(struct by_process *b, uint32_t node, const char *process,
		      uint64_t weight)
{
	uint32_t next = (uint32_t)b->stacks.len;
	uint32_t name = strtab_intern(&b->names, process);
	uint32_t id = idmap_intern(&b->ids, node, name, next);

	if (id == next)
		*vec_push(&b->stacks) = (struct named_stack){ node, name, 0 };
	if (__builtin_add_overflow(b->stacks.data[id].weight, weight,
				   &b->stacks.data[id].weight))
		b->stacks.data[id].weight = UINT64_MAX;
}

static void add_source(struct by_process *b, size_t index, const struct frame_map *shown,
		       const struct frame_map *matched)
{
	const struct model *model = &b->session->model;
	const struct experiment *exp = model->sources.data[index].exp;
	uint32_t *map = tree_map_source(&b->tree, &b->nodes, model, index, shown);
	struct process_stacks stacks;

	process_stacks_read(&stacks, model, index, matched);
	for (size_t i = 0; i < stacks.stacks.len; i++) {
		const struct process_stack *at = &stacks.stacks.data[i];
		uint32_t name = exp->processes.data[at->process].name;

		add_stack(b, map[at->node], experiment_string(exp, name),
			  stacks.weights.data[i * model->metrics.len + b->metric]);
	}
	process_stacks_release(&stacks);
	free(map);
}

static void write_processes(struct session *s, uint32_t metric, struct stream *out)
{
	struct by_process b = { .session = s, .metric = metric };
	struct frame_map shown, matched;

	strtab_init(&b.names);
	tree_init(&b.tree);
	session_shown(s, &shown);
	session_frames(s, &matched);
	for (size_t i = 0; i < s->model.sources.len; i++)
		add_source(&b, i, &shown, &matched);
	for (size_t i = 0; i < b.stacks.len && stream_pass(out); i++)
		put_line(s, &b.tree, b.stacks.data[i].node,
			 strtab_get(&b.names, b.stacks.data[i].name),
			 export_scaled(s, metric, b.stacks.data[i].weight), out);
	frame_map_release(&shown);
	frame_map_release(&matched);
	vec_release(&b.stacks);
	idmap_release(&b.nodes);
	idmap_release(&b.ids);
	strtab_release(&b.names);
	tree_release(&b.tree);
}

/* Whether the recordings have processes of several names. */
static bool has_several(const struct model *model)
{
	const char *first = NULL;

	vec_for_each(const struct source, source, &model->sources)
		vec_for_each(const struct exp_process, process, &source->exp->processes) {
			const char *name = experiment_string(source->exp, process->name);

			if (first && strcmp(first, name) != 0)
				return true;
			first = name;
		}
	return false;
}

static void write_collapsed(struct session *s, struct stream *out)
{
	struct metric_item by = session_sort(s).by;
	uint32_t metric;

	if (!metric_item_base(&s->model, &by, &metric))
		return;
	if (has_several(&s->model))
		write_processes(s, metric, out);
	else
		write_tree(s, metric, out);
}

const struct export_format export_collapsed = {
	.write = write_collapsed,
};
