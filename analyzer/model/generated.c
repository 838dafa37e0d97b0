/* SPDX-License-Identifier: Apache-2.0 */
#include "model/generated.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* What precedes a node in its stack. */
struct above {
	const struct runtime *runtime; /* the nearest; NULL: none */
	uint32_t anonymous;            /* the nearest anonymous module + 1; 0: none */
};

/*
 * By anonymous module, which belongs to one process: the runtime in its stacks, or NULL.
 * The caller frees it.
 */
static const struct runtime **find_runtimes(const struct experiment *exp)
{
	const struct runtime **of_file = xcalloc(exp->modules.len + 1, sizeof(*of_file));
	const struct runtime **found = xcalloc(exp->modules.len + 1, sizeof(*found));
	struct above *above = xcalloc(exp->nodes.len + 1, sizeof(*above));

	for (size_t m = 0; m < exp->modules.len; m++)
		if (exp->modules.data[m].kind == EXP_KIND_FILE)
			of_file[m] = runtime_of_file(
				experiment_string(exp, exp->modules.data[m].path));
	for (size_t n = 1; n < exp->nodes.len; n++) { /* parents come first */
		const struct exp_node *node = &exp->nodes.data[n];
		uint32_t m = exp->frames.data[node->frame].module;

		above[n] = above[node->parent];
		if (exp->modules.data[m].kind == EXP_KIND_ANON)
			above[n].anonymous = m + 1;
		else if (of_file[m])
			above[n].runtime = of_file[m];
		if (above[n].anonymous && above[n].runtime &&
		    !found[above[n].anonymous - 1])
			found[above[n].anonymous - 1] = above[n].runtime;
	}
	free(above);
	free(of_file);
	return found;
}

static void add_samples(struct generated_code *out, const struct runtime *runtime,
			uint64_t samples)
{
	size_t i = 0;

	while (i < out->by_runtime.len && out->by_runtime.data[i].runtime != runtime)
		i++;
	if (i == out->by_runtime.len)
		*vec_push(&out->by_runtime) = (struct generated){ .runtime = runtime };
	out->by_runtime.data[i].samples += samples;
	for (; i && out->by_runtime.data[i - 1].samples < out->by_runtime.data[i].samples;
	     i--) {
		struct generated less = out->by_runtime.data[i - 1];

		out->by_runtime.data[i - 1] = out->by_runtime.data[i];
		out->by_runtime.data[i] = less;
	}
}

static uint64_t samples_of_node(const struct totals *t, size_t node)
{
	uint64_t samples = 0;

	for (size_t e = 0; e < t->events; e++)
		samples += t->node[e * t->nodes + node].samples;
	return samples;
}

void generated_add(struct generated_code *out, const struct model *model,
		   const struct source *source)
{
	const struct experiment *exp = source->exp;
	const struct runtime **runtimes = find_runtimes(exp);

	for (size_t n = 0; n < source->totals.nodes && n < exp->nodes.len; n++) {
		uint64_t samples = samples_of_node(&source->totals, n);
		uint32_t frame = exp->nodes.data[n].frame, m;

		out->samples += samples;
		if (!n || !samples)
			continue;
		m = exp->frames.data[frame].module;
		if (exp->modules.data[m].kind == EXP_KIND_ANON &&
		    model->functions.data[source->function[frame]].label)
			add_samples(out, runtimes[m], samples);
	}
	free(runtimes);
}

void generated_release(struct generated_code *code)
{
	vec_release(&code->by_runtime);
}

void generated_remedy(const struct runtime *runtime, struct strbuf *out)
{
	if (runtime)
		strbuf_addf(out, "run %s with %s", runtime->name, runtime->flag);
	else
		strbuf_addstr(out, "let what generates the code write /tmp/perf-PID.map");
}
