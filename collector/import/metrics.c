/* SPDX-License-Identifier: Apache-2.0 */
#include "import/metrics.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "import/name.h"

/* In taken, beside the kinds: some event has the name. */
#define SOME_CORE (UINT32_MAX - 1)

void import_metrics_init(struct import_metrics *m)
{
	*m = (struct import_metrics){ 0 };
	strtab_init(&m->names);
}

void import_metrics_release(struct import_metrics *m)
{
	strtab_release(&m->names);
	idmap_release(&m->taken);
	idmap_release(&m->numbers);
}

static bool has(const struct import_metrics *m, uint32_t name, uint32_t kind)
{
	return idmap_get(&m->taken, name, kind) != IDMAP_NONE;
}

/* Whether an event that counts on cores of that KIND has the name. */
static bool is_taken(const struct import_metrics *m, uint32_t name, uint32_t kind)
{
	if (kind == IMPORT_ANY_CORE)
		return has(m, name, SOME_CORE);
	return has(m, name, kind) || has(m, name, IMPORT_ANY_CORE);
}

char *import_metrics_add(struct import_metrics *m, const char *base, uint32_t kind,
			 uint32_t *number)
{
	uint32_t id = strtab_intern(&m->names, base), name = id;
	uint32_t last = idmap_get(&m->numbers, id, kind);
	char *metric = xstrdup(base);

	*number = last == IDMAP_NONE ? 1 : last;
	while (is_taken(m, name, kind)) {
		free(metric);
		metric = xasprintf("%s.%" PRIu32, base, ++*number);
		name = strtab_intern(&m->names, metric);
	}
	idmap_set(&m->taken, name, kind, 0);
	idmap_set(&m->taken, name, SOME_CORE, 0);
	idmap_set(&m->numbers, id, kind, *number);
	return metric;
}
