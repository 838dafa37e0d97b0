/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stored_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static int by_place(const void *va, const void *vb)
{
	const struct exp_symbol *a = va, *b = vb;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

void stored_symbols_init(struct stored_symbols *stored, const struct experiment *exp)
{
	size_t count = exp->symbols.len, modules = exp->modules.len, at = 0;

	stored->symbols = xreallocarray(NULL, count + 1, sizeof(*stored->symbols));
	if (count)
		memcpy(stored->symbols, exp->symbols.data,
		       count * sizeof(*stored->symbols));
	for (size_t i = 1; i < count; i++)
		if (by_place(&stored->symbols[i - 1], &stored->symbols[i]) > 0) {
			qsort(stored->symbols, count, sizeof(*stored->symbols), by_place);
			break;
		}
	stored->first = xcalloc(modules + 1, sizeof(*stored->first));
	for (size_t m = 0; m <= modules; m++) {
		while (at < count && stored->symbols[at].module < m)
			at++;
		stored->first[m] = at;
	}
}

void stored_symbols_release(struct stored_symbols *stored)
{
	free(stored->symbols);
	free(stored->first);
}

/* So deep do symbols lie in each other, at most; hostile ones must not make this slow. */
#define NESTED_MAX 16

static bool covers(const struct exp_symbol *sym, uint64_t offset)
{
	return !sym->size || offset - sym->start < sym->size;
}

const struct exp_symbol *stored_symbols_find(const struct stored_symbols *stored,
					     uint32_t module, uint64_t offset)
{
	size_t low = stored->first[module], high = stored->first[module + 1];

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (stored->symbols[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	for (unsigned i = 0; i < NESTED_MAX && low > stored->first[module]; i++)
		if (covers(&stored->symbols[--low], offset))
			return &stored->symbols[low];
	return NULL;
}
