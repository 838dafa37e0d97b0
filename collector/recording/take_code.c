/* SPDX-License-Identifier: Apache-2.0 */
/* The code that runs: mappings of files, code made at run time, the kernel's. */
#include "recording/take.h"

#include <stdio.h>
#include <sys/mman.h>

static void take_build_id(struct module *m, const struct record_mmap *map)
{
	for (unsigned i = 0; i < map->build_id_len; i++)
		snprintf(m->build_id.hex + 2 * i, 3, "%02x", map->build_id[i]);
}

/* In code without a file, and in the vDSO, the kernel's offset means nothing. */
static uint64_t offset_of(enum exp_module_kind kind, const struct record_mmap *map)
{
	switch (kind) {
	case EXP_KIND_FILE:
		return map->pgoff;
	case EXP_KIND_VDSO:
		return 0;
	default:
		return map->start;
	}
}

static void add_mapping(struct recording *rec, const struct record_mmap *map,
			uint64_t mapped_ns)
{
	struct process *process = tasks_process(&rec->tasks, map->pid);
	bool compat = module_kind_of(map->path) == EXP_KIND_VDSO &&
		      map->start <= UINT32_MAX;
	struct module m = {
		.path = (char *)(uintptr_t)(compat ? MODULE_VDSO32 : map->path),
		.kind = module_kind_of(map->path),
		.file = map->file,
		.pid = map->pid,
		.start = map->start,
		.end = map->start + map->len,
		.mapped_ns = mapped_ns,
	};
	struct mapping mapping = {
		.start = m.start,
		.end = m.end,
		.offset = offset_of(m.kind, map),
	};

	m.offset = mapping.offset;
	process->bare = false;
	take_build_id(&m, map);
	mapping.module = module_table_add(&rec->modules, &m);
	if (mapping.module == MODULE_NO_ID) {
		rec->left_out[EXP_LEFT_MODULES]++;
		rec->left_out[EXP_LEFT_MAPPINGS] += tasks_cut(&rec->tasks, process,
							      m.start, m.end);
	} else {
		rec->left_out[EXP_LEFT_MAPPINGS] += tasks_map(&rec->tasks, process,
							      &mapping);
	}
}

void recording_add_mapping(struct recording *rec, const struct record_mmap *map)
{
	add_mapping(rec, map, 0);
}

/* Only an importable recording has these; the running kernel's come from /proc. */
static void add_kernel_mapping(struct recording *rec, const struct record_mmap *map)
{
	struct module m = { 0 };

	take_build_id(&m, map);
	rec->left_out[EXP_LEFT_KERNEL] += kernel_map_add(&rec->kernel, &rec->modules,
							 map->path, map->start, map->len,
							 map->pgoff, &m.build_id);
}

void take_mmap(struct recording *rec, const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER)
		return; /* of a virtual machine that PID runs */
	if (mode == PERF_RECORD_MISC_KERNEL) {
		add_kernel_mapping(rec, &r->mmap);
	} else if (r->mmap.prot & PROT_EXEC && ours(rec, r->mmap.pid)) {
		meet(rec, r->mmap.pid);
		note_exec(rec, r->mmap.pid);
		add_mapping(rec, &r->mmap, rec->modules.elsewhere ? 0 : r->at.time);
	}
}

/* Removed code needs no handling: new code in its place replaces it. */
void take_ksymbol(struct recording *rec, const struct record *r)
{
	const struct record_ksymbol *k = &r->ksymbol;

	if (!k->gone && k->len)
		rec->left_out[EXP_LEFT_KERNEL] += kernel_map_add(
			&rec->kernel, &rec->modules, k->name, k->start, k->len, 0,
			&(struct build_id){ { 0 } });
}
