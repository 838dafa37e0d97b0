/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nameless.h"

#include <stdlib.h>

#include "model/debug_package.h"
#include "model/module_place.h"
#include "base/xalloc.h"
#include "elf/distributor.h"

/* As the closing line of collect: most programs spend some time in stripped files. */
#define SHARE_LEAST 0.1
enum { SAMPLES_LEAST = 20 };

static uint64_t samples_of_node(const struct totals *t, size_t node)
{
	uint64_t samples = 0;

	for (size_t e = 0; e < t->events; e++)
		samples += t->node[e * t->nodes + node].samples;
	return samples;
}

/* The module with most nameless samples, *MOST, of *ALL. */
static uint32_t find_most(const struct model *model, const struct source *source,
			  uint64_t *most, uint64_t *all)
{
	const struct experiment *exp = source->exp;
	uint64_t *nameless = xcalloc(exp->modules.len + 1, sizeof(*nameless));
	uint32_t best = 0;

	*all = samples_of_node(&source->totals, 0);
	for (size_t n = 1; n < source->totals.nodes && n < exp->nodes.len; n++) {
		uint64_t samples = samples_of_node(&source->totals, n);
		uint32_t frame = exp->nodes.data[n].frame;
		uint32_t m = exp->frames.data[frame].module;

		*all += samples;
		if (exp->modules.data[m].kind != EXP_KIND_FILE ||
		    !model->functions.data[source->function[frame]].label)
			continue;
		nameless[m] += samples;
		if (nameless[m] > nameless[best])
			best = m;
	}
	*most = nameless[best];
	free(nameless);
	return best;
}

/* Whether the file that ran is on this machine; no server is asked. */
static bool is_here(const struct model *model, const struct source *source, uint32_t m)
{
	struct object_search search = model->search;
	struct object_place place;
	struct object_found found = { 0 };
	struct elf_image img = { .fd = -1 };
	bool here;

	search.online = NULL;
	here = module_place(source->exp, m, &search, &place) &&
	       !object_file_find(&place, &img, &found);
	elf_image_release(&img);
	object_found_release(&found);
	return here;
}

static void put_remedy(const char *path, bool here, struct strbuf *out)
{
	if (here && debug_package("", path, out))
		return;
	if (here || !distributor_may_own(path))
		strbuf_addstr(out, "it was stripped");
	else if (getenv("DEBUGINFOD_URLS"))
		strbuf_addstr(out, "the servers in DEBUGINFOD_URLS do not have them");
	else
		strbuf_addstr(out, "set DEBUGINFOD_URLS to a server of its distribution");
}

void nameless_advise(const struct model *model, const struct source *source,
		     struct strbuf *out)
{
	const struct experiment *exp = source->exp;
	uint64_t most, all;
	uint32_t m = find_most(model, source, &most, &all);

	if (most < SAMPLES_LEAST || (double)most < SHARE_LEAST * (double)all)
		return;
	strbuf_addf(out, "%.1f %% in functions of %s without names: ",
		    100 * (double)most / (double)all,
		    object_name(model, source->object[m]));
	put_remedy(experiment_string(exp, exp->modules.data[m].path),
		   is_here(model, source, m), out);
}
