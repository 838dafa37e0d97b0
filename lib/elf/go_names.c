/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/symbols.h"

#include <elf.h>
#include <string.h>

#include "elf/go_table.h"

#define GO_TABLE_MAX (256u << 20)

/*
 * Takes a name's bytes from ROOM, whether it is used or not.  A table has each of its names
 * once, so all fit in its size; a made one could name a million functions by one long text.
 */
static bool has_room(size_t *room, size_t len)
{
	if (*room < len)
		return false;
	*room -= len;
	return true;
}

static void add_function(struct symtab *tab, const struct elf_image *img,
			 const struct go_table *table, const struct go_func *f,
			 size_t *room)
{
	const struct elf_segment *segment = elf_segment_at_vaddr(img, f->start);
	const char *name = go_func_name(table, f);
	uint32_t at;

	if (!has_room(room, strlen(name) + 1))
		*room = 0;
	if (!*room || !*name || f->end <= f->start || !segment ||
	    !(segment->flags & PF_X))
		return;
	at = symtab_keep(tab, name, strlen(name));
	if (at)
		symtab_add(tab, &(struct symbol_entry){ .start = f->start,
							.size = f->end - f->start,
							.limit = f->end,
							.name = at,
							.source = SYMBOL_GO });
}

static bool read_table(const struct elf_image *img, const char *section,
		       struct strbuf *bytes)
{
	const struct elf_section *s = elf_section_named(img, section);

	return s && s->type != SHT_NOBITS &&
	       elf_section_unpack(img, s, GO_TABLE_MAX, bytes) == 0;
}

void elf_add_go(struct symtab *tab, const struct elf_image *img)
{
	struct strbuf bytes = { 0 };
	struct go_table table;
	struct go_func f;
	size_t room;

	if ((read_table(img, ".gopclntab", &bytes) ||
	     read_table(img, ".data.rel.ro.gopclntab", &bytes)) &&
	    go_table_init(&table, bytes.data, bytes.len)) {
		room = bytes.len;
		for (uint64_t i = 0; i < table.nfuncs && room; i++)
			if (go_table_func(&table, i, &f))
				add_function(tab, img, &table, &f, &room);
	}
	strbuf_release(&bytes);
}
