/* SPDX-License-Identifier: Apache-2.0 */
#include "import/names.h"

#include "import/perf_header.h"

/* The table's address of offset 0 of M, which may be below 0: sums wrap. */
static uint64_t bias_of(const struct perf_names *names, const struct module *m,
			uint64_t kernel)
{
	switch (names->kind) {
	case PERF_NAMES_KERNEL:
		return kernel;
	case PERF_NAMES_DEX:
		return 0;
	case PERF_NAMES_COMPILED:
		return m->start - m->offset;
	default:
		/* the first versions treated each mapping as the first executable one */
		return names->vaddr - (names->placed ? names->place : m->offset);
	}
}

static bool find(void *ctx, const struct module *m, uint64_t kernel, struct objsyms *out)
{
	bool core = m->kind == EXP_KIND_KERNEL;
	struct perf_names names;

	if (!perf_header_names(ctx, core ? "[kernel.kallsyms]" : m->path, &names))
		return false;
	objsyms_of_names(out, &names.table, bias_of(&names, m, kernel));
	perf_names_release(&names);
	return true;
}

struct carried_symbols import_names(struct perf_file *file)
{
	return (struct carried_symbols){ find, file };
}
