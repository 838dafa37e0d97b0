/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/source_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

uint32_t source_file_in(const struct sums *sums, const struct session *s,
			const struct sites *sites, uint32_t function)
{
	uint64_t most = 0;
	uint32_t file = 0;

	for (uint32_t g = 0; g < sites->sites.len; g++) {
		const struct site *site = &sites->sites.data[g];
		uint64_t samples = 0;

		if (site->function != function || !site->line)
			continue;
		for (size_t m = 0; m < s->model.metrics.len; m++)
			samples += sums_value(sums, INCLUSIVE, m, g).samples;
		if (samples > most || !file) {
			most = samples;
			file = site->file;
		}
	}
	return file;
}

uint32_t source_file_of(const struct session *s, const struct sites *sites,
			uint32_t function)
{
	struct sums sums;
	uint32_t file;

	sums_build(&sums, &s->model, &sites->map, false);
	file = source_file_in(&sums, s, sites, function);
	sums_release(&sums);
	return file;
}

static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return *name && (!strcmp(path, name) || (slash && !strcmp(slash + 1, name)));
}

int source_file_named(const struct session *s, const struct sites *sites,
		      const char *name, uint32_t *file, uint32_t *function,
		      struct strbuf *err)
{
	*file = 0;
	vec_for_each(const struct site, site, &sites->sites) {
		const char *path = model_string(&s->model, site->file);

		if (!site->line || site->file == *file || !is_called(path, name))
			continue;
		if (*file) {
			strbuf_addf(err,
				    "several files are called %s: %s and %s; name the "
				    "whole path",
				    name, model_string(&s->model, *file), path);
			return -EEXIST;
		}
		*file = site->file;
		*function = site->function;
	}
	return 0;
}

struct code_place {
	uint64_t start;
	uint32_t object, function;
};

static int by_place(const void *va, const void *vb)
{
	const struct code_place *a = va, *b = vb;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

void source_file_functions(struct session *s, uint32_t file, struct source_functions *out)
{
	const struct sites *sites = &session_analysis(s, ANALYSIS_SITES)->sites;
	bool *seen = xcalloc(s->model.functions.len + 1, sizeof(*seen));
	VEC(struct code_place) places = { 0 };

	*out = (struct source_functions){ 0 };
	vec_for_each(const struct site, site, &sites->sites) {
		const struct function *f = &s->model.functions.data[site->function];

		if (site->file != file || !site->line || seen[site->function])
			continue;
		seen[site->function] = true;
		if (!f->inlined)
			*vec_push(&places) = (struct code_place){ f->start, f->object,
								  site->function };
	}
	if (places.len)
		qsort(places.data, places.len, sizeof(*places.data), by_place);
	vec_for_each(const struct code_place, place, &places)
		*vec_push(out) = place->function;
	vec_release(&places);
	free(seen);
}
