/* SPDX-License-Identifier: Apache-2.0 */
#include "model/interpreted.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtimes.h"
#include "base/xalloc.h"

#define SHARE_LEAST 0.5

/* The mark of Python's perf map. */
#define PYTHON_MARK "py::"

static const struct interpreter {
	const char *name, *loop;
	const char *remedy; /* if base/runtimes.h knows no flag for its file */
} interpreters[] = {
	{ "python", "_PyEval_EvalFrameDefault",
	  "this version cannot name its functions; python 3.12 and later can, with -X "
	  "perf" },
	{ "perl", "Perl_runops_standard",
	  "perl cannot name its subs for profilers; its own Devel::NYTProf shows them" },
	{ "R", "bcEval",
	  "R cannot name its functions for profilers; its own Rprof() shows them" },
	{ "ruby", "rb_vm_exec",
	  "ruby names only methods that its JIT compiles (--yjit-perf, since ruby 3.3)" },
	{ "php", "execute_ex",
	  "php names only functions that its JIT compiles (-d opcache.jit_debug=16)" },
};

enum { INTERPRETERS = sizeof(interpreters) / sizeof(interpreters[0]) };

/* The outermost part of a stack: from 1 the interpreter whose loop is in it; 0: none. */
struct below {
	uint8_t interpreter;
	uint32_t module; /* of the loop */
};

/* "bcEval.part.0" is bcEval. */
static bool is_called(const char *name, const char *loop)
{
	size_t len = strlen(loop);

	return !strncmp(name, loop, len) && (!name[len] || name[len] == '.');
}

/* By function, from 1: the interpreter whose loop it is.  The caller frees it. */
static uint8_t *find_loops(const struct model *model, bool *named)
{
	uint8_t *loops = xcalloc(model->functions.len + 1, sizeof(*loops));

	*named = false;
	for (size_t f = 0; f < model->functions.len; f++) {
		const char *name = model_string(model, model->functions.data[f].name);

		*named |= !strncmp(name, PYTHON_MARK, strlen(PYTHON_MARK));
		for (uint8_t i = 0; i < INTERPRETERS; i++)
			if (is_called(name, interpreters[i].loop))
				loops[f] = i + 1;
	}
	return loops;
}

static uint64_t samples_of_node(const struct totals *t, size_t node)
{
	uint64_t samples = 0;

	for (size_t e = 0; e < t->events; e++)
		samples += t->node[e * t->nodes + node].samples;
	return samples;
}

/* The samples below each loop, the sum of all, and a module with each loop. */
struct shares {
	uint64_t all, of[INTERPRETERS];
	uint32_t module[INTERPRETERS];
};

static void add_shares(struct shares *out, const struct source *source,
		       const uint8_t *loops)
{
	const struct experiment *exp = source->exp;
	struct below *below = xcalloc(exp->nodes.len + 1, sizeof(*below));

	for (size_t n = 0; n < source->totals.nodes && n < exp->nodes.len; n++) {
		const struct exp_node *node = &exp->nodes.data[n];
		uint64_t samples = samples_of_node(&source->totals, n);

		out->all += samples;
		if (!n) /* the root has no frame */
			continue;
		below[n] = below[node->parent]; /* parents come first */
		if (loops[source->function[node->frame]])
			below[n] = (struct below){
				loops[source->function[node->frame]],
				exp->frames.data[node->frame].module,
			};
		if (!below[n].interpreter)
			continue;
		out->of[below[n].interpreter - 1] += samples;
		out->module[below[n].interpreter - 1] = below[n].module;
	}
	free(below);
}

static void put_sentence(const struct source *source, const struct shares *shares,
			 size_t i, struct strbuf *out)
{
	const struct experiment *exp = source->exp;
	const char *path = experiment_string(exp,
					     exp->modules.data[shares->module[i]].path);
	const struct runtime *runtime = runtime_of_file(path);

	strbuf_addf(out, "%.1f %% in the interpreter of %s: ",
		    100 * (double)shares->of[i] / (double)shares->all,
		    interpreters[i].name);
	if (runtime && runtime->interprets &&
	    !strcmp(runtime->name, interpreters[i].name))
		strbuf_addf(out, "run %s with %s", runtime->name, runtime->flag);
	else
		strbuf_addstr(out, interpreters[i].remedy);
}

void interpreted_advise(const struct model *model, const struct source *source,
			struct strbuf *out)
{
	struct shares shares = { 0 };
	bool named;
	uint8_t *loops = find_loops(model, &named);

	add_shares(&shares, source, loops);
	for (size_t i = 0; i < INTERPRETERS && !named; i++)
		if (shares.of[i] &&
		    (double)shares.of[i] >= SHARE_LEAST * (double)shares.all) {
			put_sentence(source, &shares, i, out);
			break;
		}
	free(loops);
}
