/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the sources' entries into disjoint pieces: sorts, picks one of each set of
 * aliases, gives an end to symbols without a size, cuts where symbols overlap.
 */
#include "elf/symtab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The rest of a longer name is not compared: endless names must not make sorting slow. */
#define NAME_COMPARED 256

static size_t underscores(const char *name)
{
	size_t count = 0;

	while (count < NAME_COMPARED && name[count] == '_')
		count++;
	return count;
}

/* Whether A is the better name of the two, in the order of symtab.h. */
static bool is_better(const struct symbol_entry *a, const struct symbol_entry *b,
		      const char *names)
{
	const char *name_a = names + a->name, *name_b = names + b->name;
	size_t many_a = underscores(name_a), many_b = underscores(name_b);
	int order;

	if (!a->size != !b->size)
		return a->size;
	if (a->label != b->label)
		return b->label;
	if (a->binding != b->binding)
		return a->binding < b->binding;
	if (many_a == many_b) {
		many_a = strnlen(name_a, NAME_COMPARED);
		many_b = strnlen(name_b, NAME_COMPARED);
	}
	if (many_a != many_b)
		return many_a < many_b;
	order = strncmp(name_a, name_b, NAME_COMPARED);
	if (order)
		return order < 0;
	if (a->source != b->source)
		return a->source < b->source;
	return a->size > b->size;
}

static int compare_starts(const void *left, const void *right)
{
	const struct symbol_entry *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Many sources are already in order, such as kallsyms with its 100,000 symbols. */
static bool in_order(const struct symtab *tab)
{
	for (size_t i = 1; i < tab->entries.len; i++)
		if (tab->entries.data[i - 1].start > tab->entries.data[i].start)
			return false;
	return true;
}

static void keep_best_names(struct symtab *tab)
{
	struct symbol_entry *last = NULL;
	size_t kept = 0;

	if (!in_order(tab))
		qsort(tab->entries.data, tab->entries.len, sizeof(*tab->entries.data),
		      compare_starts);
	vec_for_each(const struct symbol_entry, entry, &tab->entries) {
		if (!last || last->start != entry->start) {
			last = &tab->entries.data[kept++];
			*last = *entry;
		} else if (is_better(entry, last, tab->names.data)) {
			*last = *entry;
		}
	}
	tab->entries.len = kept;
}

/* NEXT is the start of the symbol that follows. */
static uint64_t end_of_unsized(const struct symbol_entry *entry, uint64_t next,
			       const struct symtab_ends *ends)
{
	uint64_t end = next < entry->limit ? next : entry->limit;
	uint64_t from, bound;
	struct symbol function;

	if (!ends)
		return end;
	if (symtab_find(ends->bounds, entry->start, &function)) {
		bound = function.start + function.size;
		return bound < end ? bound : end;
	}
	symtab_gap(ends->bounds, entry->start, &from, &bound);
	end = bound < end ? bound : end;
	return ends->reach && entry->source == SYMBOL_DYNSYM && end > entry->start
		       ? ends->reach(ends->ctx, entry->start, end)
		       : end;
}

/* Gives sizes to symbols without one, or drops them. */
static void settle_unsized(struct symtab *tab, const struct symtab_ends *ends)
{
	uint64_t covered = 0; /* the furthest end of the symbols with a size so far */
	size_t kept = 0;

	for (size_t i = 0; i < tab->entries.len; i++) {
		struct symbol_entry entry = tab->entries.data[i];
		uint64_t next = i + 1 < tab->entries.len ? tab->entries.data[i + 1].start
							 : UINT64_MAX;

		if (entry.size) {
			uint64_t end = symbol_entry_end(&entry);

			covered = end > covered ? end : covered;
		} else if (entry.start >= covered) {
			uint64_t end = end_of_unsized(&entry, next, ends);

			entry.size = end > entry.start ? end - entry.start : 0;
		}
		if (entry.size)
			tab->entries.data[kept++] = entry;
	}
	tab->entries.len = kept;
}

/* The cutting state: entries that are open at AT, innermost last. */
struct cutter {
	struct symtab *tab;
	VEC(uint32_t) open;
	uint64_t at;
};

static void emit(struct symtab *tab, uint64_t start, uint64_t end, uint32_t entry)
{
	*vec_push(&tab->pieces) = (struct symtab_piece){ start, end, entry };
}

/* Gives [at, to) to the open entries, inner ones first, and closes those that end. */
static void cut_until(struct cutter *cut, uint64_t to)
{
	while (cut->open.len) {
		uint32_t inner = cut->open.data[cut->open.len - 1];
		uint64_t end = symbol_entry_end(&cut->tab->entries.data[inner]);
		uint64_t stop = end < to ? end : to;

		if (stop > cut->at) {
			emit(cut->tab, cut->at, stop, inner);
			cut->at = stop;
		}
		if (end > to)
			break;
		cut->open.len--;
	}
	cut->at = to;
}

static void cut_pieces(struct symtab *tab)
{
	struct cutter cut = { .tab = tab };

	vec_clear(&tab->pieces);
	for (size_t i = 0; i < tab->entries.len; i++) {
		cut_until(&cut, tab->entries.data[i].start);
		*vec_push(&cut.open) = (uint32_t)i;
	}
	cut_until(&cut, UINT64_MAX);
	vec_release(&cut.open);
}

void symtab_finish(struct symtab *tab, const struct symtab_ends *ends)
{
	keep_best_names(tab);
	settle_unsized(tab, ends);
	cut_pieces(tab);
}
