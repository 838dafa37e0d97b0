/* SPDX-License-Identifier: Apache-2.0 */
#include "rows/source_file.h"

#include <errno.h>
#include <string.h>

#include "model/sums.h"

uint32_t source_file_of(const struct session *s, const struct sites *sites,
			uint32_t function)
{
	uint64_t most = 0;
	uint32_t file = 0;
	struct sums sums;

	sums_build(&sums, &s->model, &sites->map, false);
	for (uint32_t g = 0; g < sites->sites.len; g++) {
		const struct site *site = &sites->sites.data[g];
		uint64_t samples = 0;

		if (site->function != function || !site->line)
			continue;
		for (size_t m = 0; m < s->model.metrics.len; m++)
			samples += sums_value(&sums, INCLUSIVE, m, g).samples;
		if (samples > most || !file) {
			most = samples;
			file = site->file;
		}
	}
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
