/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stored_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/xalloc.h"

static int by_place(const void *va, const void *vb)
{
	const struct exp_symbol *a = va, *b = vb;

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* Only labels are stored if the file was missing. */
static bool is_of_file(const struct exp_symbol *sym)
{
	return sym->source != EXP_SOURCE_NONE && sym->source != EXP_SOURCE_RECORDING;
}

/* Code that a JIT recompiled, and places without a name, count as one. */
static bool is_counted(const struct exp_symbol *sym)
{
	return sym->source != EXP_SOURCE_PERF_MAP && sym->source != EXP_SOURCE_UNWIND &&
	       sym->source != EXP_SOURCE_NONE;
}

static bool is_same(const struct exp_symbol *a, const struct exp_symbol *b)
{
	return a->module == b->module && a->start == b->start && a->name == b->name;
}

/* Counts each name of a module in TWINS, or numbers those that occur several times. */
static void pass_names(struct stored_symbols *stored, size_t count, struct idmap *seen,
		       struct idmap *numbers)
{
	for (size_t i = 0; i < count; i++) {
		struct exp_symbol *sym = &stored->symbols[i];
		uint64_t key = (uint64_t)sym->module << 32 | sym->name;
		uint32_t before;

		if (sym->twin || !is_counted(sym))
			continue;
		if (i && is_same(sym - 1, sym)) {
			sym->twin = numbers ? sym[-1].twin : 0;
			continue;
		}
		if (numbers && idmap_get(seen, key, 0) < 2)
			continue;
		before = idmap_get(numbers ? numbers : seen, key, 0);
		before = before == IDMAP_NONE ? 0 : before;
		idmap_set(numbers ? numbers : seen, key, 0, before + 1);
		sym->twin = numbers ? before + 1 : 0;
	}
}

/* Recordings of earlier versions do not distinguish functions of one name. */
static void number_twins(struct stored_symbols *stored, size_t count)
{
	struct idmap seen = { 0 }, numbers = { 0 };

	pass_names(stored, count, &seen, NULL);
	pass_names(stored, count, &seen, &numbers);
	idmap_release(&seen);
	idmap_release(&numbers);
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
	number_twins(stored, count);
	stored->first = xcalloc(modules + 1, sizeof(*stored->first));
	stored->of_file = xcalloc(modules + 1, sizeof(*stored->of_file));
	for (size_t i = 0; i < count; i++)
		stored->of_file[stored->symbols[i].module] |= is_of_file(
			&stored->symbols[i]);
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
	free(stored->of_file);
}

/* The deepest nesting of symbols; hostile ones must not make this slow. */
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
