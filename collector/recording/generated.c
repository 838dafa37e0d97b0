/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/generated.h"

#define SHARE_LEAST 0.05 /* below it, other advice is worth more */

void generated_release(struct generated *g)
{
	idmap_release(&g->by_module);
	vec_release(&g->codes);
}

/* Once for each file: a process may map one in thousands of places, and the rings wait. */
static const struct runtime *runtime_of(struct module *m)
{
	if (m->kind == EXP_KIND_FILE && !m->runtime_tried)
		m->runtime = runtime_of_file(m->path);
	m->runtime_tried = true;
	return m->runtime;
}

/* Not interpreters: their own code has names. */
static const struct runtime *runtime_in(struct module_table *modules,
					const struct space *space)
{
	for (const struct mapping *m = space_above(space, 0); m;
	     m = space_above(space, m->end)) {
		const struct runtime *r = runtime_of(&modules->v.data[m->module]);

		if (r && !r->interprets)
			return r;
	}
	return NULL;
}

static struct generated_code *code_of(struct generated *g, uint32_t module)
{
	uint32_t next = (uint32_t)g->codes.len;
	uint32_t index = idmap_intern(&g->by_module, module, 0, next);

	if (index == next)
		*vec_push(&g->codes) = (struct generated_code){ .module = module };
	return &g->codes.data[index];
}

/* A runtime may be mapped later, so it is looked for again, but seldom. */
void generated_take(struct generated *g, struct module_table *modules,
		    const struct space *space, uint64_t ip)
{
	const struct mapping *m = space_find(space, ip);
	struct generated_code *code;

	if (!m || modules->v.data[m->module].kind != EXP_KIND_ANON)
		return;
	code = code_of(g, m->module);
	if (!code->runtime && !(code->samples & (code->samples + 1)))
		code->runtime = runtime_in(modules, space);
	code->samples++;
}

/* The nameless samples of all processes of the runtime. */
static uint64_t nameless_of(const struct generated *g, const struct module_table *modules,
			    const struct runtime *runtime)
{
	uint64_t samples = 0;

	vec_for_each(const struct generated_code, code, &g->codes)
		if (code->runtime == runtime && !modules->v.data[code->module].named)
			samples += code->samples;
	return samples;
}

uint64_t generated_advise(const struct generated *g, const struct module_table *modules,
			  uint64_t samples, struct strbuf *out)
{
	const struct runtime *best = NULL, *runtime;
	uint64_t most = 0;

	for (size_t i = 0; (runtime = runtime_at(i)); i++) {
		uint64_t nameless = nameless_of(g, modules, runtime);

		if (nameless > most) {
			most = nameless;
			best = runtime;
		}
	}
	if (!best || (double)most < SHARE_LEAST * (double)samples)
		return 0;
	strbuf_addf(out, "%.0f %% in generated code of %s: run it with %s (since %s)",
		    100 * (double)most / (double)samples, best->name, best->flag,
		    best->since);
	return most;
}
