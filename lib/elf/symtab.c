/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"

/* Offset 0 of names is no name. */
void symtab_init(struct symtab *tab)
{
	*tab = (struct symtab){ 0 };
	strbuf_addch(&tab->names, '\0');
}

void symtab_release(struct symtab *tab)
{
	vec_release(&tab->entries);
	vec_release(&tab->pieces);
	strbuf_release(&tab->names);
}

uint32_t symtab_keep(struct symtab *tab, const char *text, size_t len)
{
	size_t at = tab->names.len;

	if (len > SYMTAB_NAMES_MAX - at)
		return 0;
	strbuf_add(&tab->names, text, len);
	strbuf_addch(&tab->names, '\0');
	return (uint32_t)at;
}

void symtab_add(struct symtab *tab, const struct symbol_entry *entry)
{
	*vec_push(&tab->entries) = *entry;
}

static const char *text_or_null(const struct symtab *tab, uint32_t at)
{
	return at ? tab->names.data + at : NULL;
}

/* How many pieces start at or below ADDR. */
static size_t pieces_up_to(const struct symtab *tab, uint64_t addr)
{
	return sorted_up_to(tab->pieces.data, tab->pieces.len, start, addr);
}

bool symtab_find(const struct symtab *tab, uint64_t addr, struct symbol *out)
{
	size_t below = pieces_up_to(tab, addr);
	const struct symbol_entry *entry;

	if (!below || addr >= tab->pieces.data[below - 1].end)
		return false;
	entry = &tab->entries.data[tab->pieces.data[below - 1].entry];
	*out = (struct symbol){
		.start = entry->start,
		.vaddr = entry->start,
		.size = symbol_entry_end(entry) - entry->start,
		.until = tab->pieces.data[below - 1].end,
		.name = text_or_null(tab, entry->name),
		.object = text_or_null(tab, entry->object),
		.file = text_or_null(tab, entry->file),
		.twin = entry->twin,
		.source = (enum symbol_source)entry->source,
	};
	return true;
}

void symtab_gap(const struct symtab *tab, uint64_t addr, uint64_t *from, uint64_t *to)
{
	size_t below = pieces_up_to(tab, addr);

	*from = below ? tab->pieces.data[below - 1].end : 0;
	*to = below < tab->pieces.len ? tab->pieces.data[below].start : UINT64_MAX;
}
