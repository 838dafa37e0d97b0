/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_info.h"

#include <stdlib.h>
#include <string.h>

void perf_info_init(struct perf_info *info)
{
	*info = (struct perf_info){ 0 };
	strtab_init(&info->paths);
}

void perf_info_release(struct perf_info *info)
{
	char *texts[] = { info->hostname, info->osrelease, info->version,
			  info->arch,     info->cpudesc,   info->cpuid };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	for (size_t i = 0; i < PERF_TRACED_KINDS; i++)
		free(info->traced[i]);
	vec_for_each(char *, arg, &info->command)
		free(*arg);
	vec_for_each(struct perf_event_name, e, &info->names)
		free(e->name);
	vec_for_each(struct perf_event_name, e, &info->kind_names)
		free(e->name);
	vec_for_each(struct perf_group, g, &info->groups)
		free(g->name);
	vec_for_each(struct perf_core_kind, k, &info->kinds) {
		free(k->pmu);
		free(k->cpus);
	}
	vec_release(&info->kinds);
	vec_release(&info->command);
	vec_release(&info->names);
	vec_release(&info->kind_names);
	vec_release(&info->groups);
	vec_release(&info->build_ids);
	vec_release(&info->names_places);
	idmap_release(&info->names_ids);
	idmap_release(&info->name_ids);
	strtab_release(&info->paths);
}

static uint32_t path_id(struct perf_info *info, const char *path)
{
	uint32_t id = strtab_intern(&info->paths, path);

	while (info->build_ids.len <= id)
		*vec_push(&info->build_ids) = (struct perf_build_id){ 0 };
	return id;
}

void perf_info_add_build_id(struct perf_info *info, const char *path,
			    const struct perf_build_id *id)
{
	uint32_t index = path_id(info, path);

	info->build_ids.data[index] = *id;
}

const struct perf_build_id *perf_info_build_id(struct perf_info *info, const char *path)
{
	static const char kernel[] = "[kernel.kallsyms]";
	uint32_t index;

	/*
	 * the mapping's name includes its first symbol: [kernel.kallsyms]_text; in the
	 * first versions [kernel.kallsyms._text]
	 */
	if (!strncmp(path, kernel, sizeof(kernel) - 2))
		path = kernel;
	index = path_id(info, path);
	return info->build_ids.data[index].len ? &info->build_ids.data[index] : NULL;
}

void perf_info_add_names(struct perf_info *info, const char *path,
			 const struct perf_names_place *place)
{
	info->simpleperf = true;
	idmap_set(&info->names_ids, strtab_intern(&info->paths, path), 0,
		  (uint32_t)info->names_places.len);
	*vec_push(&info->names_places) = *place;
}

const struct perf_names_place *perf_info_names(struct perf_info *info, const char *path)
{
	uint32_t index = idmap_get(&info->names_ids, strtab_intern(&info->paths, path),
				   0);

	return index == IDMAP_NONE ? NULL : &info->names_places.data[index];
}
